import { callerOfAddress } from '../../domain/ip-address.ts';
import { LINK_OPENINGS } from '../../domain/payment-link.ts';
import type { Environment } from '../../domain/payment.ts';
import type { Database } from '../../prisma/client.ts';
import { decrementCounts, incrementCounts } from '../../prisma/queries/decline-count.ts';
import { SANDBOX_FACTOR } from './decline-limits.ts';
import { rateLimitExceeded } from '../../http/rate-limits/rate-limit.ts';

/** A link, and the address of the browser that pays by it. */
interface Opening {
  readonly environment: Environment;
  readonly paymentLinkId: string;
  readonly address: string;
}

function keyOf({ paymentLinkId, address }: Opening): string {
  return `link-openings:${paymentLinkId}:${callerOfAddress(address, 56)}`;
}

/**
 * Counts a payment that is opened and not confirmed yet.
 * @throws ApiError `RATE_LIMIT_EXCEEDED` where the address has opened too many of the link
 */
export async function countOpening({ direct }: Pick<Database, 'direct'>, opening: Opening): Promise<void> {
  const { windowMs } = LINK_OPENINGS;
  const limit = LINK_OPENINGS.limit * (opening.environment === 'sandbox' ? SANDBOX_FACTOR : 1);
  const [counted] = await direct.rows(incrementCounts([keyOf(opening)], { nowMs: Date.now(), windowMs }));
  if (counted === undefined || counted.points <= limit) return;
  throw rateLimitExceeded({ limit, remaining: 0, resetAtMs: Number(counted.expire), exceeded: true });
}

/** Takes an opened payment out of the count, because it is confirmed. */
export async function forgetOpening({ direct }: Pick<Database, 'direct'>, opening: Opening): Promise<void> {
  await direct.execute(decrementCounts([keyOf(opening)]));
}
