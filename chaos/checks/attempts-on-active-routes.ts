import { SECOND_MS } from '../../domain/time.ts';
import { MERCHANT } from '../faults/switches.ts';
import type { Check } from './check.ts';

/** The clocks of processes on one machine are read a moment apart. */
const TOLERANCE_MS = SECOND_MS / 2;

/** No attempt began by a route, at an account or for a merchant that was switched off then. */
export const attemptsOnActiveRoutes: Check = {
  name: 'attempts go by active routes and accounts',
  find: ({ intents, inactivePeriods }) =>
    intents.flatMap(({ id: intentId, attempts }) =>
      attempts.flatMap(({ id, routeId, provider, startedAtMs }) =>
        inactivePeriods
          .filter((period) => [routeId, provider, MERCHANT].includes(period.id))
          .filter(({ fromMs, untilMs }) => startedAtMs > fromMs + TOLERANCE_MS && startedAtMs < untilMs)
          .map((period) => ({
            intentId,
            what: `${id} began ${startedAtMs - period.fromMs} ms after ${period.id} was switched off`,
          })),
      ),
    ),
};
