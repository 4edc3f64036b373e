import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import type { Registry } from 'prom-client';
import { jsonResponse, sendResponse } from '../response.ts';
import { ApiError } from '../../domain/api-error.ts';
import { methodNotAllowed } from '../method-not-allowed.ts';
import type { ApiHandler } from '../request-context.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';

const REMEMBERED_MS = SECOND_MS;

/** Checks of the dependencies that requests need, by name; each rejects if its dependency is unavailable. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown>>>;

/** Mounts the health probes. */
export function mountHealth(app: Express, checks: ReadinessChecks): void {
  const rejectOthers = methodNotAllowed(['GET']);
  app.route('/healthz').get(health).all(rejectOthers);
  app.route('/readyz').get(createReadinessHandler(checks)).all(rejectOthers);
}

/** What `/metrics` answers, and to whom. */
export interface ServedMetrics {
  readonly registry: Pick<Registry, 'metrics' | 'contentType'>;
  readonly mayRead: (request: IncomingMessage) => boolean;
}

/** Mounts `/metrics`. Clients that may not read it get the response for an unknown path. */
export function mountMetrics(app: Express, { registry, mayRead }: ServedMetrics): void {
  const serve: ApiHandler = async (request, response, next) => {
    if (!mayRead(request)) return next('route');
    response.type(registry.contentType).send(await registry.metrics());
  };
  app.get('/metrics', serve);
}

/** GET /healthz: the process is up. */
const health: ApiHandler = (_request, response) => {
  sendResponse(response, jsonResponse(200, { status: 'ok' }));
};

/** GET /readyz: the process and its dependencies are up. */
function createReadinessHandler(checks: ReadinessChecks): ApiHandler {
  const readStates = rememberBriefly(async () => {
    const results = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const);
    return Object.fromEntries(await Promise.all(results));
  });
  return async (_request, response) => {
    const states = await readStates();
    // Probes come often: they must not be rate limited, nor use up the limit of real clients.
    response.locals.counted = true;
    if (Object.values(states).some((state) => state !== 'ok')) {
      throw new ApiError('SERVICE_UNAVAILABLE', { details: states });
    }
    sendResponse(response, jsonResponse(200, { status: 'ok', ...states }));
  };
}

/** Anyone may ask, as often as they like: all who ask during a check, or within `REMEMBERED_MS` after it, share its result. */
function rememberBriefly<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | null = null;
  const forget = (): void => {
    latest = null;
  };
  return () => (latest ??= work().finally(() => setTimeout(forget, REMEMBERED_MS).unref()));
}

async function stateOf(check: () => Promise<unknown>): Promise<'ok' | 'unavailable'> {
  try {
    await check();
    return 'ok';
  } catch {
    return 'unavailable';
  }
}

/** How long a dependency may take to answer a probe. */
export const READINESS_TIMEOUT_MS = 2 * SECOND_MS;

/** Rejects when the database does not answer in time, or was never migrated: without its tables no request can be served. */
export async function checkDatabase(database: Database): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), READINESS_TIMEOUT_MS);
  });
  try {
    await Promise.race([database.eventCounter.findFirst({ select: { scope: true } }), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
