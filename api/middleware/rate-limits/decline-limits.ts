import type { ErrorCode } from '../../../domain/error-catalogue.ts';
import { callerOfAddress } from '../../../domain/ip-address.ts';
import type { Environment, PaymentError } from '../../../domain/payment.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/client.ts';
import type { CardDigests } from '../../../prisma/queries/payment-method.ts';
import { incrementCounts, decrementCounts } from '../../../prisma/queries/decline-count.ts';
import { ApiError } from '../errors.ts';
import { rateLimitExceeded } from './rate-limit.ts';

/** Declined cards per hour in production; 0 stands for no limit. */
export interface DeclinesPerHour {
  readonly card: number;
  /** For checkout pages; the confirms of merchants' servers all come from a few addresses. */
  readonly address: number;
  /** For the first digits of the card number, in one merchant account. */
  readonly bin: number;
  readonly account: number;
}

/** A confirm with a card. */
export interface CardConfirm {
  readonly environment: Environment;
  readonly merchantAccountId: string;
  /** Keyed digests, because neither a card number nor its first digits may be stored. */
  readonly digests: CardDigests;
  /** Where the checkout page is; undefined for a merchant's server. */
  readonly pageAddress: string | undefined;
}

/** A confirm that counts as one that was declined, until one of the functions is called. */
export interface CountedConfirm {
  /** Counts it as one that was not declined. */
  undoDecline(): Promise<void>;
  /** Takes it out of all counts: a confirm without an outcome must not lower the share of declines. */
  undo(): Promise<void>;
  /** Counts a decline in the present hour, of a confirm that counts as one that was not declined. */
  declineLater(): Promise<void>;
}

/** Limits against card testing, over all API processes. */
export interface DeclineLimits {
  /**
   * Counts a confirm as declined before a provider is called, so that many at once cannot pass a limit together.
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  count(confirm: CardConfirm): Promise<CountedConfirm>;
}

/** Errors of confirms that the issuer or the provider refused. */
const DECLINES: ReadonlySet<unknown> = new Set<ErrorCode>([
  'CARD_DECLINED',
  'INSUFFICIENT_FUNDS',
  'PAYMENT_DECLINED',
  'LIMIT_EXCEEDED',
  'FRAUD_DETECTED',
]);

/** Whether a confirm failed because the card was declined, be it by the last attempt that the payment may make. */
export function isDecline({ code, details }: Pick<PaymentError, 'code' | 'details'>): boolean {
  return DECLINES.has(code === 'PAYMENT_RETRIES_EXHAUSTED' ? details?.lastCode : code);
}

/** Sandbox limits are higher by this factor, because people try declines out there. */
const SANDBOX_FACTOR = 10;
/**
 * The share of declines among the confirms above which a limit applies (that of one card always applies): a busy shop has many
 * declines, and many confirms under way while a provider is slow, but far more approvals.
 */
const DECLINED_SHARE = 0.5;

type Kind = keyof DeclinesPerHour;
const KINDS = ['card', 'address', 'bin', 'account'] as const satisfies readonly Kind[];

/** A counter that a confirm raises. */
interface Counter {
  readonly declinesKey: string;
  /** Undefined if the limit applies whatever the share of declines. */
  readonly confirmsKey: string | undefined;
  readonly limit: number;
}

export function createDeclineLimits({ direct }: Pick<Database, 'direct'>, limits: DeclinesPerHour): DeclineLimits {
  const countersOf = (confirm: CardConfirm): readonly Counter[] => {
    const factor = confirm.environment === 'sandbox' ? SANDBOX_FACTOR : 1;
    const keys = keysOf(confirm);
    return KINDS.flatMap((kind) => {
      const key = keys[kind];
      if (key === undefined || limits[kind] === 0) return [];
      const confirmsKey = kind === 'card' ? undefined : `confirms:${kind}:${key}`;
      return [{ declinesKey: `declines:${kind}:${key}`, confirmsKey, limit: limits[kind] * factor }];
    });
  };

  return {
    async count(confirm) {
      const counters = countersOf(confirm);
      if (counters.length === 0) return NOT_COUNTED;
      const declinesKeys = counters.map(({ declinesKey }) => declinesKey);
      const keys = [...declinesKeys, ...counters.flatMap(({ confirmsKey }) => confirmsKey ?? [])];
      const increment = (counted: readonly string[]) =>
        direct.rows(incrementCounts(counted, { nowMs: Date.now(), windowMs: HOUR_MS }));
      // A count that cannot be taken back stays until its hour ends.
      const decrement = (counted: readonly string[]) => direct.execute(decrementCounts(counted)).then(nothing, nothing);
      const counts = new Map((await increment(keys)).map((row) => [row.key, row]));
      const undo = () => decrement(keys);
      const exceeded = counters.find((counter) => isExceeded(counter, counts));
      if (exceeded === undefined) {
        return {
          undo,
          undoDecline: () => decrement(declinesKeys),
          declineLater: () => increment(declinesKeys).then(nothing, nothing),
        };
      }
      await undo();
      throw tooManyDeclines(exceeded.limit, Number(counts.get(exceeded.declinesKey)?.expire ?? 0));
    },
  };
}

const nothing = (): void => undefined;

/** A confirm that no limit is for. */
export const NOT_COUNTED: CountedConfirm = {
  undoDecline: () => Promise.resolve(),
  undo: () => Promise.resolve(),
  declineLater: () => Promise.resolve(),
};

function isExceeded(
  { declinesKey, confirmsKey, limit }: Counter,
  counts: ReadonlyMap<string, { readonly points: number }>,
): boolean {
  const declines = counts.get(declinesKey)?.points ?? 0;
  const confirms = confirmsKey === undefined ? declines : (counts.get(confirmsKey)?.points ?? 0);
  return declines > limit && declines > DECLINED_SHARE * confirms;
}

function keysOf({
  merchantAccountId,
  environment,
  digests,
  pageAddress,
}: CardConfirm): Readonly<Record<Kind, string | undefined>> {
  return {
    card: digests.card,
    bin: digests.bin ?? undefined,
    address: pageAddress === undefined ? undefined : `${environment}:${callerOfAddress(pageAddress)}`,
    account: merchantAccountId,
  };
}

function tooManyDeclines(limit: number, resetAtMs: number): ApiError {
  const { details, retryAfterSeconds } = rateLimitExceeded({ limit, remaining: 0, resetAtMs, exceeded: true });
  const resetAt = new Date(resetAtMs).toISOString();
  const message = `Too many declined cards: expected at most ${limit} an hour. Wait until ${resetAt}, or pay in another way.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', { message, details, retryAfterSeconds });
}
