/** ISO 8601 UTC with milliseconds, whatever form and zone the database wrote. */
export function presentTime(time: string): string {
  return new Date(time).toISOString();
}
