import type { ErrorCode } from '../../domain/error-catalogue.ts';
import { callersOfAddress } from '../../domain/ip-address.ts';
import type { Environment, PaymentError } from '../../domain/payment.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { LinkOfPayment } from '../../prisma/queries/payment-link.ts';
import type { CardDigests } from '../../prisma/queries/payment-method.ts';
import { incrementCounts, decrementCounts } from '../../prisma/queries/decline-count.ts';
import type { SuspectedCardTesting } from '../../prisma/queries/stored-event.ts';
import { ApiError } from '../../domain/api-error.ts';
import { rateLimitExceeded } from '../../http/rate-limits/rate-limit.ts';

/** Declined cards per hour in production; 0 stands for no limit. */
export interface DeclinesPerHour {
  readonly card: number;
  /**
   * For checkout pages, also as the number of different cards; the confirms of merchants' servers all come from a few addresses. An
   * IPv6 network of 48 bits has four times as many as one of 56.
   */
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
  /** The payment link whose page it is; null for others. */
  readonly link: LinkOfPayment | null;
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
export const SANDBOX_FACTOR = 10;
/**
 * The share of declines among the confirms above which the limits of first digits and accounts apply: a busy shop has many declines,
 * and many confirms under way while a provider is slow, but far more approvals. Those of cards and addresses always apply, because
 * whoever has one card that is approved could lower the share of an address at will; that of a link likewise.
 */
const DECLINED_SHARE = 0.5;

/** How many times the declines of an address a payment link may have, which many addresses may pay by. */
const LINK_FACTOR = 10;

type Kind = keyof DeclinesPerHour | 'link';
const KINDS = ['card', 'address', 'link', 'bin', 'account'] as const satisfies readonly Kind[];
/** What shows that whoever confirms has had declines before. */
const OF_CALLER: ReadonlySet<Kind> = new Set(['card', 'address']);
/** Those that apply only above a share of declines. */
const OF_SHARE: ReadonlySet<Kind> = new Set(['bin', 'account']);

/** A counter that a confirm raises. */
interface Counter {
  readonly kind: Kind;
  readonly declinesKey: string;
  /** Undefined if the limit applies whatever the share of declines. */
  readonly confirmsKey: string | undefined;
  readonly limit: number;
}

/** Counts the different cards of an address, or of a payment link. */
interface CardsCounter {
  /** Whether the limit applies to whoever has had no decline too. */
  readonly isOfCaller: boolean;
  /** Counts this card there; 1 where it is new. */
  readonly cardKey: string;
  readonly cardsKey: string;
  readonly limit: number;
}

type Counts = ReadonlyMap<string, { readonly points: number; readonly expire: bigint | number | string }>;

/**
 * @param report is called with each confirm that comes while a BIN or an account has too many declines; not awaited, so that no confirm
 * depends on it
 */
export function createDeclineLimits(
  { direct }: Pick<Database, 'direct'>,
  limits: DeclinesPerHour,
  report: (confirm: CardConfirm, suspected: SuspectedCardTesting) => void,
): DeclineLimits {
  const perHour: Readonly<Record<Kind, number>> = { ...limits, link: limits.address * LINK_FACTOR };
  const factorOf = ({ environment }: CardConfirm) => (environment === 'sandbox' ? SANDBOX_FACTOR : 1);
  const limitOf = (confirm: CardConfirm, kind: Kind) => perHour[kind] * factorOf(confirm);
  const countersOf = (confirm: CardConfirm): readonly Counter[] =>
    KINDS.filter((kind) => perHour[kind] !== 0).flatMap((kind) =>
      keysOf(confirm, kind).map(({ key, factor }) => ({
        kind,
        declinesKey: `declines:${kind}:${key}`,
        confirmsKey: OF_SHARE.has(kind) ? `confirms:${kind}:${key}` : undefined,
        limit: limitOf(confirm, kind) * factor,
      })),
    );
  const cardsCountersOf = (confirm: CardConfirm): readonly CardsCounter[] => {
    if (limits.address === 0) return [];
    const { link, digests } = confirm;
    const ofAddress = keysOf(confirm, 'address').map(({ key, factor }) => ({
      isOfCaller: true,
      cardKey: `card-of-address:${key}:${digests.card}`,
      cardsKey: `cards-of-address:${key}`,
      limit: limitOf(confirm, 'address') * factor,
    }));
    if (link === null || link.maxPayments === null) return ofAddress;
    const ofLink = {
      isOfCaller: false,
      cardKey: `card-of-link:${link.paymentLinkId}:${digests.card}`,
      cardsKey: `cards-of-link:${link.paymentLinkId}`,
      limit: link.maxPayments + limitOf(confirm, 'address'),
    };
    return [...ofAddress, ofLink];
  };
  const increment = async (counted: readonly string[]): Promise<Counts> => {
    if (counted.length === 0) return new Map();
    const rows = await direct.rows(incrementCounts(counted, { nowMs: Date.now(), windowMs: HOUR_MS }));
    return new Map(rows.map((row) => [row.key, row]));
  };
  // A count that cannot be taken back stays until its hour ends.
  const decrement = (counted: readonly string[]) => direct.execute(decrementCounts(counted)).then(nothing, nothing);

  return {
    async count(confirm) {
      const counters = countersOf(confirm);
      if (counters.length === 0) return NOT_COUNTED;
      const cardsCounters = cardsCountersOf(confirm);
      const declinesKeys = counters.map(({ declinesKey }) => declinesKey);
      const keys = [...declinesKeys, ...counters.flatMap(({ confirmsKey }) => confirmsKey ?? [])];
      const cardKeys = cardsCounters.map(({ cardKey }) => cardKey);
      const counts = await increment([...keys, ...cardKeys]);
      const cardsKeys = cardsCounters
        .filter(({ cardKey }) => counts.get(cardKey)?.points === 1)
        .map((each) => each.cardsKey);
      const cards = await increment(cardsKeys);
      const all = [...keys, ...cardKeys, ...cardsKeys];
      const suspected = suspectedOf({ counts, counters, confirm });
      if (suspected !== undefined) report(confirm, suspected);
      const exceeded =
        counters.find((counter) => isExceeded(counter, { counts, counters, confirm })) ??
        cardsCounters.find(
          ({ cardsKey, limit, isOfCaller }) =>
            (cards.get(cardsKey)?.points ?? 0) > limit && (isOfCaller || isSuspect({ counts, counters, confirm })),
        );
      if (exceeded === undefined) {
        return {
          undo: () => decrement(all),
          undoDecline: () => decrement(declinesKeys),
          declineLater: () => increment(declinesKeys).then(nothing, nothing),
        };
      }
      await decrement(all);
      const met = 'cardsKey' in exceeded ? cards.get(exceeded.cardsKey) : counts.get(exceeded.declinesKey);
      throw tooManyDeclines(exceeded.limit, Number(met?.expire ?? 0));
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

/** What a confirm has counted. */
interface Counted {
  readonly counts: Counts;
  readonly counters: readonly Counter[];
  readonly confirm: CardConfirm;
}

/** What the merchant is told of a BIN or the account; undefined while both are within their limits. */
function suspectedOf({ counts, counters }: Counted): SuspectedCardTesting | undefined {
  return counters.flatMap(({ kind, declinesKey, confirmsKey, limit: limitPerHour }) => {
    if ((kind !== 'bin' && kind !== 'account') || confirmsKey === undefined) return [];
    const [declines, confirms] = [declinesKey, confirmsKey].map((key) => counts.get(key)?.points ?? 0);
    if (declines === undefined || confirms === undefined) return [];
    const isTooMany = declines > limitPerHour && declines > DECLINED_SHARE * confirms;
    return isTooMany ? [{ limit: kind, declines, confirms, limitPerHour }] : [];
  })[0];
}

function isExceeded({ kind, declinesKey, confirmsKey, limit }: Counter, counted: Counted): boolean {
  const declines = counted.counts.get(declinesKey)?.points ?? 0;
  if (declines <= limit) return false;
  const confirms = confirmsKey === undefined ? 0 : (counted.counts.get(confirmsKey)?.points ?? 0);
  return declines > DECLINED_SHARE * confirms && (OF_CALLER.has(kind) || isSuspect(counted));
}

/**
 * Whether a confirm is refused while the first digits, the account or the link have too many declines: always one of a merchant's server, whose
 * customers are not known; one of a page only after a decline of its own, because the others are customers of the same bank or shop.
 */
function isSuspect({ counts, counters, confirm }: Counted): boolean {
  if (confirm.pageAddress === undefined) return true;
  const own = counters.filter(({ kind }) => OF_CALLER.has(kind));
  return own.length === 0 || own.some(({ declinesKey }) => (counts.get(declinesKey)?.points ?? 0) > 1);
}

/** The keys under which a confirm counts for a kind of limit, each with how many times the limit it has. */
function keysOf(
  { merchantAccountId, environment, digests, pageAddress, link }: CardConfirm,
  kind: Kind,
): readonly { readonly key: string; readonly factor: number }[] {
  if (kind !== 'address') {
    const linkId = link?.paymentLinkId ?? null;
    const key = { card: digests.card, bin: digests.bin, account: merchantAccountId, link: linkId }[kind];
    return key === null ? [] : [{ key, factor: 1 }];
  }
  if (pageAddress === undefined) return [];
  return callersOfAddress(pageAddress).map(({ caller, factor }) => ({ key: `${environment}:${caller}`, factor }));
}

function tooManyDeclines(limit: number, resetAtMs: number): ApiError {
  const { details, retryAfterSeconds } = rateLimitExceeded({ limit, remaining: 0, resetAtMs, exceeded: true });
  const resetAt = new Date(resetAtMs).toISOString();
  const message = `Too many declined cards: expected at most ${limit} an hour. Wait until ${resetAt}, or pay in another way.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', { message, details, retryAfterSeconds });
}
