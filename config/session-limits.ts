import type { SessionLimits } from '../domain/session-limits.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/time.ts';
import type { Values } from './variables.ts';

/** When sessions of people end; the dashboard and the API need the same. */
export function sessionLimits(
  values: Values<'SESSION_HOURS' | 'STAFF_SESSION_HOURS' | 'STAFF_SESSION_IDLE_MINUTES'>,
): SessionLimits {
  return {
    maximumMs: values.SESSION_HOURS * HOUR_MS,
    staffMaximumMs: values.STAFF_SESSION_HOURS * HOUR_MS,
    staffIdleMs: values.STAFF_SESSION_IDLE_MINUTES * MINUTE_MS,
  };
}
