import type { SavedMethodUse } from '../../domain/saved-payment-method.ts';
import { isId, type ResourceKind } from '../../domain/ids.ts';
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
} from '../../domain/payment.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import {
  type AccountScope,
  type AmountRange,
  amountWithin,
  type CreationTimes,
  isOfScope,
  isOwned,
  withValues,
} from '../fragments/conditions.ts';
import { type PaymentIntent, Prisma } from '../generated/client.ts';
import { insertionFrom, lockPayer, type NewIntent } from '../fragments/insert-intent.ts';
import type { JsonRow, Narrowed } from '../fragments/json-row.ts';
import { type AttemptRow, attemptsJson, intentJson } from '../fragments/payment-json.ts';
import { json, nullable, returning, type Statement, text, timestamp } from '../connection/statement.ts';
import { foundAccountRows, type FoundRows, type ListedRows, namedAccountRows } from './list.ts';
import type { RefundRow } from './refund.ts';

/** An intent as JSON: what is read for responses, and the snapshot that events store. */
export type IntentRow = Narrowed<
  Omit<
    JsonRow<PaymentIntent>,
    'client_secret_hash' | 'workflow_run_id' | 'next_due_at' | 'card_last4' | 'test_clock_seconds' | 'retried'
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
  }
>;

/** An intent as it is read for a response. */
export interface StoredIntent {
  readonly intent: IntentRow;
  readonly attempts: readonly AttemptRow[];
  readonly paymentMethod: {
    readonly type: PaymentMethodType;
    readonly masked: MaskedPaymentMethod;
    /** The saved payment method that it was saved as, or refers to. */
    readonly savedId?: string | null;
    /** How the payment uses the one that it refers to. */
    readonly savedUse?: SavedMethodUse | null;
  } | null;
}

/** An intent as it is read for a response, from a row that is called `r`. */
export const STORED_INTENT = returning<StoredIntent>({
  intent: json<IntentRow>(),
  attempts: json<readonly AttemptRow[]>(),
  paymentMethod: nullable(json<NonNullable<StoredIntent['paymentMethod']>>()),
})`
  ${intentJson('r')} AS intent, ${attemptsJson(Prisma.sql`r.id`)} AS attempts,
  (SELECT jsonb_build_object('type', m.type, 'masked', m.masked, 'savedId', m.saved_payment_method_id, 'savedUse', m.saved_use)
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
  /** Of an attempt, or of a last failure. */
  readonly errorCode?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly status?: string | undefined;
  readonly customerId?: string | undefined;
  readonly currency?: string | undefined;
  readonly paymentLinkId?: string | undefined;
  /** Whether a confirm has gone on after a decline. */
  readonly retried?: boolean | undefined;
}

/** The list of an account's payment intents. */
export function accountIntents(scope: AccountScope, filter: AccountIntentFilter): ListedRows {
  const {
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
    paymentLinkId,
    retried,
    ...times
  } = filter;
  const conditions = [
    ...(id === undefined ? [] : [paymentsOfAnyId(id)]),
    ...withValues({ reference, status, customer_id: customerId, currency }),
    ...amountWithin({ amountMin, amountMax }),
    ...(retried === undefined ? [] : [retried ? Prisma.sql`retried` : Prisma.sql`NOT retried`]),
  ];
  const [found, ...others] = findersOf({ paymentLinkId, last4, errorCode });
  if (found !== undefined) {
    const further = [...conditions, ...others.map(isFoundToo), ...withPairs(metadata)];
    return namedAccountRows('payment_intent', scope, found, { conditions: further, times });
  }
  const listed = foundAccountRows('payment_intent', scope, { metadata, conditions, times });
  const combinesIndexes = conditions.length > 1 && reference !== undefined;
  return combinesIndexes || (id ?? amountMin ?? amountMax) !== undefined
    ? { ...listed, dependsOnValues: true }
    : listed;
}

/** The tables in which payments are found by these filters; a list is in the order of the first one. */
function findersOf({
  paymentLinkId,
  last4,
  errorCode,
}: Pick<AccountIntentFilter, 'paymentLinkId' | 'last4' | 'errorCode'>): readonly FoundRows[] {
  return [
    ...(paymentLinkId === undefined
      ? []
      : [{ foundIn: 'payment_link_payment', values: { payment_link_id: paymentLinkId } }]),
    ...(last4 === undefined ? [] : [{ foundIn: 'payment_card', values: { last4 } }]),
    ...(errorCode === undefined ? [] : [{ foundIn: 'payment_error_code', values: { code: errorCode } }]),
  ];
}

/** Whether another of these tables has the payment too. */
function isFoundToo({ foundIn, values }: FoundRows): Prisma.Sql {
  const conditions = [Prisma.sql`other.id = payment_intent.id`, ...withValues(values)];
  return Prisma.sql`EXISTS (SELECT FROM ${Prisma.raw(foundIn)} other WHERE ${Prisma.join(conditions, ' AND ')})`;
}

function withPairs(metadata: AccountIntentFilter['metadata']): readonly Prisma.Sql[] {
  return metadata === undefined ? [] : [Prisma.sql`metadata @> ${JSON.stringify(metadata)}::jsonb`];
}

type Subquery = (id: string) => Prisma.Sql;

/** The payments that a resource belongs to, by the kind of its id. */
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

/**
 * Writes an intent with the first line of its timeline and its first event. It writes nothing and returns no row where the
 * intent exists already, or its customer no longer does.
 */
export function insertIntent(intent: NewIntent): Statement<{ intent: IntentRow }> {
  return returning({ intent: json<IntentRow>() })`
    WITH ${lockPayer(intent, intent.customerId)}, ${insertionFrom(intent, 'payer')}
    SELECT ${intentJson('inserted')} AS intent FROM inserted`;
}

export interface NewIntentUpdate extends AccountScope {
  readonly id: string;
  readonly paymentIntentId: string;
  /** The changes, by the names of the API. */
  readonly changes: JsonObject;
  /** The payment's customer after the update; null if it stays the same. */
  readonly customerId: string | null;
}

/** Stores an update (PATCH) for the intent's workflow to apply; stores nothing if the account has no such intent or customer. */
export function insertIntentUpdate(update: NewIntentUpdate): Prisma.Sql {
  return Prisma.sql`
    WITH ${lockPayer(update, update.customerId)}
    INSERT INTO payment_intent_update (id, payment_intent_id, changes)
    SELECT ${update.id}, i.id, ${JSON.stringify(update.changes)}::jsonb
    FROM payer, payment_intent i WHERE ${isOwned(update.paymentIntentId, update, 'i')}`;
}

/** The timeline entries and the events of an account's intent, newest first. Within one version, the events come before the entries of the same step. */
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
    ORDER BY version DESC, source DESC, place DESC LIMIT ${atMost}`;
}
