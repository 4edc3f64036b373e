import { ApiError } from '../domain/api-error.ts';
import { TemporalUnavailableError } from '../workflow-client/temporal-errors.ts';

/**
 * Whatever was thrown, as the client may see it: an ApiError as it is, an unreachable database or Temporal as
 * `SERVICE_UNAVAILABLE`, a request that Express could not read as `INVALID_REQUEST`, all else as `INTERNAL_ERROR`.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof TemporalUnavailableError || isDatabaseUnavailable(thrown)) {
    return new ApiError('SERVICE_UNAVAILABLE', { cause: thrown });
  }
  const reason = unreadableReason(thrown);
  if (reason !== undefined) {
    const message = reason === 'body_too_large' ? tooLargeMessage(thrown) : UNREADABLE_MESSAGES[reason];
    return new ApiError('INVALID_REQUEST', { message, details: { reason }, cause: thrown });
  }
  return new ApiError('INTERNAL_ERROR', { cause: thrown });
}

/** The body parser's error types as the reasons that clients see. */
const UNREADABLE_REASONS: Readonly<Record<string, string>> = {
  'entity.too.large': 'body_too_large',
  'encoding.unsupported': 'content_encoding',
  'request.size.invalid': 'content_length',
  'request.aborted': 'aborted',
};

const UNREADABLE_MESSAGES: Readonly<Record<string, string>> = {
  content_encoding: 'Expected a body without Content-Encoding; got a compressed one. Send it as it is.',
  content_length:
    'Expected as many bytes as Content-Length says; got another number. Let the HTTP library set the header.',
  aborted: 'Expected a whole body; the connection ended before. Send the request again.',
  malformed:
    'Expected a path and a body in valid encoding; got one that cannot be read, such as a % without two hex digits.',
};

/** The body parser's error has the limit, and the length if the request announced it. */
function tooLargeMessage(thrown: unknown): string {
  const [limit, length] = [propertyOf(thrown, 'limit'), propertyOf(thrown, 'length')];
  return bodyTooLarge(Number(limit), typeof length === 'number' ? length : undefined);
}

/** The message for a body that is too large. @param lengthBytes undefined where the request does not tell it */
export function bodyTooLarge(limitBytes: number, lengthBytes: number | undefined): string {
  const received = lengthBytes === undefined ? 'more' : `${lengthBytes} bytes`;
  return `Expected a body of at most ${limitBytes} bytes; got ${received}. Send less, in several requests if need be.`;
}

/** Express and its parsers mark a client's mistake with a 4xx status. */
function unreadableReason(thrown: unknown): string | undefined {
  const status = propertyOf(thrown, 'status');
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  const type = propertyOf(thrown, 'type');
  return (typeof type === 'string' ? UNREADABLE_REASONS[type] : undefined) ?? 'malformed';
}

/**
 * Prisma's codes for: not reachable, timed out, connection closed, no free connection, a transaction that could not start or took
 * too long, too many connections.
 */
const PRISMA_CONNECTION_CODES = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1011',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
]);
const SYSTEM_CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/**
 * PostgreSQL: connection exceptions, rollbacks by conflict, insufficient resources, operator intervention (shutdown, cancel by
 * timeout); a server that is read-only, as a standby is; a `lock_timeout` that an operator has set.
 */
const POSTGRES_UNAVAILABLE_CODES = /^((08|40|53|57)[0-9A-Z]{3}|25006|55P03)$/;
const CONNECTION_MESSAGES =
  /timeout exceeded when trying to connect|connection terminated|is not queryable|query read timeout|server closed the connection|can't reach database|connection (refused|timed out)/i;
const CONNECTION_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'DatabaseDoesNotExist',
  'AuthenticationFailed',
  'TlsConnectionError',
]);
const MAXIMUM_CAUSES = 6;

/** Whether an error of Prisma or pg means that the database is unavailable, rather than that it rejected a statement. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  let current: unknown = thrown;
  for (let depth = 0; depth < MAXIMUM_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    if (saysUnavailable(current)) return true;
    const meta = propertyOf(current, 'meta');
    current = propertyOf(current, 'cause') ?? propertyOf(meta, 'driverAdapterError');
  }
  return false;
}

function saysUnavailable(error: object): boolean {
  const codes = [propertyOf(error, 'code'), propertyOf(error, 'errorCode'), propertyOf(error, 'originalCode')];
  const kind = propertyOf(error, 'kind');
  const message = propertyOf(error, 'message');
  return (
    codes.some(
      (code) =>
        typeof code === 'string' &&
        (PRISMA_CONNECTION_CODES.has(code) ||
          SYSTEM_CONNECTION_CODES.has(code) ||
          POSTGRES_UNAVAILABLE_CODES.test(code)),
    ) ||
    (typeof kind === 'string' && CONNECTION_KINDS.has(kind)) ||
    (typeof message === 'string' && CONNECTION_MESSAGES.test(message))
  );
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined;
  return Reflect.get(value, name);
}
