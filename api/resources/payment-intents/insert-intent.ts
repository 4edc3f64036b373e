import { formatMoney } from '../../../domain/money.ts';
import { newId } from '../../../domain/new-id.ts';
import { INITIAL_STATUS } from '../../../domain/payment-state.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/client.ts';
import { lockPayer } from '../customers/payer.ts';
import type { Principal } from '../../middleware/request-context.ts';
import type { CreatePaymentIntent } from '../../schemas/payment-intent-requests.ts';
import type { IntentRow } from '../../../presenters/payment-intent.ts';

/** When the sweeper first checks that the workflow was started; a confirm before then postpones the check. */
const CHECK_CREATED_AFTER_MS = 8 * SECOND_MS;

export interface NewIntent {
  readonly id: string;
  readonly principal: Principal;
  readonly request: CreatePaymentIntent;
  readonly country: string | null;
  readonly paymentMethodId: string | null;
  readonly clientSecretHash: string;
}

/**
 * Writes an intent with its first timeline entry and its first event, in one statement.
 * @returns undefined when the intent exists already, or its customer no longer does; nothing is written then
 */
export async function insertIntent(database: Database, intent: NewIntent): Promise<IntentRow | undefined> {
  const { id, principal, request } = intent;
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + request.expiresInSeconds * SECOND_MS);
  const checkAt = new Date(createdAt.getTime() + CHECK_CREATED_AFTER_MS);
  const summary = `Created: ${formatMoney(request.amount, request.currency)}, ${request.captureMethod} capture`;

  const [inserted] = await database.direct.query<{ intent: IntentRow }[]>`
    WITH ${lockPayer(principal, request.customerId ?? null)}, inserted AS (
      INSERT INTO payment_intent (id, merchant_account_id, environment, amount_minor, currency, status, description,
        customer_id, country, capture_method, payment_method_id, return_url, metadata, client_secret_hash, attempt_budget,
        expires_at, next_due_at, status_since, created_at, updated_at)
      SELECT ${id}, ${principal.merchantAccountId}, ${principal.environment}, ${request.amount}::bigint, ${request.currency},
        ${INITIAL_STATUS}, ${request.description ?? null}, ${request.customerId ?? null}, ${intent.country},
        ${request.captureMethod}, ${intent.paymentMethodId}, ${request.returnUrl ?? null},
        ${JSON.stringify(request.metadata)}::jsonb, ${intent.clientSecretHash}, ${principal.attemptBudget}::int,
        ${expiresAt.toISOString()}::timestamptz, ${checkAt.toISOString()}::timestamptz,
        ${createdAt.toISOString()}::timestamptz, ${createdAt.toISOString()}::timestamptz,
        ${createdAt.toISOString()}::timestamptz
      FROM payer
      ON CONFLICT (id) DO NOTHING
      RETURNING *
    ), timeline AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, at)
      SELECT id, version, 0, 'created', ${summary}, created_at FROM inserted
    ), events AS (
      INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, snapshot,
        created_at)
      SELECT ${newId('event')}, merchant_account_id, environment, 'payment_intent.created', id, id, version,
        jsonb_build_object('intent', to_jsonb(inserted) - '{client_secret_hash,next_due_at}'::text[], 'attempts', '[]'::jsonb), created_at
      FROM inserted
    )
    SELECT to_jsonb(inserted) - 'client_secret_hash' AS intent FROM inserted`;
  return inserted?.intent;
}
