import { newId } from '../../domain/new-id.ts';
import type { StoredOperation } from '../../domain/operation.ts';
import type { Attempt, CaptureMethod, PaymentTerms } from '../../domain/payment.ts';
import { CHECK_AFTER_MS, type IntentColumns, type PaymentRecord, type PaymentStep } from '../../domain/payment-step.ts';
import { isTerminal } from '../../domain/payment-state.ts';
import type { StrayChargeChange } from '../../domain/stray-charge.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';

/** A payment as recorded, with what is needed to record its next step. */
export interface StoredPayment {
  readonly record: PaymentRecord;
  /** The workflow run that the payment belongs to; null before the first step. */
  readonly runId: string | null;
  /** Which of the named steps are recorded already. */
  readonly recordedSteps: readonly string[];
  /** Operations without an answer, and those that the query names. */
  readonly operations: readonly StoredOperation[];
  /** The merchant's own data that providers receive; it stays out of Temporal's histories. */
  readonly merchantData: { readonly returnUrl: string | null; readonly metadata: Readonly<Record<string, string>> };
  /** Whether a stray charge of the payment is not reversed yet. */
  readonly hasStrayCharge: boolean;
}

export interface PaymentQuery {
  readonly paymentIntentId: string;
  readonly stepIds?: readonly string[];
  readonly operationIds?: readonly string[];
}

/** A step to write. */
export interface StepWrite {
  readonly step: PaymentStep;
  /** The payment after the step. */
  readonly after: PaymentRecord;
  /** Identifies the step, so that a repeat is recognised. */
  readonly stepId: string;
  /** The workflow run that the payment belongs to from now on; null where no run has written it yet. */
  readonly runId: string | null;
  /** ISO 8601 UTC */
  readonly at: string;
}

/** A stored update (PATCH) to apply. */
export interface PaymentUpdateWrite extends Omit<StepWrite, 'step' | 'after'> {
  readonly paymentIntentId: string;
  readonly paymentUpdateId: string;
  readonly fromVersion: number;
}

/** A charge for an attempt that had ended without one. */
export interface StrayChargeReference {
  readonly attemptId: string;
  readonly paymentIntentId: string;
}

/** Reads payments and writes their steps, each in one statement. */
export interface PaymentStore {
  /** Null when there is no such intent. */
  read(query: PaymentQuery): Promise<StoredPayment | null>;
  /** Writes a step over the version before it; false when the row has another version. */
  write(write: StepWrite): Promise<boolean>;
  /** Applies a stored update and deletes it; null when it does not exist, or the payment's row has another version. */
  applyUpdate(write: PaymentUpdateWrite): Promise<PaymentTerms | null>;
  /** Records a stray charge, once, so that it is reversed. */
  noteStrayCharge(charge: StrayChargeReference): Promise<void>;
}

export function createPaymentStore(database: Database): PaymentStore {
  return {
    read: (query) => readPayment(database, query),
    write: async (write) => (await database.direct.execute(stepStatement(write))) > 0,
    applyUpdate: (write) => applyPaymentUpdate(database, write),
    noteStrayCharge: (charge) => noteStrayCharge(database, charge),
  };
}

interface PaymentRow {
  readonly version: number;
  readonly runId: string | null;
  readonly terms: PaymentTerms;
  readonly columns: IntentColumns;
  readonly attempts: readonly Attempt[];
  readonly statusSince: Date;
  readonly recordedSteps: readonly string[];
  readonly operations: readonly StoredOperation[];
  readonly returnUrl: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly hasStrayCharge: boolean;
}

