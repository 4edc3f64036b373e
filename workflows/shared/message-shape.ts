/** Whether a message, which anybody who reaches Temporal can send, is an object with fields. */
export function isRecord(message: unknown): message is Readonly<Record<string, unknown>> {
  return typeof message === 'object' && message !== null;
}

/** Whether a value is a text that PostgreSQL accepts: a statement that PostgreSQL refuses would be repeated for ever. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
