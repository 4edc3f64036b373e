import { transactionIdOfRefund } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import { attemptsJson, intentJson } from '../fragments/payment-json.ts';
import { returning, text } from '../connection/statement.ts';

export interface UnrequestedRefund {
  /** The same for each report of the refund. */
  readonly id: string;
  readonly attemptId: string;
  readonly provider: string;
  readonly providerRefundId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** ISO 8601 UTC */
  readonly at: string;
}

/**
 * Records a refund that was made at a provider without a request, once: it has succeeded, and its money is not refundable any more.
 * Records nothing and returns no row where it is recorded already, or is more than was captured and is not refunded, or has another
 * currency.
 */
export function recordUnrequestedRefund(refund: UnrequestedRefund) {
  const { id, attemptId, provider, providerRefundId, amountMinor, currency, at } = refund;
  const transactionId = transactionIdOfRefund(id);
  return returning({ refundId: text })`
    WITH capture AS (
      SELECT t.id AS transaction_id, t.payment_intent_id, t.attempt_id, t.merchant_account_id, t.environment, t.currency,
        t.provider, t.provider_payment_id, i.version
      FROM transaction t JOIN payment_intent i ON i.id = t.payment_intent_id
      WHERE t.payment_intent_id = (SELECT payment_intent_id FROM payment_attempt WHERE payment_attempt.id = ${attemptId})
        AND t.attempt_id = ${attemptId} AND t.type = 'capture' AND t.provider = ${provider} AND t.currency = ${currency}
        AND i.amount_captured_minor - i.amount_refunded_minor >= ${amountMinor}::bigint
        AND NOT EXISTS (
          SELECT FROM refund r WHERE r.payment_intent_id = i.id AND r.provider = t.provider
            AND r.provider_refund_id = ${providerRefundId})
      ORDER BY t.created_at DESC LIMIT 1
      FOR UPDATE OF i
    ), created AS (
      INSERT INTO refund (id, payment_intent_id, transaction_id, attempt_id, merchant_account_id, environment, amount_minor,
        currency, status, metadata, provider, provider_payment_id, provider_refund_id, origin, next_due_at, created_at, updated_at)
      SELECT ${id}, payment_intent_id, transaction_id, attempt_id, merchant_account_id, environment, ${amountMinor}::bigint,
        currency, 'succeeded', '{}'::jsonb, provider, provider_payment_id, ${providerRefundId}, 'provider', NULL,
        ${at}::timestamptz, ${at}::timestamptz
      FROM capture
      ON CONFLICT (id) DO NOTHING
      RETURNING *
    ), intent AS (
      UPDATE payment_intent SET amount_refunded_minor = amount_refunded_minor + created.amount_minor,
        updated_at = GREATEST(payment_intent.updated_at, created.updated_at)
      FROM created WHERE payment_intent.id = created.payment_intent_id
      RETURNING payment_intent.*
    ), transactions AS (
      INSERT INTO transaction (id, payment_intent_id, attempt_id, merchant_account_id, environment, type, amount_minor,
        currency, provider, provider_payment_id, refund_id, created_at)
      SELECT ${transactionId}, payment_intent_id, attempt_id, merchant_account_id, environment, 'refund', amount_minor,
        currency, provider, provider_refund_id, id, created_at
      FROM created
      RETURNING *
    ), money AS (
      SELECT jsonb_build_array(jsonb_build_object('id', id, 'attemptId', attempt_id, 'type', type, 'amountMinor', amount_minor,
        'currency', currency, 'provider', provider, 'providerPaymentId', provider_payment_id,
        'refundId', refund_id)) AS list
      FROM transactions
    ), events AS (
      ${INSERT_EVENT}
      SELECT fact.id, created.merchant_account_id, created.environment, fact.type, fact.resource_id,
        created.payment_intent_id, intent.version, NULL::jsonb,
        CASE WHEN fact.resource_id = intent.id
          THEN jsonb_build_object('intent', ${intentJson('intent')}, 'attempts', ${attemptsJson(Prisma.sql`intent.id`)})
          ELSE jsonb_build_object('refund', to_jsonb(created) - 'next_due_at') END
          || jsonb_build_object('transactions', money.list), created.created_at
      FROM created JOIN intent ON intent.id = created.payment_intent_id CROSS JOIN money CROSS JOIN (VALUES
        (1, ${newId('event')}, 'refund.created', ${id}),
        (2, ${newId('event')}, 'transaction.created', ${transactionId}),
        (3, ${newId('event')}, 'refund.succeeded', ${id}),
        (4, ${newId('event')}, 'payment_intent.refunded', (SELECT id FROM intent))
      ) AS fact(ordinal, id, type, resource_id)
      ORDER BY fact.ordinal
    )
    SELECT id AS "refundId" FROM created`;
}
