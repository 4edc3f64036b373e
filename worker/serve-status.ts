import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { WorkerConfig } from '../config/engine.ts';
import { UserError } from '../domain/user-error.ts';
import { SECOND_MS } from '../domain/time.ts';

export interface WorkerStatus {
  /** Whether the worker takes tasks. */
  readonly isReady: () => boolean;
  /** In the text format of Prometheus. */
  readonly readMetrics: () => Promise<string>;
  readonly metricsType: string;
  readonly mayReadMetrics: (request: IncomingMessage) => boolean;
}

const LIMITS = { headersTimeout: 5 * SECOND_MS, requestTimeout: 5 * SECOND_MS, maxHeaderSize: 16_384 } as const;
const MAXIMUM_CONNECTIONS = 100;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` of a worker, in plain HTTP.
 * @returns null where the worker has no port
 * @throws UserError when the port is taken
 */
export async function serveStatus(
  { host, port }: Pick<WorkerConfig, 'host' | 'port'>,
  status: WorkerStatus,
): Promise<Server | null> {
  if (port === null) return null;
  const server = createServer(LIMITS, (request, response) => {
    answer(request, status).then(
      (sent) => send(response, sent),
      () => send(response, json(500, 'error')),
    );
  });
  server.maxConnections = MAXIMUM_CONNECTIONS;
  // By default Node drops headers after the 2,000th, among them those that a proxy adds last. The limit of their size is enough.
  server.maxHeadersCount = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new UserError(
          `The worker cannot listen on WORKER_PORT ${port} of ${host}: ${error.message}. Set it to another port.`,
        ),
      );
    });
    server.listen({ host, port }, resolve);
  });
  return server;
}

async function answer(request: IncomingMessage, status: WorkerStatus): Promise<Answer> {
  // Bodies are not read.
  request.resume();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  switch (isRead ? request.url?.split('?', 1)[0] : undefined) {
    case '/healthz':
      return json(200, 'ok');
    case '/readyz':
      return status.isReady() ? json(200, 'ok') : json(503, 'unavailable');
    case '/metrics':
      if (!status.mayReadMetrics(request)) return json(404, 'not found');
      return { status: 200, type: status.metricsType, body: await status.readMetrics() };
    default:
      return json(404, 'not found');
  }
}

function json(code: number, status: string): Answer {
  return { status: code, type: 'application/json', body: JSON.stringify({ status }) };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