async function readPayment(
  database: Database,
  { paymentIntentId, stepIds = [], operationIds = [] }: PaymentQuery,
): Promise<StoredPayment | null> {
  const [row] = await database.direct.query<PaymentRow[]>`
    SELECT i.version, i.workflow_run_id AS "runId", i.status_since AS "statusSince", i.return_url AS "returnUrl", i.metadata,
      jsonb_build_object('amountMinor', i.amount_minor, 'currency', i.currency, 'country', i.country,
        'captureMethod', i.capture_method) AS terms,
      jsonb_build_object('status', i.status, 'paymentMethodId', i.payment_method_id, 'provider', i.provider,
        'nextAction', i.next_action, 'lastError', i.last_error, 'advisory', i.advisory,
        'cancellationReason', i.cancellation_reason, 'amountCapturableMinor', i.amount_capturable_minor,
        'amountCapturedMinor', i.amount_captured_minor) AS columns,
      (SELECT COALESCE(jsonb_agg(jsonb_build_object(
          'id', a.id, 'number', a.number, 'routeId', a.route_id, 'provider', a.provider,
          'paymentMethodId', a.payment_method_id, 'amountMinor', a.amount_minor, 'currency', a.currency,
          'tries', a.tries, 'outcome', a.outcome, 'code', a.code, 'providerPaymentId', a.provider_payment_id,
          'startedAt', ${isoText('a.started_at')}, 'finishedAt', ${isoText('a.finished_at')},
          'operationId', a.operation_id) ORDER BY a.number), '[]')
        FROM payment_attempt a WHERE a.payment_intent_id = i.id) AS attempts,
      ARRAY(SELECT DISTINCT t.step_id FROM timeline_entry t
        WHERE t.payment_intent_id = i.id AND t.step_id = ANY(${stepIds}::text[])) AS "recordedSteps",
      (SELECT COALESCE(jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'request', o.request, 'result', o.result)
          ORDER BY o.created_at), '[]')
        FROM payment_operation o
        WHERE o.payment_intent_id = i.id AND (o.result IS NULL OR o.id = ANY(${operationIds}::text[]))) AS operations,
      EXISTS (SELECT FROM stray_charge s WHERE s.payment_intent_id = i.id AND s.status IN ('pending', 'failed')) AS "hasStrayCharge"
    FROM payment_intent i WHERE i.id = ${paymentIntentId}`;
  return row === undefined ? null : storedOf(paymentIntentId, row);
}

function storedOf(paymentIntentId: string, row: PaymentRow): StoredPayment {
  const { version, terms, columns, attempts, statusSince } = row;
  return {
    record: { paymentIntentId, version, terms, columns, attempts, statusSince: statusSince.toISOString() },
    runId: row.runId,
    recordedSteps: row.recordedSteps,
    operations: row.operations,
    merchantData: { returnUrl: row.returnUrl, metadata: row.metadata },
    hasStrayCharge: row.hasStrayCharge,
  };
}

