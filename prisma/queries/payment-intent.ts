// Raw, because intents are read and created by every payment, and each statement must be one round trip.
import { isId, type ResourceKind } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import type { JsonObject } from '../../domain/json.ts';
import type {
  Advisory,
  CancellationReason,
  CaptureMethod,
  Environment,
  LastError,
  MaskedPaymentMethod,
  NextAction,
  PaymentMethodType,
  PaymentTerms,
} from '../../domain/payment.ts';
import { INITIAL_STATUS, type PaymentStatus } from '../../domain/payment-state.ts';
import {
  type AccountScope,
  type AmountRange,
  amountWithin,
  type CreationTimes,
  isOfScope,
  isOwned,
  testClockOf,
  withValues,
} from '../conditions.ts';
import { type PaymentIntent, Prisma } from '../generated/client.ts';
import { INSERT_EVENT } from '../insert-event.ts';
import type { JsonRow, Narrowed } from '../json-row.ts';
import { type AttemptRow, attemptsJson, cardLast4, intentJson } from '../payment-json.ts';
import { json, nullable, returning, type Statement, text, timestamp } from '../statement.ts';
import { foundAccountRows, type ListedRows } from './list.ts';
import type { RefundRow } from './refund.ts';

/** An intent as JSON: what is read for responses, and the snapshot that events store. */
export type IntentRow = Narrowed<
  Omit<
    JsonRow<PaymentIntent>,
    'client_secret_hash' | 'workflow_run_id' | 'next_due_at' | 'card_last4' | 'test_clock_seconds'
  >,
  {
    readonly environment: Environment;
    readonly status: PaymentStatus;
    readonly capture_method: CaptureMethod;
    readonly next_action: NextAction | null;
    readonly last_error: LastError | null;
    readonly advisory: Advisory | null;
    readonly cancellation_reason: CancellationReason | null;
    readonly metadata: Readonly<Record<string, string>>;
    /** Absent in snapshots of earlier versions. */
    readonly reference?: string | null;
  }
>;

/** An intent as it is read for a response. */
export interface StoredIntent {
  readonly intent: IntentRow;
  readonly attempts: readonly AttemptRow[];
  readonly paymentMethod: { readonly type: PaymentMethodType; readonly masked: MaskedPaymentMethod } | null;
}

/** An intent as it is read for a response, from a row that is called `r`. */
export const STORED_INTENT = returning<StoredIntent>({
  intent: json<IntentRow>(),
  attempts: json<readonly AttemptRow[]>(),
  paymentMethod: nullable(json<NonNullable<StoredIntent['paymentMethod']>>()),
})`
  ${intentJson('r')} AS intent, ${attemptsJson(Prisma.sql`r.id`)} AS attempts,
  (SELECT jsonb_build_object('type', m.type, 'masked', m.masked)
    FROM payment_method m WHERE m.id = r.payment_method_id AND m.payment_intent_id = r.id) AS "paymentMethod"`;

/** One intent of an account. */
export function selectIntent(id: string, account: AccountScope): Statement<StoredIntent> {
  return returning(STORED_INTENT.columns)`
    SELECT ${STORED_INTENT.sql} FROM payment_intent r
    WHERE ${isOwned(id, account)}`;
}

/** Which of an account's payment intents are listed. */
export interface AccountIntentFilter extends CreationTimes, AmountRange {
  /** Of the payment, or of what belongs to it, see `paymentsOfAnyId`. */
  readonly id?: string | undefined;
  readonly reference?: string | undefined;
  readonly last4?: string | undefined;
  /** Of the last failure. */
  readonly errorCode?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly status?: string | undefined;
  readonly customerId?: string | undefined;
  readonly currency?: string | undefined;
}

/** The list of an account's payment intents. */
export function accountIntents(
  scope: AccountScope,
  {
    id,
    reference,
    last4,
    errorCode,
    metadata,
    status,
    customerId,
    currency,
    amountMin,
    amountMax,
    ...times
  }: AccountIntentFilter,
): ListedRows {
  const conditions = [
    ...(id === undefined ? [] : [paymentsOfAnyId(id)]),
    ...(errorCode === undefined ? [] : [Prisma.sql`last_error->>'code' = ${errorCode}`]),
    ...withValues({ reference, card_last4: last4, status, customer_id: customerId, currency }),
    ...amountWithin({ amountMin, amountMax }),
  ];
  const listed = foundAccountRows('payment_intent', scope, { metadata, conditions, times });
  const combinesIndexes = conditions.length > 1 && (reference ?? last4 ?? errorCode) !== undefined;
  return combinesIndexes || (id ?? amountMin ?? amountMax) !== undefined
    ? { ...listed, dependsOnValues: true }
    : listed;
}

type Subquery = (id: string) => Prisma.Sql;

/** The payments of what an id names, by the kind of id. */
const PAYMENTS_OF: Partial<Readonly<Record<ResourceKind, Subquery>>> = {
  paymentIntent: (id) => Prisma.sql`SELECT ${id}`,
  attempt: (id) => Prisma.sql`SELECT payment_intent_id FROM payment_attempt WHERE id = ${id}`,
  transaction: (id) => Prisma.sql`SELECT payment_intent_id FROM transaction WHERE id = ${id}`,
  refund: (id) => Prisma.sql`SELECT payment_intent_id FROM refund WHERE id = ${id}`,
};

const KINDS = Object.entries(PAYMENTS_OF) as readonly [ResourceKind, Subquery][];

