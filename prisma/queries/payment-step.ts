import type { AttemptOpening } from '../../domain/attempt-opening.ts';
import { countCardDeclines } from '../fragments/card-declines.ts';
import { actorOfSupport } from '../../domain/audit.ts';
import { newId } from '../../domain/new-id.ts';
import { retryThatMade } from '../../domain/decline-retries.ts';
import { type Attempt, openAttemptOf } from '../../domain/payment.ts';
import { isOffSession } from '../../domain/saved-payment-method.ts';
import { CHECK_AFTER_MS, type NewEvent, type PaymentRecord, type PaymentStep } from '../../domain/payment-step.ts';
import { advisoryJson } from '../fragments/advisory-reason.ts';
import { HAS_LAPSED, mayBegin } from '../fragments/attempt-opening.ts';
import { disputeJson } from '../fragments/dispute-json.ts';
import { isKeptFromDeletion } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_AUDIT_EVENT } from '../fragments/insert-audit-event.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import { cardLast4, intentJson, jsonParameter } from '../fragments/payment-json.ts';
import { insertSavedMethodEvents } from '../fragments/saved-payment-method-json.ts';
import { nullable, returning, type RowOf, text } from '../connection/statement.ts';
import { credentialsWith, insertPendingCredential, upsertSavedMethod } from './saved-payment-method.ts';
import { insertStrayCharge, STRAY_CHARGE_REPORTED_AGAIN } from './stray-charge.ts';

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
  /** Set where the step opens an attempt. Nothing is written if the attempt may not begin. */
  readonly opens?: {
    readonly provider: string;
    /** Null if an earlier call may have charged, so that the attempt has to be recorded: only its provider has to exist. */
    readonly opening: AttemptOpening | null;
    /** The return URL that all calls of the attempt send; the payment has it from then on. */
    readonly returnUrl: string | null;
  };
  /** Set where the step is the intention of a capture that was never sent. Nothing is written if the hold has lapsed. */
  readonly capturesHold?: true;
}

/** The metrics' labels of the payment whose step was written: its environment, and the type of its latest payment method. */
export type WrittenStep = RowOf<ReturnType<typeof writeStep>>;

/**
 * Writes one step: the intent's row, attempts, transactions, timeline, events, the operation and provider health. Erases the CVC that
 * is no longer needed. It changes nothing, and returns no row, where the row is at another version.
 */
export function writeStep(write: StepWrite) {
  const { step, after, stepId } = write;
  const health = healthOf(step);
  return returning({ environment: text, method: nullable(text) })`
    WITH updated AS (${updateIntent(write)})
      ${upsertDispute(step)},
      attempts AS (${upsertAttempts(step)}),
      transactions AS (${insertTransactions(step)}),
      timeline AS (${insertTimeline(step, stepId)}),
      events AS (${insertEvents(step, after.attempts)}),
      operation AS (${upsertOperation(step)}),
      erased AS (${deleteCvc(step)}),
      failing AS (${countFailures(health)}),
      recovered AS (${deleteFailures(health)})
      ${updateReportedCard(step)}
      ${saveCard(write)}
      ${noteUse(write)}
      ${invalidateRefused(write)}
      ${endStrayCharge(write)}
      ${ageQuotes(step)}
      ${suspectCharge(write)}
      ${insertReportedCharges(write)}
      ${insertAudit(step)}
      ${countCardDeclines(step.attempts ?? [], write.at)}
    SELECT environment, (SELECT type FROM payment_method WHERE id = updated.payment_method_id) AS method
    FROM updated`;
}

/** Stores the masked card that a token stands for. A card that was entered by its number keeps its details. */
function updateReportedCard({ reportedCard }: PaymentStep): Prisma.Sql {
  if (reportedCard === undefined) return Prisma.empty;
  const { paymentMethodId, card } = reportedCard;
  return Prisma.sql`, card AS (
      UPDATE payment_method SET masked = ${jsonParameter(card)}::jsonb FROM updated
      WHERE payment_method.id = ${paymentMethodId} AND payment_method.payment_intent_id = updated.id
        AND payment_method.token_provider IS NOT NULL
    )`;
}

