/**
 * How PostgreSQL writes a time in a session whose zone is UTC. A page has dozens of times, and slicing text costs a fraction of
 * creating a Date.
 */
const WRITTEN_IN_UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00:00$/;

/** ISO 8601 UTC with milliseconds, whatever form and zone the database wrote. */
export function presentTime(time: string): string {
  const [, seconds, fraction = ''] = WRITTEN_IN_UTC.exec(time) ?? [];
  if (seconds === undefined) return new Date(time).toISOString();
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
