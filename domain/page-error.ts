import type { DeclineAdvice } from './decline-advice.ts';
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.ts';
import type { JsonObject } from './json.ts';
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

/** The advice that the customer can follow. That a card will never be approved is not among it: thieves would learn it, too. */
const ADVICE_FOR_PAGES: ReadonlySet<unknown> = new Set<DeclineAdvice>(['later', 'authenticate', 'correct_data']);

/** The declines whose reason and advice pages get. */
const DECLINES: ReadonlySet<ErrorCode> = new Set(['CARD_DECLINED', 'INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED']);

interface Failure<Details> {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Details;
}

/** A payment's failure as its page gets it: no suspicion of fraud, and nothing that a provider answered. */
export function errorForPage({ code, details }: Failure<unknown>): Failure<JsonObject> {
  const codeForPage = CODES_FOR_PAGES[code] ?? code;
  const { message } = ERROR_CATALOGUE[codeForPage];
  const shown = detailsForPage(codeForPage, details);
  return { code: codeForPage, message, ...(shown === undefined ? {} : { details: shown }) };
}

function detailsForPage(code: ErrorCode, details: unknown): JsonObject | undefined {
  if (details === undefined) return undefined;
  if (CODES_WITH_DETAILS.has(code)) return details as JsonObject;
  return DECLINES.has(code) ? declineForPage(new Map(Object.entries(details ?? {}))) : undefined;
}

/** The reason and the advice of a decline where both are for customers; undefined where nothing is. */
function declineForPage(details: ReadonlyMap<string, unknown>): JsonObject | undefined {
  if (details.get('advice') === 'never') return undefined;
  const shown = [
    ['reason', DECLINE_REASONS],
    ['advice', ADVICE_FOR_PAGES],
  ] as const;
  const entries = shown.flatMap(([name, known]) => {
    const value = details.get(name);
    return typeof value === 'string' && known.has(value) ? [[name, value] as const] : [];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