/**
 * Saves the card of an approved attempt for its customer, if the customer has agreed. A card that the customer has saved already
 * keeps its row: the unique index makes simultaneous saves wait for each other, and the later one changes the row of the earlier
 * one. The provider's token is read later, by the workflow of the saved payment method.
 */
function saveCard({ step, stepId, after: { version, paymentIntentId } }: StepWrite): Prisma.Sql {
  const approved = step.attempts?.find(({ outcome }) => outcome === 'approved');
  if (approved === undefined) return Prisma.empty;
  const { id: attemptId, provider, paymentMethodId } = approved;
  return Prisma.sql`, saved AS (
      ${upsertSavedMethod(paymentMethodId)}
    ), refers AS (
      UPDATE payment_method SET saved_payment_method_id = saved.id FROM saved WHERE payment_method.id = ${paymentMethodId}
    ), credential AS (
      ${insertPendingCredential('saved', { attemptId, provider })}
    ), saved_event AS (
      ${insertSavedMethodEvents('saved', 'payment_method.saved', credentialsWith(Prisma.sql`saved.id`, { provider, status: 'pending' }))}
    ), saved_entry AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at, step_id)
      SELECT ${paymentIntentId}, ${version}::int, ${step.timeline.length + 1}::int, 'decision',
        'The card is saved for the customer as ' || saved.id, NULL::jsonb, saved.updated_at, ${stepId}
      FROM saved
    )`;
}

/** A further table expression, or nothing where the step approves no attempt with a saved payment method. */
function noteUse({ step }: StepWrite): Prisma.Sql {
  const used = step.attempts?.find(({ outcome, savedUse }) => outcome === 'approved' && savedUse != null);
  if (used === undefined) return Prisma.empty;
  return Prisma.sql`, used AS (
      UPDATE saved_payment_method SET last_used_at = updated.updated_at
      FROM updated JOIN payment_method paid ON paid.id = ${used.paymentMethodId} AND paid.payment_intent_id = updated.id
        AND paid.saved_use IS NOT NULL
      WHERE saved_payment_method.id = paid.saved_payment_method_id
    )`;
}

/**
 * Makes a saved payment method invalid that was refused for good when the merchant charged it; further table expressions, or nothing
 * where the step ends no such attempt. A customer who is present may have been refused for another reason, and sees it.
 */
function invalidateRefused({ step, stepId, after: { version, paymentIntentId } }: StepWrite): Prisma.Sql {
  const refused = step.attempts?.find(({ advice, savedUse }) => advice === 'never' && isOffSession(savedUse));
  if (refused === undefined) return Prisma.empty;
  return Prisma.sql`, refused AS (
      UPDATE saved_payment_method m SET status = 'invalid', status_reason = 'issuer_refused', is_default = false,
        version = m.version + 1, updated_at = updated.updated_at
      FROM updated JOIN payment_method charged ON charged.id = ${refused.paymentMethodId}
        AND charged.payment_intent_id = updated.id AND charged.saved_use IS NOT NULL
      WHERE m.id = charged.saved_payment_method_id AND m.status = 'active'
      RETURNING m.*
    ), refused_event AS (
      ${insertSavedMethodEvents('refused', 'payment_method.invalidated')}
    ), refused_entry AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at, step_id)
      SELECT ${paymentIntentId}, ${version}::int, ${step.timeline.length + 1}::int, 'decision',
        'The saved payment method ' || refused.id || ' is invalid: its issuer refuses it for good', NULL::jsonb, refused.updated_at,
        ${stepId}
      FROM refused
    )`;
}

