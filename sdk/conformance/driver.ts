import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Call, ClientSettings, Outcome } from './scenario.ts';
import type { ReceivedWebhook } from './webhook-vectors.ts';

/** One line that a driver reads, as JSON. */
export type Command =
  | { readonly call: Call; readonly client: ClientSettings & { readonly baseUrl: string } }
  | { readonly webhook: ReceivedWebhook };

/** One line that it prints for each line that it has read, as JSON. */
export type Report =
  | (Outcome & { readonly pausesMs: readonly number[] })
  | { readonly kind: 'event'; readonly id: string }
  | { readonly kind: 'webhook_refused' };

/** A program in the language of a client that makes calls with it. */
export interface Driver {
  /** @throws Error where the program ends, or prints no JSON */
  run(command: Command): Promise<Report>;
  /** Ends the program. */
  stop(): void;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Its environment; that of this process otherwise. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a driver. It takes one command after another. */
export function startDriver({ command, args, ...place }: Program): Driver {
  const child = spawn(command, args, { ...place, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
  });
  failed.catch(() => undefined);
  return {
    run: async (asked) => {
      child.stdin.write(`${JSON.stringify(asked)}\n`);
      const { value } = await Promise.race([lines.next(), failed]);
      // The driver is part of this project; a report of another form fails the assertions about it.
      return JSON.parse(value ?? 'null') as Report;
    },
    stop: () => child.kill(),
  };
}
