import { newId } from '../../domain/new-id.ts';
import type { PaymentTerms } from '../../domain/payment.ts';
import { INITIAL_STATUS } from '../../domain/payment-state.ts';
import { type AccountScope, isOwned, testClockOf } from './conditions.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_EVENT } from './insert-event.ts';
import { cardLast4, intentJson } from './payment-json.ts';

export interface NewIntent extends AccountScope {
  readonly id: string;
  readonly terms: PaymentTerms;
  readonly description: string | null;
  readonly customerId: string | null;
  /** Null, or absent, where no card is saved. */
  readonly setupFutureUsage?: string | null;
  /** Whether the page of the payment may use saved payment methods; absent for no. */
  readonly allowSavedPaymentMethods?: boolean;
  readonly paymentMethodId: string | null;
  readonly returnUrl: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** SHA-256, hex. */
  readonly clientSecretHash: string;
  readonly attemptBudget: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When the sweeper first checks that the workflow was started. */
  readonly checkAt: Date;
  /** The first line of the timeline. */
  readonly summary: string;
}

/**
 * Table expressions that write an intent with the first line of its timeline and its first event; the first is named `inserted`
 * and has the intent's row.
 * @param source the table expression, ours, which has a row if the intent may be inserted
 */
export function insertionFrom(intent: NewIntent, source: string): Prisma.Sql {
  const { terms } = intent;
  const createdAt = intent.createdAt.toISOString();
  return Prisma.sql`
    inserted AS (
      INSERT INTO payment_intent (id, merchant_account_id, environment, amount_minor, currency, status, reference, description,
        customer_id, country, capture_method, setup_future_usage, allow_saved_payment_methods, payment_method_id, card_last4, return_url, metadata, client_secret_hash, attempt_budget,
        expires_at, test_clock_seconds, next_due_at, status_since, created_at, updated_at)
      SELECT ${intent.id}, ${intent.merchantAccountId}, ${intent.environment}, ${terms.amountMinor}::bigint,
        ${terms.currency}, ${INITIAL_STATUS}, ${terms.reference ?? null}, ${intent.description}, ${intent.customerId}, ${terms.country},
        ${terms.captureMethod}, ${intent.setupFutureUsage ?? null}, ${intent.allowSavedPaymentMethods ?? false}, ${intent.paymentMethodId}, ${cardLast4(Prisma.sql`${intent.paymentMethodId}`)}, ${intent.returnUrl},
        ${JSON.stringify(intent.metadata)}::jsonb, ${intent.clientSecretHash}, ${intent.attemptBudget}::int,
        ${intent.expiresAt.toISOString()}::timestamptz, ${testClockOf(intent)}, ${intent.checkAt.toISOString()}::timestamptz,
        ${createdAt}::timestamptz, ${createdAt}::timestamptz, ${createdAt}::timestamptz
      FROM ${Prisma.raw(source)}
      ON CONFLICT (id) DO NOTHING
      RETURNING *
    ), timeline AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, at)
      SELECT id, version, 0, 'created', ${intent.summary}, created_at FROM inserted
    ), events AS (
      ${INSERT_EVENT}
      SELECT ${newId('event')}, merchant_account_id, environment, 'payment_intent.created', id, id, version, NULL::jsonb,
        jsonb_build_object('intent', ${intentJson('inserted')}, 'attempts', '[]'::jsonb), created_at
      FROM inserted
    )`;
}

/**
 * A table expression named `payer` that has a row if there is no customer, or the customer belongs to the account. It locks the
 * customer against deletion until the statement has committed.
 */
export function lockPayer(account: AccountScope, customerId: string | null): Prisma.Sql {
  return customerId === null
    ? Prisma.sql`payer AS (SELECT 1)`
    : Prisma.sql`payer AS MATERIALIZED (
        SELECT id FROM customer
        WHERE ${isOwned(customerId, account)}
        FOR KEY SHARE
      )`;
}