/** A time as the API and histories write it. */
function isoText(column: string): Prisma.Sql {
  return Prisma.sql`to_char(${Prisma.raw(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** How many failures in a row open a provider's circuit, and for how long. */
const CIRCUIT = { failuresToOpen: 5, openForSeconds: 30 } as const;

/**
 * The statement that writes one step: the intent's row, attempts, transactions, timeline, events, the operation, provider
 * health, and the CVC that is no longer needed. It changes nothing where the row is at another version.
 */
function stepStatement({ step, after, stepId, runId, at }: StepWrite): Prisma.Sql {
  const events = (step.events ?? []).map((event) => ({ id: newId('event'), ...event }));
  const { columns, attempts, version, paymentIntentId } = after;
  const checkAt = new Date(Date.parse(at) + CHECK_AFTER_MS).toISOString();
  return Prisma.sql`
    WITH updated AS (
      UPDATE payment_intent SET
        status = ${columns.status},
        status_since = ${after.statusSince}::timestamptz,
        payment_method_id = COALESCE(${columns.paymentMethodId}, payment_method_id),
        provider = ${columns.provider},
        next_action = ${json(columns.nextAction)}::jsonb,
        last_error = ${json(columns.lastError)}::jsonb,
        advisory = ${json(columns.advisory)}::jsonb,
        cancellation_reason = ${columns.cancellationReason},
        amount_capturable_minor = ${columns.amountCapturableMinor},
        amount_captured_minor = ${columns.amountCapturedMinor},
        version = ${version}::int,
        workflow_run_id = ${runId},
        next_due_at = ${checkAt}::timestamptz,
        updated_at = ${at}::timestamptz
      WHERE id = ${paymentIntentId} AND version = ${version - 1}::int
      RETURNING *
    ), attempts AS (
      INSERT INTO payment_attempt (id, payment_intent_id, number, route_id, provider, payment_method_id, amount_minor,
        currency, tries, outcome, code, provider_payment_id, started_at, finished_at, operation_id)
      SELECT a.id, updated.id, a.number, a."routeId", a.provider, a."paymentMethodId", a."amountMinor",
        a.currency, a.tries, a.outcome, a.code, a."providerPaymentId", a."startedAt", a."finishedAt", a."operationId"
      FROM updated, jsonb_to_recordset(${json(step.attempts ?? [])}::jsonb) AS a(id text, number int, "routeId" text,
        provider text, "paymentMethodId" text, "amountMinor" bigint, currency text, tries int, outcome text, code text,
        "providerPaymentId" text, "startedAt" timestamptz, "finishedAt" timestamptz, "operationId" text)
      ON CONFLICT (id) DO UPDATE SET tries = GREATEST(payment_attempt.tries, excluded.tries), outcome = excluded.outcome,
        code = excluded.code, finished_at = excluded.finished_at,
        provider_payment_id = COALESCE(excluded.provider_payment_id, payment_attempt.provider_payment_id)
    ), transactions AS (
      INSERT INTO transaction (id, payment_intent_id, attempt_id, merchant_account_id, environment, type, amount_minor,
        currency, provider, provider_payment_id, created_at)
      SELECT t.id, updated.id, t."attemptId", updated.merchant_account_id, updated.environment, t.type, t."amountMinor",
        t.currency, t.provider, t."providerPaymentId", updated.updated_at
      FROM updated, jsonb_to_recordset(${json(step.transactions ?? [])}::jsonb) AS t(id text, "attemptId" text, type text,
        "amountMinor" bigint, currency text, provider text, "providerPaymentId" text)
    ), timeline AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at, step_id)
      SELECT updated.id, updated.version, entry.ordinal, entry.value->>'kind', entry.value->>'summary',
        entry.value->'details', updated.updated_at, ${stepId}
      FROM updated, jsonb_array_elements(${json(step.timeline)}::jsonb) WITH ORDINALITY AS entry(value, ordinal)
    ), events AS (
      INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, failure,
        snapshot, created_at)
      SELECT e.value->>'id', updated.merchant_account_id, updated.environment, e.value->>'type',
        COALESCE(e.value->>'transactionId', updated.id), updated.id, updated.version, e.value->'failure',
        jsonb_build_object('intent', to_jsonb(updated) - '{client_secret_hash,workflow_run_id,next_due_at}'::text[],
          'attempts', ${json(attempts)}::jsonb, 'transactions', ${json(step.transactions ?? [])}::jsonb)
          || jsonb_strip_nulls(jsonb_build_object('strayCharge', e.value->'strayCharge')),
        updated.updated_at
      FROM updated, jsonb_array_elements(${json(events)}::jsonb) WITH ORDINALITY AS e(value, ordinal)
      ORDER BY e.ordinal
    ), operation AS (
      INSERT INTO payment_operation (id, payment_intent_id, kind, request, result, last_code, created_at)
      SELECT o.id, updated.id, o.kind, o.request, o.result, o."lastCode", updated.updated_at
      FROM updated, jsonb_to_recordset(${json(operationsOf(step))}::jsonb)
        AS o(id text, kind text, request jsonb, result jsonb, "lastCode" text)
      ON CONFLICT (id) DO UPDATE SET result = COALESCE(excluded.result, payment_operation.result),
        last_code = excluded.last_code
    ), erased AS (
      UPDATE payment_method SET cvc_ciphertext = NULL FROM updated
      WHERE payment_method.payment_intent_id = updated.id
        AND (payment_method.id = ${step.eraseCvcOf ?? null} OR ${isTerminal(columns.status)})
    ), failing AS (
      INSERT INTO provider_health AS health (provider, environment, consecutive_failures, open_until)
      SELECT h.provider, updated.environment, 1, updated.updated_at
      FROM updated, jsonb_to_recordset(${json(step.providerHealth ?? [])}::jsonb) AS h(provider text, available boolean)
      WHERE NOT h.available
      ON CONFLICT (provider, environment) DO UPDATE SET
        consecutive_failures = health.consecutive_failures + 1,
        open_until = CASE WHEN health.consecutive_failures + 1 >= ${CIRCUIT.failuresToOpen}
          THEN excluded.open_until + make_interval(secs => ${CIRCUIT.openForSeconds}) ELSE health.open_until END
    ), recovered AS (
      DELETE FROM provider_health health
      USING updated, jsonb_to_recordset(${json(step.providerHealth ?? [])}::jsonb) AS h(provider text, available boolean)
      WHERE h.available AND health.provider = h.provider AND health.environment = updated.environment
    ) ${strayChargeEnd(step.strayCharge, at)}
    SELECT 1 FROM updated`;
}

/** The part of the statement that ends a stray charge; empty for steps that end none. */
function strayChargeEnd(change: StrayChargeChange | undefined, at: string): Prisma.Sql {
  if (change === undefined) return Prisma.empty;
  const { attemptId, status, money } = change;
  return Prisma.sql`, stray_charge_end AS (
      UPDATE stray_charge SET
        status = ${status},
        provider_payment_id = ${money?.providerPaymentId ?? null},
        amount_minor = ${money?.amountMinor ?? null}::bigint,
        currency = ${money?.currency ?? null},
        next_due_at = ${at}::timestamptz + interval '20 seconds',
        updated_at = ${at}::timestamptz
      FROM updated WHERE stray_charge.attempt_id = ${attemptId} AND stray_charge.payment_intent_id = updated.id
    )`;
}

function operationsOf({ operation }: PaymentStep): readonly object[] {
  return operation === undefined ? [] : [operation];
}

interface TermsRow {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly country: string | null;
  readonly captureMethod: CaptureMethod;
}

async function applyPaymentUpdate(
  database: Database,
  { paymentIntentId, paymentUpdateId, fromVersion, stepId, runId, at }: PaymentUpdateWrite,
): Promise<PaymentTerms | null> {
  const [terms] = await database.direct.query<TermsRow[]>`
    WITH stored_update AS (
      SELECT changes FROM payment_intent_amendment WHERE id = ${paymentUpdateId} AND payment_intent_id = ${paymentIntentId}
    ), updated AS (
      UPDATE payment_intent SET
        amount_minor = COALESCE((changes->>'amountMinor')::bigint, amount_minor),
        currency = COALESCE(changes->>'currency', currency),
        country = CASE WHEN changes ? 'country' THEN changes->>'country' ELSE country END,
        customer_id = CASE WHEN changes ? 'customerId' THEN changes->>'customerId' ELSE customer_id END,
        capture_method = COALESCE(changes->>'captureMethod', capture_method),
        description = CASE WHEN changes ? 'description' THEN changes->>'description' ELSE description END,
        return_url = CASE WHEN changes ? 'returnUrl' THEN changes->>'returnUrl' ELSE return_url END,
        metadata = COALESCE(changes->'metadata', metadata),
        version = payment_intent.version + 1,
        workflow_run_id = ${runId},
        updated_at = ${at}::timestamptz
      FROM stored_update WHERE payment_intent.id = ${paymentIntentId} AND version = ${fromVersion}::int
      RETURNING payment_intent.*, changes
    ), timeline AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at, step_id)
      SELECT id, version, 1, 'amended',
        'Amended: ' || (SELECT string_agg(field, ', ' ORDER BY field) FROM jsonb_object_keys(changes) AS field),
        jsonb_build_object('amendmentId', ${paymentUpdateId}::text), updated_at, ${stepId}
      FROM updated
    ), dropped AS (
      DELETE FROM payment_intent_amendment USING updated WHERE payment_intent_amendment.id = ${paymentUpdateId}
    )
    SELECT amount_minor AS "amountMinor", currency, country, capture_method AS "captureMethod" FROM updated`;
  return terms === undefined ? null : { ...terms, amountMinor: Number(terms.amountMinor) };
}

/**
 * A stray charge that is recorded already is not changed, unless its provider had denied it: then it is pending again.
 */
export const STRAY_CHARGE_REPORTED_AGAIN = Prisma.sql`ON CONFLICT (attempt_id) DO UPDATE
  SET status = 'pending', next_due_at = now(), updated_at = now() WHERE stray_charge.status = 'unfounded'`;

async function noteStrayCharge(
  database: Database,
  { attemptId, paymentIntentId }: StrayChargeReference,
): Promise<void> {
  await database.direct.execute`
    INSERT INTO stray_charge (attempt_id, payment_intent_id, merchant_account_id, environment, provider)
    SELECT a.id, i.id, i.merchant_account_id, i.environment, a.provider
    FROM payment_attempt a JOIN payment_intent i ON i.id = a.payment_intent_id
    WHERE a.id = ${attemptId} AND i.id = ${paymentIntentId}
    ${STRAY_CHARGE_REPORTED_AGAIN}`;
}

/** A value as a parameter that is cast to jsonb. */
function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
