import type { PaymentMethodType } from '../../../domain/payment.ts';
import type { IntentRow, IntentSnapshot } from '../../../presenters/payment-intent.ts';
import type { MaskedPaymentMethod } from '../../../vault/masking.ts';
import type { PaymentIntentInput } from '../../../workflows/messages.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { attemptsOf } from '../../../presenters/columns.ts';
import type { Database } from '../../../prisma/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import { type AccountScope, readPage, type ReadPage } from '../lists.ts';
import { createdBetween, ofAccount, withValues } from '../../../prisma/conditions.ts';
import { NEWEST_FIRST } from '../../../prisma/queries/list.ts';
import { storableId } from '../row-scope.ts';
import type { ListPaymentIntents } from '../../schemas/payment-intent-requests.ts';
import type { PaymentWorkflows } from '../../../workflows/client/payment-workflows.ts';
import type { Keyring } from '../../../vault/keyring.ts';

/** An intent as it is read for a response. */
export interface StoredIntent extends IntentSnapshot {
  readonly paymentMethod: { readonly type: PaymentMethodType; readonly masked: MaskedPaymentMethod } | null;
}

/** The input of the intent's workflow. */
export function workflowInputOf(intent: IntentRow): PaymentIntentInput {
  return {
    paymentIntentId: intent.id,
    merchantAccountId: intent.merchant_account_id,
    environment: intent.environment,
    terms: {
      amountMinor: intent.amount_minor,
      currency: intent.currency,
      country: intent.country,
      captureMethod: intent.capture_method,
    },
    expiresAt: new Date(intent.expires_at).toISOString(),
    attemptBudget: intent.attempt_budget,
  };
}

const INTENT_COLUMNS = Prisma.sql`
  to_jsonb(r) - 'client_secret_hash' AS intent, ${attemptsOf('r.id')} AS attempts,
  (SELECT jsonb_build_object('type', m.type, 'masked', m.masked)
    FROM payment_method m WHERE m.id = r.payment_method_id) AS "paymentMethod"`;

/**
 * One intent of the account.
 * @throws ApiError `PAYMENT_INTENT_NOT_FOUND` when the account has none of that id
 */
export async function readIntent(database: Database, scope: AccountScope, id: string): Promise<StoredIntent> {
  const [stored] = await database.direct.query<StoredIntent[]>`
    SELECT ${INTENT_COLUMNS} FROM payment_intent r
    WHERE id = ${storableId('paymentIntent', id)} AND ${ofAccount(scope)} AND environment = ${scope.environment}`;
  if (stored === undefined) throw new ApiError('PAYMENT_INTENT_NOT_FOUND');
  return stored;
}

/** One page of the account's intents, newest first, and how many there are in all. */
export function listIntents(
  database: Database,
  scope: AccountScope,
  { page, limit, status, customerId, currency, createdAfter, createdBefore }: ListPaymentIntents,
): Promise<ReadPage<StoredIntent>> {
  const conditions = [
    ofAccount(scope),
    ...withValues({ status, customer_id: customerId, currency }),
    ...createdBetween({ createdAfter, createdBefore }),
  ];
  const listed = { table: 'payment_intent', conditions, order: NEWEST_FIRST };
  return readPage(database, listed, INTENT_COLUMNS, { page, limit });
}

/** The dependencies of the operations on payment intents. */
export interface PaymentIntentDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly workflows: PaymentWorkflows;
  /** How long an operation waits for its outcome. */
  readonly confirmWaitMs: number;
}
