import type { Database } from '../../../prisma/client.ts';
import { lockPaymentLink } from '../../../prisma/queries/lock.ts';
import { selectLinkOfPayment, takePlaceOfLink } from '../../../prisma/queries/payment-link.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { forgetOpening } from '../../checkout-limits/link-openings.ts';
import type { Principal } from '../../../domain/principal.ts';

/**
 * Takes one of the places of the payment's link for a confirm of its page: no more payments are under way than the link allows to
 * succeed. Payments without a link, and confirms with API keys, need none.
 * @throws ApiError `STATE_CONFLICT` where all places are taken
 */
export async function takePlace(
  database: Database,
  { environment, pageAddress }: Pick<Principal, 'environment' | 'pageAddress'>,
  paymentIntentId: string,
): Promise<void> {
  if (pageAddress === undefined) return;
  const link = await database.direct.row(selectLinkOfPayment(paymentIntentId));
  if (link === undefined) return;
  const { paymentLinkId } = link;
  const [taken] = await database.direct.rowsLocked(
    lockPaymentLink(paymentLinkId),
    takePlaceOfLink(paymentLinkId, paymentIntentId),
  );
  if (taken === undefined) {
    throw new ApiError('STATE_CONFLICT', {
      message:
        'Somebody else is paying by this link, or has paid. Load the page again to see whether it can still be paid.',
    });
  }
  await forgetOpening(database, { environment, paymentLinkId, address: pageAddress });
}