function updateIntent(write: StepWrite): Prisma.Sql {
  const { step, after, runId, at, opens, capturesHold } = write;
  const { columns, version, paymentIntentId } = after;
  const checkAt = new Date(Date.parse(at) + CHECK_AFTER_MS).toISOString();
  return Prisma.sql`
    UPDATE payment_intent SET
      status = ${columns.status},
      status_since = ${after.statusSince}::timestamptz,
      ${ageIntent(step)}
      ${noteDispute(write)}
      payment_method_id = COALESCE(${columns.paymentMethodId}, payment_method_id),
      card_last4 = CASE WHEN ${columns.paymentMethodId}::text <> COALESCE(payment_method_id, '')
        THEN ${cardLast4(Prisma.sql`${columns.paymentMethodId}`)}
        ELSE COALESCE(card_last4, ${step.reportedCard?.card.last4 ?? null}) END,
      provider = ${columns.provider},
      next_action = ${jsonParameter(columns.nextAction)}::jsonb,
      last_error = ${jsonParameter(columns.lastError)}::jsonb,
      advisory = ${advisoryJson(columns.advisory, Prisma.sql`${columns.provider}::text`)},
      cancellation_reason = ${columns.cancellationReason},
      amount_capturable_minor = ${columns.amountCapturableMinor},
      amount_captured_minor = ${columns.amountCapturedMinor},
      capture_before = ${columns.captureBefore}::timestamptz,
      version = ${version}::int,
      workflow_run_id = ${runId},
      next_due_at = ${checkAt}::timestamptz,
      ${opens === undefined ? Prisma.empty : Prisma.sql`return_url = ${opens.returnUrl},`}
      ${isRetry(write) ? Prisma.sql`retried = true,` : Prisma.empty}
      updated_at = ${at}::timestamptz
    WHERE id = ${paymentIntentId} AND version = ${version - 1}::int
      ${opens === undefined ? Prisma.empty : Prisma.sql`AND ${mayOpen(opens)}`}
      ${capturesHold === true ? Prisma.sql`AND NOT ${HAS_LAPSED}` : Prisma.empty}
    RETURNING *`;
}

/** Whether the step opens an attempt after another one of its confirm was declined. */
function isRetry({ step: { attempts = [] }, after }: StepWrite): boolean {
  const open = openAttemptOf(attempts);
  return open !== undefined && retryThatMade(after.attempts, open) !== null;
}

function mayOpen({ provider, opening }: NonNullable<StepWrite['opens']>): Prisma.Sql {
  return opening === null ? isKeptFromDeletion(provider) : mayBegin(opening);
}

function upsertAttempts({ attempts = [] }: PaymentStep): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO payment_attempt (id, payment_intent_id, number, route_id, provider, payment_method_id, amount_minor,
      currency, tries, outcome, code, advice, network_code, provider_payment_id, started_at, finished_at, saved_use, operation_id)
    SELECT a.id, updated.id, a.number, a."routeId", a.provider, a."paymentMethodId", a."amountMinor",
      a.currency, a.tries, a.outcome, a.code, a.advice, a."networkCode", a."providerPaymentId", a."startedAt", a."finishedAt", a."savedUse", a."operationId"
    FROM updated, jsonb_to_recordset(${jsonParameter(attempts)}::jsonb) AS a(id text, number int, "routeId" text,
      provider text, "paymentMethodId" text, "amountMinor" bigint, currency text, tries int, outcome text, code text,
      advice text, "networkCode" text, "providerPaymentId" text, "startedAt" timestamptz, "finishedAt" timestamptz, "savedUse" text, "operationId" text)
    ON CONFLICT (id) DO UPDATE SET tries = GREATEST(payment_attempt.tries, excluded.tries), outcome = excluded.outcome,
      code = excluded.code, advice = excluded.advice, network_code = excluded.network_code, finished_at = excluded.finished_at,
      provider_payment_id = COALESCE(excluded.provider_payment_id, payment_attempt.provider_payment_id)`;
}

function insertTransactions({ transactions = [] }: PaymentStep): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO transaction (id, payment_intent_id, attempt_id, merchant_account_id, environment, type, amount_minor,
      currency, provider, provider_payment_id, created_at)
    SELECT t.id, updated.id, t."attemptId", updated.merchant_account_id, updated.environment, t.type, t."amountMinor",
      t.currency, t.provider, t."providerPaymentId", updated.updated_at
    FROM updated, jsonb_to_recordset(${jsonParameter(transactions)}::jsonb) AS t(id text, "attemptId" text, type text,
      "amountMinor" bigint, currency text, provider text, "providerPaymentId" text)`;
}

