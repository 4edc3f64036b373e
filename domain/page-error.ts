import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.ts';
import { CARD_DECLINE_REASONS } from './provider-outcome.ts';

/** The codes that pages get instead: somebody who tests stolen cards must not learn which of them were recognised. */
const CODES_FOR_PAGES: Readonly<Partial<Record<ErrorCode, ErrorCode>>> = { FRAUD_DETECTED: 'PAYMENT_DECLINED' };

/** The codes whose details customers may read. The details of all others may contain a provider's answer. */
const CODES_WITH_DETAILS: ReadonlySet<ErrorCode> = new Set([
  'CHANNEL_LIMIT_MIN_EXCEEDED',
  'CHANNEL_LIMIT_MAX_EXCEEDED',
  'CRYPTO_DEPOSIT_FAILED',
  'PAYMENT_EXPIRED',
  'PAYMENT_STUCK',
  'STATE_CONFLICT',
]);

const DECLINE_REASONS: ReadonlySet<unknown> = new Set(CARD_DECLINE_REASONS);

interface Failure<Details> {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Details;
}

/** A payment's failure as its page gets it: no suspicion of fraud, and nothing that a provider answered. */
export function errorForPage<Details>({ code, details }: Failure<Details>): Failure<Details> {
  const codeForPage = CODES_FOR_PAGES[code] ?? code;
  const { message } = ERROR_CATALOGUE[codeForPage];
  return {
    code: codeForPage,
    message,
    ...(details !== undefined && isForPages(codeForPage, details) ? { details } : {}),
  };
}

function isForPages(code: ErrorCode, details: unknown): boolean {
  return CODES_WITH_DETAILS.has(code) || (code === 'CARD_DECLINED' && isDeclineReason(details));
}

/** Whether details are a known reason of a decline, and nothing else that a provider may have said. */
function isDeclineReason(details: unknown): boolean {
  const entries = Object.entries(details ?? {});
  return entries.length === 1 && entries.every(([name, value]) => name === 'reason' && DECLINE_REASONS.has(value));
}
