import type { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import { invalidField } from '../../../contract/validation.ts';
import type { StatisticsInterval, statisticsQuery } from '../../../contract/schemas/statistics.ts';

/** The time that statistics are of, in whole intervals of UTC. */
export interface WholeRange {
  readonly interval: StatisticsInterval;
  readonly from: Date;
  readonly to: Date;
}

const LENGTH_MS = { hour: HOUR_MS, day: DAY_MS } as const;
const MAXIMUM_DAYS = { hour: 31, day: 366 } as const;
const DAYS_BY_HOUR = 7;
/** The first and the last time that `timeText` takes; the database cannot read the text of others. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The range that a query means, rounded outwards to whole hours or days.
 * @throws ApiError `VALIDATION_ERROR` where it is empty or too long, or does not lie in the years 1 to 9999
 */
export function wholeRangeOf(query: z.output<typeof statisticsQuery>, now: number): WholeRange {
  const to = query.to?.getTime() ?? now;
  const from = query.from?.getTime() ?? to - DAY_MS;
  if (from >= to) throw invalidField('from', 'invalid', 'Expected a time before `to`, which is now if it is left out.');
  const interval = query.interval ?? (to - from <= DAYS_BY_HOUR * DAY_MS ? 'hour' : 'day');
  requireLength(to - from, interval);
  const length = LENGTH_MS[interval];
  const wholeFrom = Math.floor(from / length) * length;
  const wholeTo = Math.ceil(to / length) * length;
  if (wholeFrom < FIRST_MS || wholeTo > LAST_MS) throw invalidField('to', 'invalid', BEYOND_YEARS);
  return { interval, from: new Date(wholeFrom), to: new Date(wholeTo) };
}

const BEYOND_YEARS =
  'Expected a range that stays within the years 1 to 9999 (UTC) when it is rounded outwards to whole hours or days; got one that does not.';

/** The beginnings of the intervals of a range, oldest first. */
export function intervalsOf({ interval, from, to }: WholeRange): readonly Date[] {
  const length = LENGTH_MS[interval];
  const count = (to.getTime() - from.getTime()) / length;
  return Array.from({ length: count }, (_, index) => new Date(from.getTime() + index * length));
}

function requireLength(lengthMs: number, interval: StatisticsInterval): void {
  const days = MAXIMUM_DAYS[interval];
  if (lengthMs <= days * DAY_MS) return;
  const advice = interval === 'hour' ? 'Send a later one, or interval=day.' : 'Send a later one.';
  const message = `Expected a time at most ${days} days before \`to\` with interval=${interval}; got an earlier one. ${advice}`;
  throw invalidField('from', 'invalid', message);
}