function insertTimeline({ timeline }: PaymentStep, stepId: string): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at, step_id)
    SELECT updated.id, updated.version, entry.ordinal, entry.value->>'kind', entry.value->>'summary',
      entry.value->'details', updated.updated_at, ${stepId}
    FROM updated, jsonb_array_elements(${jsonParameter(timeline)}::jsonb) WITH ORDINALITY AS entry(value, ordinal)`;
}

/** @param attempts all attempts of the payment after the step */
function insertEvents(step: PaymentStep, attempts: readonly Attempt[]): Prisma.Sql {
  const { events = [], transactions = [] } = step;
  return Prisma.sql`
    ${INSERT_EVENT}
    SELECT e.value->>'id', updated.merchant_account_id, updated.environment, e.value->>'type',
      COALESCE(e.value->>'transactionId', e.value->>'disputeId', updated.id), updated.id, updated.version, e.value->'failure',
      jsonb_build_object('intent', ${intentJson('updated')}, 'attempts', ${jsonParameter(attempts)}::jsonb,
        'transactions', ${jsonParameter(transactions)}::jsonb)
        || jsonb_strip_nulls(jsonb_build_object('strayCharge', e.value->'strayCharge', 'fraudWarning', e.value->'fraudWarning'))
        ${disputeInSnapshot(step)},
      updated.updated_at
    FROM updated, jsonb_array_elements(${jsonParameter(events.map(withId))}::jsonb) WITH ORDINALITY AS e(value, ordinal)
    ORDER BY e.ordinal`;
}

function withId(event: NewEvent): NewEvent & { readonly id: string } {
  return { id: newId('event'), ...event };
}

function upsertOperation({ operation }: PaymentStep): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO payment_operation (id, payment_intent_id, kind, request, result, last_code, created_at)
    SELECT o.id, updated.id, o.kind, o.request, o.result, o."lastCode", updated.updated_at
    FROM updated, jsonb_to_recordset(${jsonParameter(operation === undefined ? [] : [operation])}::jsonb)
      AS o(id text, kind text, request jsonb, result jsonb, "lastCode" text)
    ON CONFLICT (id) DO UPDATE SET result = COALESCE(excluded.result, payment_operation.result),
      last_code = excluded.last_code
      WHERE payment_operation.payment_intent_id = excluded.payment_intent_id`;
}

/** Deletes the CVC that this step names. A trigger deletes those that are left once the payment is authorized or has ended. */
function deleteCvc({ eraseCvcOf }: PaymentStep): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM payment_method_cvc USING updated
    WHERE payment_method_cvc.payment_intent_id = updated.id AND payment_method_cvc.payment_method_id = ${eraseCvcOf ?? null}`;
}

/** How many failures in a row open a provider's circuit. */
export const FAILURES_TO_OPEN = 5;
/** How long the circuit stays open. */
const OPEN_FOR_SECONDS = 30;

/** A table expression named `h`: which providers answered in the step, and which did not. */
function healthOf({ providerHealth = [] }: PaymentStep): Prisma.Sql {
  return Prisma.sql`jsonb_to_recordset(${jsonParameter(providerHealth)}::jsonb) AS h(provider text, available boolean)`;
}

function countFailures(health: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO provider_health AS health (provider, environment, consecutive_failures, open_until, failing_since)
    SELECT h.provider, updated.environment, 1, updated.updated_at, updated.updated_at
    FROM updated, ${health}
    WHERE NOT h.available
    ON CONFLICT (provider, environment) DO UPDATE SET
      consecutive_failures = health.consecutive_failures + 1,
      open_until = CASE WHEN health.consecutive_failures + 1 >= ${FAILURES_TO_OPEN}
        THEN excluded.open_until + make_interval(secs => ${OPEN_FOR_SECONDS}) ELSE health.open_until END`;
}