/** The payments of which a provider calls the payment, a refund or a stray charge by this id. */
function paymentsOfProviderId(id: string): Prisma.Sql {
  return Prisma.sql`
    SELECT payment_intent_id FROM payment_attempt WHERE provider_payment_id = ${id}
    UNION ALL SELECT payment_intent_id FROM refund WHERE provider_refund_id = ${id}
    UNION ALL SELECT payment_intent_id FROM stray_charge WHERE provider_payment_id = ${id}`;
}

/** The ids of the payments that an id of anything but a customer is about. */
function paymentIdsOf(id: string): Prisma.Sql {
  const [, subquery = paymentsOfProviderId] = KINDS.find(([kind]) => isId(kind, id)) ?? [];
  return Prisma.sql`ANY (ARRAY(${subquery(id)}))`;
}

/**
 * The condition on `payment_intent` that an id is about the payment: its own id, that of an attempt, transaction, refund or
 * customer, or what a provider calls the payment, a refund or a stray charge. The caller limits the rows to an account.
 */
function paymentsOfAnyId(id: string): Prisma.Sql {
  return isId('customer', id) ? Prisma.sql`customer_id = ${id}` : Prisma.sql`id = ${paymentIdsOf(id)}`;
}

export interface NewIntent extends AccountScope {
  readonly id: string;
  readonly terms: PaymentTerms;
  readonly description: string | null;
  readonly customerId: string | null;
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
 * Writes an intent with the first line of its timeline and its first event. It writes nothing and returns no row where the
 * intent exists already, or its customer no longer does.
 */
export function insertIntent(intent: NewIntent): Statement<{ intent: IntentRow }> {
  const { terms } = intent;
  const createdAt = intent.createdAt.toISOString();
  return returning({ intent: json<IntentRow>() })`
    WITH ${lockPayer(intent, intent.customerId)}, inserted AS (
      INSERT INTO payment_intent (id, merchant_account_id, environment, amount_minor, currency, status, reference, description,
        customer_id, country, capture_method, payment_method_id, card_last4, return_url, metadata, client_secret_hash, attempt_budget,
        expires_at, test_clock_seconds, next_due_at, status_since, created_at, updated_at)
      SELECT ${intent.id}, ${intent.merchantAccountId}, ${intent.environment}, ${terms.amountMinor}::bigint,
        ${terms.currency}, ${INITIAL_STATUS}, ${terms.reference ?? null}, ${intent.description}, ${intent.customerId}, ${terms.country},
        ${terms.captureMethod}, ${intent.paymentMethodId}, ${cardLast4(Prisma.sql`${intent.paymentMethodId}`)}, ${intent.returnUrl},
        ${JSON.stringify(intent.metadata)}::jsonb, ${intent.clientSecretHash}, ${intent.attemptBudget}::int,
        ${intent.expiresAt.toISOString()}::timestamptz, ${testClockOf(intent)}, ${intent.checkAt.toISOString()}::timestamptz,
        ${createdAt}::timestamptz, ${createdAt}::timestamptz, ${createdAt}::timestamptz
      FROM payer
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
    )
    SELECT ${intentJson('inserted')} AS intent FROM inserted`;
}

export interface NewIntentUpdate extends AccountScope {
  readonly id: string;
  readonly paymentIntentId: string;
  /** What is to change, by the names of the API. */
  readonly changes: JsonObject;
  /** The customer whom the payment is to have; null where that stays as it is. */
  readonly customerId: string | null;
}

/** Stores an update (PATCH) for the intent's workflow to apply; nothing where the account has no such intent or customer. */
export function insertIntentUpdate(update: NewIntentUpdate): Prisma.Sql {
  return Prisma.sql`
    WITH ${lockPayer(update, update.customerId)}
    INSERT INTO payment_intent_amendment (id, payment_intent_id, changes)
    SELECT ${update.id}, i.id, ${JSON.stringify(update.changes)}::jsonb
    FROM payer, payment_intent i WHERE ${isOwned(update.paymentIntentId, update, 'i')}`;
}

/**
 * A table expression named `payer` that has a row if the customer belongs to the account, and locks that customer against
 * deletion until the statement has committed. Without a customer it has a row too.
 */
function lockPayer(account: AccountScope, customerId: string | null): Prisma.Sql {
  return customerId === null
    ? Prisma.sql`payer AS (SELECT 1)`
    : Prisma.sql`payer AS MATERIALIZED (
        SELECT id FROM customer
        WHERE ${isOwned(customerId, account)}
        FOR KEY SHARE
      )`;
}

/** The timeline entries and the events of an account's intent, oldest first. Within one version, the entries come before the events of the same step. */
export function selectTimeline(paymentIntentId: string, account: AccountScope, atMost: number) {
  return returning({
    at: timestamp,
    kind: text,
    summary: text,
    details: nullable(json<JsonObject>()),
    /** Set on events about a refund. */
    refund: nullable(json<RefundRow>()),
  })`
    SELECT at, kind, summary, details, refund FROM (
      SELECT at, kind, summary, details, NULL::jsonb AS refund, version, 0 AS source, ordinal::bigint AS place
      FROM timeline_entry WHERE payment_intent_id = ${paymentIntentId}
        AND EXISTS (SELECT FROM payment_intent i WHERE ${isOwned(paymentIntentId, account, 'i')})
      UNION ALL
      SELECT created_at, 'event', type, jsonb_build_object('eventId', id, 'failure', failure),
        snapshot->'refund', version, 1, insertion
      FROM event WHERE payment_intent_id = ${paymentIntentId} AND ${isOfScope(account)}
    ) AS line
    ORDER BY version, source, place LIMIT ${atMost}`;
}
