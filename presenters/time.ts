/**
 * How PostgreSQL writes a time in a session whose zone is UTC. A page shows dozens: to cut a text costs a fraction of what a
 * Date does.
 */
const WRITTEN_IN_UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00:00$/;

/** ISO 8601 UTC with milliseconds, whatever form and zone the database wrote. */
export function presentTime(time: string): string {
  const [, seconds, fraction = ''] = WRITTEN_IN_UTC.exec(time) ?? [];
  if (seconds === undefined) return new Date(time).toISOString();
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
