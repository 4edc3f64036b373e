import type { ErrorCode } from '../../../domain/error-catalogue.ts';
import type { Environment } from '../../../domain/payment.ts';
import { HOUR_MS, SECOND_MS } from '../../../domain/time.ts';
import type { Keyring } from '../../../vault/keyring.ts';
import { callerOfAddress } from '../client-address.ts';
import { ApiError } from '../errors.ts';
import { rateLimitExceeded } from './rate-limit.ts';
import { createLimiter, type LimiterStores } from './rate-limiters.ts';

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
  readonly cardNumber: string;
  /** Where the checkout page is; undefined for a merchant's server. */
  readonly pageAddress: string | undefined;
}

/** Limits against card testing, over all API processes. */
export interface DeclineLimits {
  /**
   * Counts a confirm as declined before a provider is called, so that many at once cannot pass a limit together.
   * @returns takes the count back; to be called when the card was not declined
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  count(confirm: CardConfirm): Promise<() => Promise<void>>;
}

/** Errors of confirms that the issuer or the provider refused. */
const DECLINES: ReadonlySet<ErrorCode> = new Set([
  'CARD_DECLINED',
  'INSUFFICIENT_FUNDS',
  'PAYMENT_DECLINED',
  'LIMIT_EXCEEDED',
  'FRAUD_DETECTED',
]);

/** Whether a confirm failed because the card was declined. */
export function isDecline(code: ErrorCode): boolean {
  return DECLINES.has(code);
}

const WINDOW_SECONDS = HOUR_MS / SECOND_MS;
const BIN_DIGITS = 8;
/** In the sandbox declines are what people try out. */
const SANDBOX_FACTOR = 10;
/**
 * The share of declines among the confirms from which a limit holds, except that of one card: a busy shop has many declines,
 * and many confirms under way while a provider is slow, but far more approvals.
 */
const DECLINED_SHARE = 0.5;

type Kind = keyof DeclinesPerHour;
const KINDS = ['card', 'address', 'bin', 'account'] as const satisfies readonly Kind[];

type Counted = Awaited<ReturnType<ReturnType<typeof createLimiter>['penalty']>>;

interface Count {
  readonly limit: number;
  readonly declines: Counted;
  readonly takeBack: () => Promise<unknown>;
  readonly isExceeded: boolean;
}

export function createDeclineLimits(stores: LimiterStores, limits: DeclinesPerHour, keyring: Keyring): DeclineLimits {
  const limiterOf = (kind: string, points: number) =>
    createLimiter(kind, { points: Math.max(points, 1), durationSeconds: WINDOW_SECONDS }, stores);
  const limitersOf = (kind: Kind) => ({
    declines: limiterOf(`declines:${kind}`, limits[kind]),
    confirms: limiterOf(`confirms:${kind}`, limits[kind]),
  });
  const limiters = {
    card: limitersOf('card'),
    address: limitersOf('address'),
    bin: limitersOf('bin'),
    account: limitersOf('account'),
  };

  const countOne = async (kind: Kind, key: string, limit: number): Promise<Count> => {
    const { declines, confirms } = limiters[kind];
    const [declined, confirmed] = await Promise.all([
      declines.penalty(key),
      kind === 'card' ? null : confirms.penalty(key),
    ]);
    const isMostlyDeclined = confirmed === null || declined.consumedPoints > DECLINED_SHARE * confirmed.consumedPoints;
    return {
      limit,
      declines: declined,
      // Without its store a count stays until its hour ends.
      takeBack: () => declines.reward(key).catch(() => undefined),
      isExceeded: declined.consumedPoints > limit && isMostlyDeclined,
    };
  };

  return {
    async count(confirm) {
      const factor = confirm.environment === 'sandbox' ? SANDBOX_FACTOR : 1;
      const keys = keysOf(confirm, keyring);
      // Without its store a confirm goes on uncounted.
      const counted = await Promise.allSettled(
        KINDS.flatMap((kind) => {
          const key = keys[kind];
          return key === undefined || limits[kind] === 0 ? [] : [countOne(kind, key, limits[kind] * factor)];
        }),
      );
      const counts = counted.flatMap((count) => (count.status === 'fulfilled' ? [count.value] : []));
      const takeBack = async (): Promise<void> => {
        await Promise.all(counts.map((each) => each.takeBack()));
      };
      const exceeded = counts.find(({ isExceeded }) => isExceeded);
      if (exceeded === undefined) return takeBack;
      await takeBack();
      throw tooManyDeclines(exceeded);
    },
  };
}

/** Card numbers are counted by keyed digests: neither a number nor its first digits are stored. */
function keysOf({ merchantAccountId, environment, cardNumber, pageAddress }: CardConfirm, keyring: Keyring) {
  const digest = (...parts: readonly string[]): string => {
    const [newest = ''] = keyring.fingerprints(Buffer.from(JSON.stringify(['decline_limit', environment, ...parts])));
    return newest;
  };
  return {
    card: digest('card', cardNumber),
    address: pageAddress === undefined ? undefined : `${environment}:${callerOfAddress(pageAddress)}`,
    bin: digest('bin', merchantAccountId, cardNumber.slice(0, BIN_DIGITS)),
    account: merchantAccountId,
  };
}

function tooManyDeclines({ limit, declines: { msBeforeNext } }: Count): ApiError {
  const { details, retryAfterSeconds } = rateLimitExceeded({
    limit,
    remaining: 0,
    resetAtMs: Date.now() + msBeforeNext,
    exceeded: true,
  });
  return new ApiError('RATE_LIMIT_EXCEEDED', { message: 'Too many declined cards.', details, retryAfterSeconds });
}
