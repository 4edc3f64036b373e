import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.ts';

/** Seconds after which a client may try again, if the error does not say. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** Any JSON object. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

interface ApiErrorOptions {
  readonly message?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Whether the operation may still succeed, so that a repeat of the request has to go on with it. */
  readonly isUndecided?: boolean;
  readonly cause?: unknown;
}

/** A failure that is sent to the client: a code of the catalogue with its details. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details: ErrorDetails | undefined;
  /** Set on every 429 and 503, and on other errors after which a retry may succeed. */
  readonly retryAfterSeconds: number | undefined;
  readonly isUndecided: boolean;

  constructor(
    readonly code: ErrorCode,
    { message, details, retryAfterSeconds, isUndecided = false, cause }: ApiErrorOptions = {},
  ) {
    super(message ?? ERROR_CATALOGUE[code].message, { cause });
    this.details = details;
    this.isUndecided = isUndecided;
    this.retryAfterSeconds = retryAfterSeconds ?? (needsRetryAfter(code) ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }
}

function needsRetryAfter(code: ErrorCode): boolean {
  return [429, 503].includes(ERROR_CATALOGUE[code].status);
}
