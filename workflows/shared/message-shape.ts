/** Whether a message, which anybody who reaches Temporal can send, is an object with fields. */
export function isRecord(message: unknown): message is Readonly<Record<string, unknown>> {
  return typeof message === 'object' && message !== null;
}

/** PostgreSQL stores no NUL in text and no lone surrogate in JSON. */
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

/** Whether a value is a text that PostgreSQL accepts: a statement that PostgreSQL refuses would be repeated for ever. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !UNSTORABLE.test(value);
}

export function isOneOf(values: readonly unknown[], value: unknown): boolean {
  return values.includes(value);
}
