import { MINUTE_MS } from '../../../domain/time.ts';

const WINDOW_MS = 5 * MINUTE_MS;
const ISO_8601_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]00:00)$/;

/** Whether an X-Timestamp is a UTC time within 5 minutes either side of now. */
export function isTimely(timestamp: string | undefined, nowMs: number): timestamp is string {
  if (timestamp === undefined || !ISO_8601_UTC.test(timestamp)) return false;
  const atMs = Date.parse(timestamp);
  return Number.isFinite(atMs) && Math.abs(nowMs - atMs) <= WINDOW_MS;
}
