import { v5 as uuidv5 } from 'uuid';
import { isId } from '../../domain/ids.ts';

/** A namespace of our own, for the idempotency keys, which must be UUIDs. */
const KEY_NAMESPACE = '6f0c7e0e-3d43-5a52-9d5e-0f2f3f3a6d51';

/** The idempotency key of the one payment of an attempt's order. */
export function sessionKeyOf(attemptId: string): string {
  return uuidv5(attemptId, KEY_NAMESPACE);
}

/** Cashfree takes letters and digits only. */
export function customerIdOf(attemptId: string): string {
  return attemptId.replaceAll('_', '');
}

/** The prefixes of refunds' ids at Cashfree. */
const SHORT_PREFIXES = { re: 're', stray: 'st' } as const;

/**
 * A refund's id at Cashfree: letters and digits only, at most 40 of them. The id of a stray charge is too long as it is.
 * @throws RangeError where the id is neither of a refund nor of a stray charge
 */
export function cashfreeRefundIdOf(refundId: string): string {
  const isRefund = isId('refund', refundId);
  if (!isRefund && !isId('strayCharge', refundId)) throw new RangeError(`${refundId} is no id of a refund`);
  const [, ...parts] = refundId.split('_');
  return `${isRefund ? SHORT_PREFIXES.re : SHORT_PREFIXES.stray}${parts.join('n')}`;
}

/** The refund's own id again; undefined where Cashfree's is of no refund of this engine. */
export function refundIdOf(cashfreeRefundId: string): string | undefined {
  const match = /^(re|st)([0-9a-f]{32})(?:n(\d{1,4}))?$/.exec(cashfreeRefundId);
  if (match === null) return undefined;
  const [, prefix, unique, place] = match;
  const ownPrefix = prefix === SHORT_PREFIXES.re ? 're' : 'stray';
  return [ownPrefix, unique, ...(place === undefined ? [] : [place])].join('_');
}
