import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { createSimulatorProvider } from '../../providers/simulator/simulator-provider.ts';
import { startSimulator, type RunningSimulator, type SimulatorTuning } from '../../sandbox/simulator/server.ts';
import { closeServer, listenLocally } from './local-server.ts';

export const SIMULATOR_API_KEY = 'simulator-test-key';
export const SIMULATOR_WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** An address that refuses connections: nothing may listen on the port of "discard". */
export const UNREACHABLE_URL = 'http://127.0.0.1:9';

/** Short delays, so that tests are quick. */
const QUICK: Partial<SimulatorTuning> = {
  webhookTimeoutMs: 5_000,
  webhookRetryMs: 5,
  maximumWebhookRetryMs: 20,
  webhookHoldBackMs: 100,
  approvalDelayMs: 10,
  depositDelayMs: 10,
  confirmationDelayMs: 10,
  holdMs: 5_000,
};

export interface TestSimulatorOptions {
  readonly name?: string;
  readonly dataFile: string;
  readonly webhookUrl?: string;
  readonly tuning?: Partial<SimulatorTuning>;
}

/** The real simulator in this process, on a free port. */
export function startTestSimulator(options: TestSimulatorOptions): Promise<RunningSimulator> {
  return startSimulator(
    {
      name: options.name ?? 'beta',
      port: 0,
      apiKey: SIMULATOR_API_KEY,
      webhookSecret: SIMULATOR_WEBHOOK_SECRET,
      webhookUrl: options.webhookUrl ?? UNREACHABLE_URL,
      publicUrl: 'http://127.0.0.1',
      dataFile: options.dataFile,
      logLevel: 'silent',
    },
    { ...QUICK, ...options.tuning },
  );
}

/** The provider adapter for a simulator at an address. */
export function adapterTo(url: string, timeoutMs = 5_000): PaymentProvider {
  return createSimulatorProvider({
    name: 'beta',
    url,
    apiKey: SIMULATOR_API_KEY,
    webhookSecret: SIMULATOR_WEBHOOK_SECRET,
    timeoutMs,
  });
}

/** Makes a temporary folder. @returns its path and how to remove it */
export async function makeTemporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'simulator-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ScriptedAnswer {
  readonly status: number;
  readonly body?: string;
}

export interface ScriptedServer {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
  /** Resolves when as many requests have been answered. */
  waitFor(count: number): Promise<readonly ReceivedRequest[]>;
  close(): Promise<void>;
}

/**
 * A real HTTP server with scripted answers that records its requests.
 * @param answer undefined leaves the request without an answer
 */
export async function startScriptedServer(
  answer: (request: ReceivedRequest, index: number) => ScriptedAnswer | undefined,
): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const arrived = { method, path: url, headers, body: Buffer.concat(chunks) };
      received.push(arrived);
      const scripted = answer(arrived, received.length - 1);
      if (scripted !== undefined) response.writeHead(scripted.status).end(scripted.body);
      for (const check of waiting) check();
    });
  });
  return {
    url: await listenLocally(server),
    received,
    waitFor: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        check();
      }),
    close: () => closeServer(server),
  };
}
