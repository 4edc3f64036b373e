import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { inTime } from '../eventually.ts';

/** A recorded webhook with a valid signature. */
export interface ReceivedWebhook {
  /** The index of the endpoint that received it. */
  readonly endpoint: number;
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly merchantId: string;
  readonly paymentIntentId: string;
}

/** A webhook receiver in a separate process, which can be killed at any time. */
export interface ReceiverProcess {
  start(failureRate: number): Promise<void>;
  /** Kills it with SIGKILL, so that open requests get no answer. */
  kill(): Promise<void>;
  /** The webhooks that it recorded, across its restarts, in order. @throws when a webhook had an invalid signature */
  readWebhooks(): readonly ReceivedWebhook[];
}

export interface ReceiverSettings {
  readonly port: number;
  /** The file to which it writes. */
  readonly record: string;
  /** The secret of each endpoint, `whsec_…`. */
  readonly secrets: readonly string[];
  readonly seed: number;
}

const PROGRAM = fileURLToPath(new URL('./receiver-program.js', import.meta.url));
const lineSchema = z.strictObject({
  endpoint: z.number(),
  id: z.string(),
  type: z.string(),
  sequence: z.number(),
  merchantId: z.string(),
  paymentIntentId: z.string(),
});

export function createReceiverProcess({ port, record, secrets, seed }: ReceiverSettings): ReceiverProcess {
  let child: ChildProcess | undefined;
  let lives = 0;
  return {
    async start(failureRate) {
      lives += 1;
      const settings = [port, record, failureRate, seed + lives, secrets.join(',')].map(String);
      child = spawn(process.execPath, [PROGRAM, ...settings], { stdio: ['pipe', 'pipe', 'inherit'] });
      if (child.stdout !== null) await inTime(once(child.stdout, 'data'), 'the receiver');
    },
    async kill() {
      if (child === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      child = undefined;
      await ended;
    },
    readWebhooks() {
      const lines = existsSync(record) ? readFileSync(record, 'utf8').split('\n') : [];
      return lines.filter((line) => line !== '').map((line) => lineSchema.parse(JSON.parse(line)));
    },
  };
}
