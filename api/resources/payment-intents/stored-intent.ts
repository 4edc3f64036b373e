import type { Database } from '../../../prisma/connection/client.ts';
import type { Admission } from '../../admission.ts';
import type { DeclineLimits } from '../../checkout-limits/decline-limits.ts';
import type { UpiRequestLimits } from '../../checkout-limits/upi-request-limits.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import {
  accountIntents,
  selectIntent,
  STORED_INTENT,
  type StoredIntent,
} from '../../../prisma/queries/payment-intent.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import type { WorkflowLinks } from '../workflow-url.ts';
import type { ListPaymentIntents } from '../../../contract/schemas/payment-intent-requests.ts';
import type { PaymentWorkflows } from '../../../workflow-client/payment-workflows.ts';
import type { CardSealer } from '../../../vault/card-keys.ts';
import type { Keyring } from '../../../vault/keyring.ts';
import type { OpenConfirms } from './open-confirms.ts';

/**
 * One intent of the account.
 * @throws ApiError `PAYMENT_INTENT_NOT_FOUND` when the account has none of that id
 */
export async function readIntent(database: Database, scope: AccountScope, id: string): Promise<StoredIntent> {
  const stored = await database.direct.row(selectIntent(requireId('paymentIntent', id), scope));
  if (stored === undefined) throw new ApiError('PAYMENT_INTENT_NOT_FOUND');
  return stored;
}

/** One page of the account's intents, newest first, and how many there are in all. */
export function listIntents(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, ...filter }: ListPaymentIntents,
): Promise<ReadPage<StoredIntent>> {
  return readPage(database, accountIntents(scope, filter), STORED_INTENT, { page, limit, startingAfter });
}

/** The dependencies of the operations on payment intents. */
export interface PaymentIntentDependencies extends WorkflowLinks {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly cards: CardSealer;
  readonly workflows: PaymentWorkflows;
  readonly declineLimits: DeclineLimits;
  readonly upiRequestLimits: UpiRequestLimits;
  readonly openConfirms: OpenConfirms;
  readonly admission: Admission;
  /** Whether card numbers are kept beyond a payment; null, or absent, for in the sandbox only. */
  readonly storeCards?: boolean | null;
  /** How long an operation waits for its outcome. */
  readonly confirmWaitMs: number;
  /** How long after a confirm its further attempts may begin. */
  readonly failoverWithinMs: number;
}