function deleteFailures(health: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM provider_health health
    USING updated, ${health}
    WHERE h.available AND health.provider = h.provider AND health.environment = updated.environment`;
}

/** A further table expression, or nothing if the step suspects no stray charge. */
function suspectCharge({ step, after: { paymentIntentId } }: StepWrite): Prisma.Sql {
  if (step.suspectedCharge === undefined) return Prisma.empty;
  const { attemptId } = step.suspectedCharge;
  return Prisma.sql`, suspected_charge AS (
      ${insertStrayCharge({ attemptId, paymentIntentId }, Prisma.sql`AND EXISTS (SELECT FROM updated)`)}
    )`;
}

/**
 * A further table expression, or nothing if the step ends no attempt without money. The workflow may have received the report of
 * a charge after it had decided on that end, and before the end is recorded: then nobody else would notice the stray charge.
 */
function insertReportedCharges({ step, after }: StepWrite): Prisma.Sql {
  const uncharged = unchargedIn(step);
  const { to, suspectedCharge } = step;
  const isVoided = ({ id, outcome }: Attempt): boolean => outcome === 'approved' && id !== suspectedCharge?.attemptId;
  const voided = to === 'canceled' ? after.attempts.filter(isVoided) : [];
  const ended = [...uncharged, ...voided].map(({ id, provider, outcome }) => ({ id, provider, outcome }));
  if (ended.length === 0) return Prisma.empty;
  return Prisma.sql`, reported_charges AS (
      INSERT INTO stray_charge (attempt_id, payment_intent_id, merchant_account_id, environment, provider)
      SELECT ended.id, updated.id, updated.merchant_account_id, updated.environment, ended.provider
      FROM updated, jsonb_to_recordset(${jsonParameter(ended)}::jsonb) AS ended(id text, provider text, outcome text)
      WHERE EXISTS (
        SELECT FROM provider_event e
        WHERE e.payment_intent_id = updated.id AND e.provider = ended.provider AND e.event->>'attemptId' = ended.id
          AND e.event->'outcome'->>'kind' = 'approved'
          AND (ended.outcome <> 'approved' OR e.event->'outcome'->>'captured' = 'true')
      )
      ${STRAY_CHARGE_REPORTED_AGAIN}
    )`;
}

/** The attempts that a step ends without a charge, but for one whose charge it suspects anyway. */
function unchargedIn({ attempts = [], suspectedCharge }: PaymentStep): readonly Attempt[] {
  return attempts.filter(
    ({ id, outcome }) => outcome !== null && outcome !== 'approved' && id !== suspectedCharge?.attemptId,
  );
}

/** A further table expression, or nothing if support staff have not acted. */
function insertAudit({ audit }: PaymentStep): Prisma.Sql {
  if (audit === undefined) return Prisma.empty;
  const { action, by, change } = audit;
  const { type, id, address } = actorOfSupport(by);
  return Prisma.sql`, audited AS (
      ${INSERT_AUDIT_EVENT}
      SELECT ${newId('auditEvent')}, account.merchant_id, updated.environment, account.id, ${action}, updated.id,
        ${type}, ${id}, ${address}, NULL, ${jsonParameter(change)}::jsonb
      FROM updated JOIN merchant_account account ON account.id = updated.merchant_account_id
    )`;
}

/** Further columns, or nothing where the payment follows no test clock. */
function ageIntent({ testClockSeconds }: PaymentStep): Prisma.Sql {
  if (testClockSeconds === undefined) return Prisma.empty;
  return Prisma.sql`
      expires_at = expires_at - make_interval(secs => ${testClockSeconds}::int),
      test_clock_seconds = test_clock_seconds + ${testClockSeconds}::int,`;
}

/** Further columns, or nothing where the step reports no dispute and no warning of one. */
function noteDispute({ step, at }: StepWrite): Prisma.Sql {
  const { isDisputed, dispute } = step;
  if (isDisputed !== true) return Prisma.empty;
  const since = Prisma.sql`disputed_at = COALESCE(disputed_at, ${at}::timestamptz),`;
  if (dispute === undefined) return since;
  const { id, blockedMinor } = dispute;
  return Prisma.sql`${since}
      dispute_ids = CASE WHEN dispute_ids @> ARRAY[${id}] THEN dispute_ids ELSE array_append(dispute_ids, ${id}) END,
      amount_disputed_minor = ${blockedMinor}::bigint + COALESCE((
        SELECT sum(other.amount_blocked_minor) FROM dispute other
        WHERE other.payment_intent_id = payment_intent.id AND other.id <> ${id}
      ), 0),`;
}

/** A further table expression named `dispute_row`, or nothing where the step has no dispute. */
function upsertDispute({ dispute }: PaymentStep): Prisma.Sql {
  if (dispute === undefined) return Prisma.empty;
  const { id, attemptId, provider, providerReference, facts, reports, blockedMinor, operationEnd } = dispute;
  const isDone = Prisma.sql`dispute.operation IS NOT NULL AND (excluded.status <> 'needs_response'
          OR dispute.operation_id IS NOT DISTINCT FROM ${operationEnd?.operationId ?? null}::text)`;
  const hasSubmitted = Prisma.sql`dispute.operation = 'submit' AND ${isDone} AND ${operationEnd?.error == null}::boolean`;
  return Prisma.sql`, dispute_row AS (
      INSERT INTO dispute (id, payment_intent_id, attempt_id, merchant_account_id, environment, customer_id, provider,
        provider_reference, stage, status, reason, network_reason_code, amount_minor, currency, amount_withdrawn_minor,
        amount_blocked_minor, respond_by, is_defendable, reports, outcome_at, next_due_at, created_at, updated_at)
      SELECT ${id}, updated.id, ${attemptId}, updated.merchant_account_id, updated.environment, updated.customer_id, ${provider},
        ${providerReference}, ${facts.stage}, ${facts.status}, ${facts.reason}, ${facts.networkReasonCode},
        ${facts.amountMinor}::bigint, ${facts.currency}, ${facts.withdrawnMinor}::bigint, ${blockedMinor}::bigint,
        ${facts.respondBy}::timestamptz, ${facts.isDefendable}::boolean, ${jsonParameter(reports)}::jsonb,
        ${facts.outcomeAt}::timestamptz, updated.updated_at + interval '20 seconds', updated.updated_at, updated.updated_at
      FROM updated
      ON CONFLICT (id) DO UPDATE SET stage = excluded.stage, reason = excluded.reason,
        status = CASE WHEN dispute.operation IS NULL OR (${isDone}) THEN excluded.status ELSE dispute.status END,
        operation = CASE WHEN ${isDone} THEN NULL ELSE dispute.operation END,
        evidence_submitted_at = CASE WHEN ${hasSubmitted} THEN excluded.updated_at ELSE dispute.evidence_submitted_at END,
        last_error = CASE WHEN ${isDone} THEN ${jsonParameter(operationEnd?.error ?? null)}::jsonb ELSE dispute.last_error END,
        next_due_at = excluded.next_due_at,
        network_reason_code = excluded.network_reason_code, amount_minor = excluded.amount_minor, currency = excluded.currency,
        amount_withdrawn_minor = excluded.amount_withdrawn_minor, amount_blocked_minor = excluded.amount_blocked_minor,
        respond_by = excluded.respond_by, is_defendable = excluded.is_defendable, reports = excluded.reports,
        outcome_at = excluded.outcome_at, updated_at = excluded.updated_at
      RETURNING *
    )`;
}

/** The dispute beside the intent in the snapshots of the step's events, or nothing where the step has none. */
function disputeInSnapshot({ dispute }: PaymentStep): Prisma.Sql {
  if (dispute === undefined) return Prisma.empty;
  return Prisma.sql`|| jsonb_build_object('dispute', (SELECT ${disputeJson('dispute_row')} FROM dispute_row))`;
}

/** A further table expression, or nothing where the payment follows no test clock. */
function ageQuotes({ testClockSeconds }: PaymentStep): Prisma.Sql {
  if (testClockSeconds === undefined) return Prisma.empty;
  return Prisma.sql`, aged_quotes AS (
      UPDATE deposit_address SET quote_expires_at = quote_expires_at - make_interval(secs => ${testClockSeconds}::int)
      FROM updated WHERE deposit_address.payment_intent_id = updated.id AND deposit_address.status = 'open'
    )`;
}

/** A further table expression, or nothing where the step ends no stray charge. */
function endStrayCharge({ step, at }: StepWrite): Prisma.Sql {
  if (step.strayCharge === undefined) return Prisma.empty;
  const { attemptId, status, money } = step.strayCharge;
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
