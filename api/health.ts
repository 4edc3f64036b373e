import { answerWith } from './answer.ts';
import { ApiError } from './errors.ts';
import type { ApiHandler } from './request-context.ts';
import { send } from './send.ts';

/** What must be reachable for requests to be served; each rejects when it is not. */
export interface ReadinessChecks {
  readonly database: () => Promise<unknown>;
  readonly temporal: () => Promise<unknown>;
}

/** GET /healthz: the process is up. */
export const answerHealth: ApiHandler = (_request, response) => {
  send(response, answerWith(200, { status: 'ok' }));
};

/** GET /readyz: the process and all it needs are up. */
export function createReadinessHandler(checks: ReadinessChecks): ApiHandler {
  return async (_request, response) => {
    const [database, temporal] = await Promise.all([stateOf(checks.database), stateOf(checks.temporal)]);
    // Probes come often and must not be turned away, nor use up what real clients may fail.
    response.locals.counted = true;
    if (database !== 'ok' || temporal !== 'ok') {
      throw new ApiError('SERVICE_UNAVAILABLE', { details: { database, temporal } });
    }
    send(response, answerWith(200, { status: 'ok', database, temporal }));
  };
}

async function stateOf(check: () => Promise<unknown>): Promise<'ok' | 'unavailable'> {
  try {
    await check();
    return 'ok';
  } catch {
    return 'unavailable';
  }
}
