import type { CancelRequest } from '../../../protocol/messages.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { lockPaymentLink } from '../../../prisma/queries/lock.ts';
import type { IntentRow } from '../../../prisma/queries/payment-intent.ts';
import {
  type LinkOfPayment,
  selectIdlePlace,
  selectLinkOfPayment,
  takePlaceOfLink,
} from '../../../prisma/queries/payment-link.ts';
import { callerOfAddress } from '../../../domain/ip-address.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { forgetOpening } from '../../checkout-limits/link-openings.ts';
import type { Principal } from '../../../domain/principal.ts';
import { sendUpdateToWorkflow, type UpdateDependencies } from './send-update.ts';
import { type PaymentIntentDependencies, readIntent } from './stored-intent.ts';

/** What canceling a payment of a link needs. */
export interface CancelingDependencies
  extends UpdateDependencies, Pick<PaymentIntentDependencies, 'admission' | 'confirmWaitMs'> {
  readonly workflows: UpdateDependencies['workflows'] & Pick<PaymentIntentDependencies['workflows'], 'cancel'>;
}

/** The link of a payment that is confirmed on its page; null for payments without a link, and for confirms with API keys. */
export async function linkOfConfirm(
  { direct }: Pick<Database, 'direct'>,
  { pageAddress }: Pick<Principal, 'pageAddress'>,
  paymentIntentId: string,
): Promise<LinkOfPayment | null> {
  if (pageAddress === undefined) return null;
  return (await direct.row(selectLinkOfPayment(paymentIntentId))) ?? null;
}

type Confirmer = Pick<Principal, 'merchantId' | 'merchantAccountId' | 'environment' | 'pageAddress'>;

/**
 * Takes one of the places of the payment's link for a confirm of its page: no more payments are under way than the link allows to
 * succeed. Where there is none, a payment makes room
 * that another customer has left in 3-D Secure, or that holds the link again.
 * @throws ApiError `STATE_CONFLICT` where all places are taken
 */
export async function takePlace(
  dependencies: CancelingDependencies,
  principal: Confirmer,
  { paymentIntentId, link }: { readonly paymentIntentId: string; readonly link: LinkOfPayment | null },
): Promise<void> {
  const { environment, pageAddress } = principal;
  if (link === null || pageAddress === undefined) return;
  const { paymentLinkId } = link;
  const { database } = dependencies;
  const take = async () => {
    const statement = takePlaceOfLink(paymentLinkId, paymentIntentId, callerOfAddress(pageAddress, 56));
    const [taken] = await database.direct.rowsLocked(lockPaymentLink(paymentLinkId), statement);
    return taken !== undefined;
  };
  const isTaken = (await take()) || ((await cancelIdlePlace(dependencies, principal, paymentLinkId)) && (await take()));
  if (!isTaken) {
    throw new ApiError('STATE_CONFLICT', {
      message:
        'Somebody else is paying by this link, or has paid. Load the page again to see whether it can still be paid.',
    });
  }
  await forgetOpening(database, { environment, paymentLinkId, address: pageAddress });
}

/** Cancels the payment that has been waiting for its customer too long; false where there is none. */
async function cancelIdlePlace(
  dependencies: CancelingDependencies,
  { merchantId, merchantAccountId, environment }: Confirmer,
  paymentLinkId: string,
): Promise<boolean> {
  const idle = await dependencies.database.direct.row(selectIdlePlace(paymentLinkId));
  if (idle === undefined) return false;
  const scope = { merchantAccountId, environment };
  const { intent } = await readIntent(dependencies.database, scope, idle.id);
  await cancelPaymentOfLink(dependencies, { merchantId, scope }, { intent, reason: 'abandoned' });
  return true;
}

/**
 * Cancels a payment of a link in the name of its page.
 * @throws ApiError `SERVICE_UNAVAILABLE` while too many operations are in flight, or where the workflow does not start
 */
export async function cancelPaymentOfLink(
  dependencies: CancelingDependencies,
  { merchantId, scope }: { readonly merchantId: string; readonly scope: AccountScope },
  { intent, reason }: { readonly intent: IntentRow; readonly reason: CancelRequest['reason'] },
): Promise<void> {
  const { workflows, admission, confirmWaitMs } = dependencies;
  // The page's own key for the operation: a second click repeats the first.
  const operationId = `${intent.id}:page:${intent.version}`;
  const sendUpdate = (waitMs: number) => workflows.cancel(intent.id, operationId, { reason }, waitMs);
  const release = admission.acquire(merchantId);
  try {
    const update = { name: 'cancel', principal: scope, intent, sendUpdate, respondAsync: false } as const;
    const { kind } = await sendUpdateToWorkflow(dependencies, update, Date.now() + confirmWaitMs);
    if (kind === 'not_started') throw new ApiError('SERVICE_UNAVAILABLE');
  } finally {
    release();
  }
}
