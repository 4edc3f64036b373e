import { callersOfAddress } from '../../domain/ip-address.ts';
import { LINK_OPENINGS } from '../../domain/payment-link.ts';
import type { Environment } from '../../domain/payment.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { decrementCounts, incrementCounts } from '../../prisma/queries/decline-count.ts';
import { SANDBOX_FACTOR } from './decline-limits.ts';
import { rateLimitExceeded } from '../../http/rate-limits/rate-limit.ts';

/** A link, and the address of the browser that pays by it. */
interface Opening {
  readonly environment: Environment;
  readonly paymentLinkId: string;
  readonly address: string;
}

function countersOf({ paymentLinkId, address }: Opening) {
  return callersOfAddress(address).map(({ caller, factor }) => ({
    key: `link-openings:${paymentLinkId}:${caller}`,
    factor,
  }));
}

/**
 * Counts a payment that is opened and not confirmed yet.
 * @throws ApiError `RATE_LIMIT_EXCEEDED` where the address has opened too many of the link
 */
export async function countOpening({ direct }: Pick<Database, 'direct'>, opening: Opening): Promise<void> {
  const { windowMs } = LINK_OPENINGS;
  const ofCaller = LINK_OPENINGS.limit * (opening.environment === 'sandbox' ? SANDBOX_FACTOR : 1);
  const counters = countersOf(opening);
  const keys = counters.map(({ key }) => key);
  for (const { key, points, expire } of await direct.rows(incrementCounts(keys, { nowMs: Date.now(), windowMs }))) {
    const limit = ofCaller * (counters.find((each) => each.key === key)?.factor ?? 1);
    if (points > limit) throw rateLimitExceeded({ limit, remaining: 0, resetAtMs: Number(expire), exceeded: true });
  }
}

/** Takes an opened payment out of the count, because it is confirmed. */
export async function forgetOpening({ direct }: Pick<Database, 'direct'>, opening: Opening): Promise<void> {
  await direct.execute(decrementCounts(countersOf(opening).map(({ key }) => key)));
}
