import { type AttemptOpening, OPENING_REFUSALS } from '../../domain/attempt-opening.ts';
import { OPERATION_KINDS, type StoredOperation } from '../../domain/operation.ts';
import {
  type Attempt,
  CAPTURE_METHODS,
  ENVIRONMENTS,
  type OperationResult,
  type PaymentTerms,
} from '../../domain/payment.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { IntentColumns } from '../../domain/payment-step.ts';
import { PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { OUTAGE_CODES } from '../../domain/provider-outcome.ts';
import { HAS_LAPSED, openingRefusalOf } from '../fragments/attempt-opening.ts';
import { type AccountScope, isOwned } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import {
  boolean,
  double,
  integer,
  isoText,
  json,
  nullable,
  oneOf,
  returning,
  type Statement,
  text,
  texts,
  timestamp,
} from '../connection/statement.ts';
import type { StepWrite } from './payment-step.ts';

export interface PaymentQuery {
  readonly paymentIntentId: string;
  /** The stored return URL of a confirm; absent for that of the payment. */
  readonly returnUrlId?: string;
  readonly stepIds?: readonly string[];
  readonly operationIds?: readonly string[];
}

/** A payment, which of the named steps are recorded, and its operations: those without an answer, and those that are named. */
export function selectPayment({ paymentIntentId, returnUrlId, stepIds = [], operationIds = [] }: PaymentQuery) {
  return returning({
    environment: oneOf(ENVIRONMENTS),
    version: integer,
    runId: nullable(text),
    statusSince: timestamp,
    expiresAt: timestamp,
    returnUrl: nullable(text),
    metadata: json<Readonly<Record<string, string>>>(),
    terms: json<PaymentTerms>(),
    columns: json<IntentColumns>(),
    attempts: json<readonly Attempt[]>(),
    recordedSteps: texts,
    operations: json<readonly StoredOperation[]>(),
    hasStrayCharge: boolean,
  })`
    SELECT i.environment, i.version, i.workflow_run_id AS "runId", i.status_since AS "statusSince",
      i.expires_at AS "expiresAt", ${returnUrlOf(returnUrlId)} AS "returnUrl", i.metadata,
      jsonb_build_object('amountMinor', i.amount_minor, 'currency', i.currency, 'country', i.country,
        'captureMethod', i.capture_method, 'reference', i.reference) AS terms,
      jsonb_build_object('status', i.status, 'paymentMethodId', i.payment_method_id, 'provider', i.provider,
        'nextAction', i.next_action, 'lastError', i.last_error, 'advisory', i.advisory,
        'cancellationReason', i.cancellation_reason, 'amountCapturableMinor', i.amount_capturable_minor,
        'amountCapturedMinor', i.amount_captured_minor, 'captureBefore', ${isoText('i.capture_before')}) AS columns,
      (SELECT COALESCE(jsonb_agg(jsonb_build_object(
          'id', a.id, 'number', a.number, 'routeId', a.route_id, 'provider', a.provider,
          'paymentMethodId', a.payment_method_id, 'amountMinor', a.amount_minor, 'currency', a.currency,
          'tries', a.tries, 'outcome', a.outcome, 'code', a.code, 'advice', a.advice, 'networkCode', a.network_code,
          'providerPaymentId', a.provider_payment_id,
          'startedAt', ${isoText('a.started_at')}, 'finishedAt', ${isoText('a.finished_at')},
          'savedUse', a.saved_use, 'operationId', a.operation_id) ORDER BY a.number), '[]')
        FROM payment_attempt a WHERE a.payment_intent_id = i.id) AS attempts,
      ARRAY(SELECT DISTINCT t.step_id FROM timeline_entry t
        WHERE t.payment_intent_id = i.id AND t.step_id = ANY(${stepIds}::text[])) AS "recordedSteps",
      (SELECT COALESCE(jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'request', o.request, 'result', o.result)
          ORDER BY o.created_at), '[]')
        FROM payment_operation o
        WHERE o.payment_intent_id = i.id AND (o.result IS NULL OR o.id = ANY(${operationIds}::text[]))) AS operations,
      EXISTS (SELECT FROM stray_charge s WHERE s.payment_intent_id = i.id AND s.status IN ('pending', 'failed')) AS "hasStrayCharge"
    FROM payment_intent i WHERE i.id = ${paymentIntentId}`;
}

/** The return URL that a confirm has stored for its attempts, else that of the payment `i`. */
function returnUrlOf(returnUrlId: string | undefined): Prisma.Sql {
  if (returnUrlId === undefined) return Prisma.sql`i.return_url`;
  return Prisma.sql`COALESCE((SELECT u.changes->>'returnUrl' FROM payment_intent_update u
    WHERE u.id = ${returnUrlId} AND u.payment_intent_id = i.id), i.return_url)`;
}

/** Why an attempt of a payment may not begin now; null where it may. */
export function selectOpeningRefusal(paymentIntentId: string, opening: AttemptOpening) {
  return returning({ refusal: nullable(oneOf(OPENING_REFUSALS)) })`
    SELECT ${openingRefusalOf(opening)} AS refusal FROM payment_intent WHERE id = ${paymentIntentId}`;
}

/** Whether the held money of a payment cannot be captured any more. */
export function selectHasLapsed(paymentIntentId: string) {
  return returning({ hasLapsed: boolean })`
    SELECT ${HAS_LAPSED} AS "hasLapsed" FROM payment_intent WHERE id = ${paymentIntentId}`;
}

/** An operation and the status of its payment, which is the account's; no row where no step has recorded it. */
export function selectOperation(paymentIntentId: string, account: AccountScope, operationId: string) {
  return returning({
    id: text,
    kind: oneOf(OPERATION_KINDS),
    request: nullable(json<JsonObject>()),
    result: nullable(json<OperationResult>()),
    /** Why the last try got no answer from the provider; null where every try got one. */
    lastCode: nullable(oneOf(OUTAGE_CODES)),
    status: oneOf(PAYMENT_STATUSES),
  })`
    SELECT o.id, o.kind, o.request, o.result, o.last_code AS "lastCode", i.status
    FROM payment_operation o JOIN payment_intent i ON i.id = o.payment_intent_id
    WHERE o.id = ${operationId} AND ${isOwned(paymentIntentId, account, 'i')}`;
}

/** The results of operations of any accounts, with the status of their payments. @param ids never from a client */
export function selectOperationResults(ids: readonly string[]) {
  return returning({
    id: text,
    kind: oneOf(OPERATION_KINDS),
    result: nullable(json<OperationResult>()),
    status: oneOf(PAYMENT_STATUSES),
  })`
    SELECT o.id, o.kind, o.result, i.status
    FROM payment_operation o JOIN payment_intent i ON i.id = o.payment_intent_id
    WHERE o.id = ANY(${ids}::text[])`;
}

/** A stored update (PATCH) to apply. */
export interface PaymentUpdateWrite extends Omit<StepWrite, 'step' | 'after'> {
  readonly paymentIntentId: string;
  readonly paymentUpdateId: string;
  readonly fromVersion: number;
}

/**
 * Applies a stored update and deletes it. It changes nothing and returns no row where there is no such update, or the payment's
 * row has another version.
 */
export function applyPaymentUpdate({
  paymentIntentId,
  paymentUpdateId,
  fromVersion,
  stepId,
  runId,
  at,
}: PaymentUpdateWrite): Statement<PaymentTerms> {
  return returning<PaymentTerms>({
    amountMinor: double,
    currency: text,
    country: nullable(text),
    captureMethod: oneOf(CAPTURE_METHODS),
    reference: nullable(text),
  })`
    WITH stored_update AS (
      SELECT changes FROM payment_intent_update WHERE id = ${paymentUpdateId} AND payment_intent_id = ${paymentIntentId}
    ), updated AS (
      UPDATE payment_intent SET
        amount_minor = COALESCE((changes->>'amountMinor')::bigint, amount_minor),
        currency = COALESCE(changes->>'currency', currency),
        country = CASE WHEN changes ? 'country' THEN changes->>'country' ELSE country END,
        customer_id = CASE WHEN changes ? 'customerId' THEN changes->>'customerId' ELSE customer_id END,
        capture_method = COALESCE(changes->>'captureMethod', capture_method),
        setup_future_usage = CASE WHEN changes ? 'setupFutureUsage' THEN changes->>'setupFutureUsage' ELSE setup_future_usage END,
        reference = CASE WHEN changes ? 'reference' THEN changes->>'reference' ELSE reference END,
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
      SELECT id, version, 1, 'updated',
        'Updated: ' || (SELECT string_agg(field, ', ' ORDER BY field) FROM jsonb_object_keys(changes) AS field),
        jsonb_build_object('updateId', ${paymentUpdateId}::text), updated_at, ${stepId}
      FROM updated
    ), dropped AS (
      DELETE FROM payment_intent_update USING updated WHERE payment_intent_update.id = ${paymentUpdateId}
    )
    SELECT amount_minor::float8 AS "amountMinor", currency, country, capture_method AS "captureMethod", reference FROM updated`;
}
