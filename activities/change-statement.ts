import { newId } from '../domain/new-id.ts';
import type { IntentColumns, PaymentChange } from '../domain/payment-change.ts';
import { isTerminal } from '../domain/payment-state.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { forgetLostSteps, isExpectedRow, json, type KnownPayment, type RowAhead } from './lost-steps.ts';

/** How many failures in a row open a provider's circuit, and for how long. */
const CIRCUIT = { failuresToOpen: 5, openForSeconds: 30 } as const;

/**
 * The statement that writes one step: the intent's row, attempts, money, story, events, provider health, and the CVC that
 * is no longer needed. It changes nothing where the row is at another version.
 * @param lost the steps that this one replaces
 */
export function changeStatement(
  change: PaymentChange,
  runId: string,
  lost?: { readonly known: KnownPayment; readonly row: RowAhead },
): Prisma.Sql {
  const events = change.events.map((event) => ({ id: newId('event'), ...event }));
  const { columns } = change;
  const expected = isExpectedRow(lost?.known ?? { ...change, summary: '' }, lost?.row);
  return Prisma.sql`
    WITH updated AS (
      UPDATE payment_intent SET
        ${assignColumns(columns)},
        version = payment_intent.version + 1,
        workflow_run_id = ${runId},
        workflow_started_at = COALESCE(workflow_started_at, ${change.at}::timestamptz),
        updated_at = ${change.at}::timestamptz
      WHERE ${expected}
      RETURNING *
    ), attempts AS (
      INSERT INTO payment_attempt (id, payment_intent_id, number, route_id, provider, payment_method_id, amount_minor,
        currency, tries, outcome, code, provider_payment_id, started_at, finished_at, called_at_once)
      SELECT a.id, updated.id, a.number, a."routeId", a.provider, a."paymentMethodId", a."amountMinor",
        a.currency, a.tries, a.outcome, a.code, a."providerPaymentId", a."startedAt", a."finishedAt",
        COALESCE(a."calledAtOnce", false)
      FROM updated, jsonb_to_recordset(${json(change.attempts)}::jsonb) AS a(id text, number int, "routeId" text,
        provider text, "paymentMethodId" text, "amountMinor" bigint, currency text, tries int, outcome text, code text,
        "providerPaymentId" text, "startedAt" timestamptz, "finishedAt" timestamptz, "calledAtOnce" boolean)
      ON CONFLICT (id) DO UPDATE SET route_id = excluded.route_id, provider = excluded.provider,
        payment_method_id = excluded.payment_method_id, amount_minor = excluded.amount_minor,
        currency = excluded.currency, tries = excluded.tries, outcome = excluded.outcome, code = excluded.code,
        provider_payment_id = excluded.provider_payment_id, started_at = excluded.started_at,
        finished_at = excluded.finished_at, called_at_once = payment_attempt.called_at_once OR excluded.called_at_once
    ), transactions AS (
      INSERT INTO transaction (id, payment_intent_id, attempt_id, merchant_account_id, environment, type, amount_minor,
        currency, provider, provider_payment_id, created_at)
      SELECT t.id, updated.id, t."attemptId", updated.merchant_account_id, updated.environment, t.type, t."amountMinor",
        t.currency, t.provider, t."providerPaymentId", updated.updated_at
      FROM updated, jsonb_to_recordset(${json(change.transactions)}::jsonb) AS t(id text, "attemptId" text, type text,
        "amountMinor" bigint, currency text, provider text, "providerPaymentId" text)
      ON CONFLICT (id) DO UPDATE SET attempt_id = excluded.attempt_id, type = excluded.type,
        amount_minor = excluded.amount_minor, currency = excluded.currency, provider = excluded.provider,
        provider_payment_id = excluded.provider_payment_id, created_at = excluded.created_at
    ), timeline AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at)
      SELECT updated.id, updated.version, entry.ordinal, entry.value->>'kind', entry.value->>'summary',
        entry.value->'details', updated.updated_at
      FROM updated, jsonb_array_elements(${json(change.timeline)}::jsonb) WITH ORDINALITY AS entry(value, ordinal)
    ), events AS (
      INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, failure,
        snapshot, created_at)
      SELECT e.value->>'id', updated.merchant_account_id, updated.environment, e.value->>'type',
        COALESCE(e.value->>'transactionId', updated.id), updated.id, updated.version, e.value->'failure',
        jsonb_build_object('intent', to_jsonb(updated) - '{client_secret_hash,workflow_run_id}'::text[],
          'attempts', ${json(change.attempts)}::jsonb, 'transactions', ${json(change.transactions)}::jsonb),
        updated.updated_at
      FROM updated, jsonb_array_elements(${json(events)}::jsonb) WITH ORDINALITY AS e(value, ordinal)
      ORDER BY e.ordinal
    ), erased AS (
      UPDATE payment_method SET cvc_ciphertext = NULL FROM updated
      WHERE payment_method.payment_intent_id = updated.id AND payment_method.cvc_ciphertext IS NOT NULL
        AND (payment_method.id = ${change.eraseCvcOf} OR ${isTerminal(columns.status)})
    ), failing AS (
      INSERT INTO provider_health AS health (provider, environment, consecutive_failures, open_until)
      SELECT h.provider, updated.environment, 1, updated.updated_at
      FROM updated, jsonb_to_recordset(${json(change.providerHealth)}::jsonb) AS h(provider text, available boolean)
      WHERE NOT h.available
      ON CONFLICT (provider, environment) DO UPDATE SET
        consecutive_failures = health.consecutive_failures + 1,
        open_until = CASE WHEN health.consecutive_failures + 1 >= ${CIRCUIT.failuresToOpen}
          THEN excluded.open_until + make_interval(secs => ${CIRCUIT.openForSeconds}) ELSE health.open_until END
    ), recovered AS (
      DELETE FROM provider_health health
      USING updated, jsonb_to_recordset(${json(change.providerHealth)}::jsonb) AS h(provider text, available boolean)
      WHERE h.available AND health.provider = h.provider AND health.environment = updated.environment
    )
    ${lost === undefined ? Prisma.empty : forgetLostSteps(lost.known, lost.row)}
    SELECT 1 FROM updated`;
}

/** The columns of an intent as a step leaves them, for `SET`. */
export function assignColumns(columns: IntentColumns): Prisma.Sql {
  return Prisma.sql`
        status = ${columns.status},
        payment_method_id = COALESCE(${columns.paymentMethodId}, payment_method_id),
        provider = ${columns.provider},
        next_action = ${json(columns.nextAction)}::jsonb,
        last_error = ${json(columns.lastError)}::jsonb,
        advisory = ${json(columns.advisory)}::jsonb,
        cancellation_reason = ${columns.cancellationReason},
        amount_capturable_minor = ${columns.amountCapturableMinor},
        amount_captured_minor = ${columns.amountCapturedMinor}`;
}
