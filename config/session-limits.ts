import type { SessionLimits } from '../domain/session-limits.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/time.ts';
import type { Values, VariableName } from './variables.ts';

/** The variables that say when sessions of people end. */
export const SESSION_VARIABLES = [
  'SESSION_HOURS',
  'STAFF_SESSION_HOURS',
  'STAFF_SESSION_IDLE_MINUTES',
] as const satisfies readonly VariableName[];

/** When sessions of people end; the dashboard and the API need the same. */
export function sessionLimits(values: Values<(typeof SESSION_VARIABLES)[number]>): SessionLimits {
  return {
    maximumMs: values.SESSION_HOURS * HOUR_MS,
    staffMaximumMs: values.STAFF_SESSION_HOURS * HOUR_MS,
    staffIdleMs: values.STAFF_SESSION_IDLE_MINUTES * MINUTE_MS,
  };
}
