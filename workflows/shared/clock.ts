/** The workflow's own time, ISO 8601 UTC; the same at every replay. */
export function now(): string {
  return new Date().toISOString();
}
