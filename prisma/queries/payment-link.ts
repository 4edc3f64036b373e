import {
  LINK_ACTION_IDLE_MS,
  LINK_CONFIRM_MS,
  LINK_HOLD_MEMORY_MS,
  LINK_PAYMENT_EXPIRY_MS,
  LINK_PAYMENT_IDLE_MS,
} from '../../domain/payment-link.ts';
import { TERMINAL_STATUSES } from '../../domain/payment-state.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { type AccountScope, type CreationTimes, isOwned, withValues } from '../fragments/conditions.ts';
import { type PaymentLink, Prisma } from '../generated/client.ts';
import { insertionFrom, lockPayer, type NewIntent } from '../fragments/insert-intent.ts';
import { intentJson } from '../fragments/payment-json.ts';
import {
  bigint,
  boolean,
  type Columns,
  integer,
  json,
  nullable,
  returning,
  type Statement,
  text,
  texts,
  timestamp,
} from '../connection/statement.ts';
import { foundAccountRows, type ListedRows } from './list.ts';
import type { IntentRow } from './payment-intent.ts';

const ENDED = Prisma.join(TERMINAL_STATUSES);

/** How many payments of a link are opened and not confirmed at most. */
export const MAXIMUM_UNCONFIRMED_PAYMENTS = 1_000;

/** The time so long ago. */
function before(ms: number): Prisma.Sql {
  return Prisma.sql`now() - make_interval(secs => ${ms / SECOND_MS}::int)`;
}

/**
 * Whether a payment `p` of a link, whose intent is `i`, has one of the link's places: it is under way, or its confirm may still
 * begin. A payment that was only opened has none, so that opening many keeps nobody from paying.
 */
const HAS_PLACE = Prisma.sql`(p.confirmed_at IS NOT NULL AND i.status NOT IN (${ENDED})
  AND (i.status <> 'requires_payment_method'
    OR (p.confirmed_at > i.updated_at AND p.confirmed_at > ${before(LINK_CONFIRM_MS)})))`;

/**
 * Whether the customer of a payment `p`, whose intent is `i`, has held the link before: by an earlier attempt of the payment, or by
 * another payment of the same network that did not succeed. Otherwise one card after another that needs 3-D Secure would hold it on
 * and on.
 */
const IS_HELD_AGAIN = Prisma.sql`(
  EXISTS (SELECT FROM payment_attempt a WHERE a.payment_intent_id = p.id AND a.started_at < ${before(LINK_ACTION_IDLE_MS)})
  OR EXISTS (
    SELECT FROM payment_link_payment q JOIN payment_intent j ON j.id = q.id
    WHERE q.payment_link_id = p.payment_link_id AND q.id <> p.id AND q.confirmed_from = p.confirmed_from
      AND q.confirmed_at < ${before(LINK_ACTION_IDLE_MS)} AND q.confirmed_at > ${before(LINK_HOLD_MEMORY_MS)}
      AND q.created_at > ${before(LINK_HOLD_MEMORY_MS + LINK_PAYMENT_EXPIRY_MS)} AND j.status <> 'succeeded'))`;

/** A link as Prisma Client reads it, with the numbers of its payments. */
export interface StoredPaymentLink extends PaymentLink {
  /** Payments that succeeded. */
  readonly paidPayments: number;
  /** Payments that were confirmed and have not ended. */
  readonly openPayments: number;
}

const STORED_COLUMNS: Columns<StoredPaymentLink> = {
  id: text,
  merchantAccountId: text,
  environment: text,
  tokenHash: text,
  amountMinor: bigint,
  currency: text,
  description: nullable(text),
  reference: nullable(text),
  metadata: json<Prisma.JsonObject>(),
  active: boolean,
  customerId: nullable(text),
  setupFutureUsage: nullable(text),
  allowSavedPaymentMethods: boolean,
  maxPayments: nullable(integer),
  paidCount: integer,
  expiresAt: nullable(timestamp),
  createdById: nullable(text),
  createdByKeyId: nullable(text),
  version: integer,
  createdAt: timestamp,
  updatedAt: timestamp,
  paidPayments: integer,
  openPayments: integer,
};

/** The payments of the link `r` that are not counted yet and meet a condition on the intent `i`. */
function uncounted(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT count(*)::int FROM payment_link_payment p JOIN payment_intent i ON i.id = p.id
    WHERE p.payment_link_id = r.id AND p.outcome IS NULL AND ${condition})`;
}

/** A link with the numbers of its payments, from a row that is called `r`. */
export const STORED_PAYMENT_LINK = returning<StoredPaymentLink>(STORED_COLUMNS)`
  r.id, r.merchant_account_id AS "merchantAccountId", r.environment, r.token_hash AS "tokenHash", r.amount_minor AS "amountMinor",
  r.currency, r.description, r.reference, r.metadata, r.active, r.customer_id AS "customerId",
  r.setup_future_usage AS "setupFutureUsage", r.allow_saved_payment_methods AS "allowSavedPaymentMethods", r.max_payments AS "maxPayments", r.paid_count AS "paidCount",
  r.expires_at AS "expiresAt", r.created_by_id AS "createdById", r.created_by_key_id AS "createdByKeyId", r.version, r.created_at AS "createdAt", r.updated_at AS "updatedAt",
  r.paid_count + ${uncounted(Prisma.sql`i.status = 'succeeded'`)} AS "paidPayments",
  ${uncounted(HAS_PLACE)} AS "openPayments"`;

/** One link of an account. */
export function selectPaymentLink(id: string, account: AccountScope): Statement<StoredPaymentLink> {
  return returning(STORED_COLUMNS)`
    SELECT ${STORED_PAYMENT_LINK.sql} FROM payment_link r WHERE ${isOwned(id, account, 'r')}`;
}

/** Which of an account's links are listed. */
export interface AccountPaymentLinkFilter extends CreationTimes {
  readonly reference?: string | undefined;
  readonly active?: boolean | undefined;
}

/** The list of an account's links. */
export function accountPaymentLinks(
  scope: AccountScope,
  { reference, active, ...times }: AccountPaymentLinkFilter,
): ListedRows {
  const conditions = [...withValues({ reference }), ...(active === undefined ? [] : [Prisma.sql`active = ${active}`])];
  return foundAccountRows('payment_link', scope, { conditions, times });
}

/** A link with what its page needs to know of its account. */
interface LinkOfToken extends StoredPaymentLink {
  readonly merchantId: string;
  /** The account's public name, or else the merchant's name. */
  readonly merchantName: string;
  readonly color: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
  readonly returnUrl: string | null;
  readonly logoDigest: string | null;
  readonly accountStatus: string;
  /** Attempts that new payments of the account may make. */
  readonly attemptBudget: number;
  /** The methods for which the merchant has a route in the link's currency. */
  readonly methods: string[];
  /** Null where the link has no customer, or the customer was deleted. */
  readonly presentCustomerId: string | null;
  readonly customerCountry: string | null;
}

/** The link with a token, of any account: whoever has the token may pay. @param tokenHash SHA-256, hex */
export function selectLinkOfToken(tokenHash: string) {
  return returning<LinkOfToken>({
    ...STORED_COLUMNS,
    merchantId: text,
    merchantName: text,
    color: nullable(text),
    supportEmail: nullable(text),
    supportPhone: nullable(text),
    supportUrl: nullable(text),
    termsUrl: nullable(text),
    returnUrl: nullable(text),
    logoDigest: nullable(text),
    accountStatus: text,
    attemptBudget: integer,
    methods: texts,
    presentCustomerId: nullable(text),
    customerCountry: nullable(text),
  })`
    SELECT ${STORED_PAYMENT_LINK.sql}, a.merchant_id AS "merchantId",
      coalesce(a.public_name, m.name) AS "merchantName", a.color, a.support_email AS "supportEmail",
      a.support_phone AS "supportPhone", a.support_url AS "supportUrl", a.terms_url AS "termsUrl",
      a.return_url AS "returnUrl", a.logo_digest AS "logoDigest", a.status AS "accountStatus", a.attempt_budget AS "attemptBudget",
      ARRAY(
        SELECT DISTINCT t.method FROM payment_route t
        WHERE t.merchant_id = a.merchant_id AND t.environment = r.environment AND t.active
          AND (cardinality(t.currencies) = 0 OR r.currency = ANY (t.currencies))
        ORDER BY 1
      ) AS methods, c.id AS "presentCustomerId", c.country AS "customerCountry"
    FROM payment_link r JOIN merchant_account a ON a.id = r.merchant_account_id AND a.environment = r.environment
      JOIN merchant m ON m.id = a.merchant_id
      LEFT JOIN customer c ON c.id = r.customer_id AND c.merchant_account_id = r.merchant_account_id AND c.environment = r.environment
    WHERE r.token_hash = ${tokenHash}`;
}

/** The payment of a link that a visitor's page has opened. */
export function selectPaymentOfLink(
  paymentLinkId: string,
  paymentIntentId: string,
): Statement<{ clientSecretHash: string }> {
  return returning({ clientSecretHash: text })`
    SELECT i.client_secret_hash AS "clientSecretHash"
    FROM payment_link_payment p JOIN payment_intent i ON i.id = p.id
    WHERE p.id = ${paymentIntentId} AND p.payment_link_id = ${paymentLinkId}`;
}

/**
 * The payment that has had one of a link's places longest while it waits for its customer, if that is long enough to cancel it for
 * another browser, or its customer had held the link before.
 */
export function selectIdlePlace(paymentLinkId: string): Statement<{ id: string }> {
  return selectIdle(
    paymentLinkId,
    Prisma.sql`i.status = 'requires_action' AND (i.status_since < ${before(LINK_ACTION_IDLE_MS)} OR ${IS_HELD_AGAIN})`,
  );
}

/** The payment of a link that was opened first, and has no place: nobody has confirmed it, or its last confirm failed. */
export function selectIdleOpening(paymentLinkId: string): Statement<{ id: string }> {
  return selectIdle(
    paymentLinkId,
    Prisma.sql`i.status = 'requires_payment_method' AND i.expires_at > now() AND NOT ${HAS_PLACE}
      AND i.updated_at < ${before(LINK_PAYMENT_IDLE_MS)}`,
  );
}

function selectIdle(paymentLinkId: string, condition: Prisma.Sql): Statement<{ id: string }> {
  return returning({ id: text })`
    SELECT p.id FROM payment_link_payment p JOIN payment_intent i ON i.id = p.id
    WHERE p.payment_link_id = ${paymentLinkId} AND p.outcome IS NULL AND ${condition}
    ORDER BY p.created_at LIMIT 1`;
}

/**
 * Takes a place of the link for a payment that is to be confirmed, if fewer payments are paid or under way than the link allows. Run
 * it under `lockPaymentLink`.
 * @param caller the network that the confirm comes from
 * @returns no row where all places are taken
 */
export function takePlaceOfLink(
  paymentLinkId: string,
  paymentIntentId: string,
  caller: string,
): Statement<{ id: string }> {
  return returning({ id: text })`
    UPDATE payment_link_payment SET confirmed_at = now(), confirmed_from = ${caller}
    WHERE id = ${paymentIntentId} AND payment_link_id = ${paymentLinkId} AND EXISTS (
      SELECT FROM payment_link l, LATERAL (
        SELECT count(*)::int AS payments FROM payment_link_payment p JOIN payment_intent i ON i.id = p.id
        WHERE p.payment_link_id = l.id AND p.outcome IS NULL AND p.id <> ${paymentIntentId}
          AND (i.status = 'succeeded' OR ${HAS_PLACE})
      ) AS others
      WHERE l.id = ${paymentLinkId} AND (l.max_payments IS NULL OR l.paid_count + others.payments < l.max_payments))
    RETURNING id`;
}

/** The link of a payment that a link's page has opened. */
export interface LinkOfPayment {
  readonly paymentLinkId: string;
  /** How many of its payments may succeed; null for any number. */
  readonly maxPayments: number | null;
}

export function selectLinkOfPayment(paymentIntentId: string): Statement<LinkOfPayment> {
  return returning({ paymentLinkId: text, maxPayments: nullable(integer) })`
    SELECT l.id AS "paymentLinkId", l.max_payments AS "maxPayments"
    FROM payment_link_payment p JOIN payment_link l ON l.id = p.payment_link_id WHERE p.id = ${paymentIntentId}`;
}

/**
 * Has a payment counted anew after a late report of its provider has changed its end: its capture has failed after all, or was made
 * again. Run it under `lockPaymentLink`.
 */
export function recountPaymentOfLink(paymentIntentId: string): Statement<{ id: string }> {
  return returning({ id: text })`
    WITH counted AS (
      SELECT id, payment_link_id, outcome FROM payment_link_payment WHERE id = ${paymentIntentId} AND outcome IS NOT NULL
    ), recounted AS (
      UPDATE payment_link_payment p SET outcome = NULL FROM counted WHERE p.id = counted.id
    ), link AS (
      UPDATE payment_link l SET paid_count = paid_count - 1
      FROM counted WHERE l.id = counted.payment_link_id AND counted.outcome = 'paid'
    )
    SELECT id FROM counted`;
}

/**
 * Opens a payment of a link, if fewer payments are paid or under way than the link allows. Run it under `lockPaymentLink`. It also
 * records the outcomes of payments that have ended, so that few rows are left to count.
 */
export function openPaymentOfLink(paymentLinkId: string, intent: NewIntent): Statement<{ intent: IntentRow }> {
  return returning({ intent: json<IntentRow>() })`
    WITH ${lockPayer(intent, intent.customerId)}, uncounted AS MATERIALIZED (
      SELECT p.id, i.status, ${HAS_PLACE} AS has_place
      FROM payment_link_payment p JOIN payment_intent i ON i.id = p.id
      WHERE p.payment_link_id = ${paymentLinkId} AND p.outcome IS NULL
    ), ended AS (
      UPDATE payment_link_payment p SET outcome = CASE uncounted.status WHEN 'succeeded' THEN 'paid' ELSE 'unpaid' END
      FROM uncounted WHERE p.id = uncounted.id AND uncounted.status IN (${ENDED})
    ), paid AS (
      SELECT count(*)::int AS payments FROM uncounted WHERE status = 'succeeded'
    ), counted AS (
      UPDATE payment_link SET paid_count = paid_count + paid.payments FROM paid
      WHERE id = ${paymentLinkId} AND paid.payments > 0
    ), open AS (
      SELECT count(*) FILTER (WHERE has_place)::int AS places, count(*) FILTER (WHERE NOT has_place)::int AS unconfirmed
      FROM uncounted WHERE status NOT IN (${ENDED})
    ), payable AS (
      SELECT l.id FROM payment_link l, paid, open, payer
      WHERE l.id = ${paymentLinkId} AND l.merchant_account_id = ${intent.merchantAccountId}
        AND l.environment = ${intent.environment} AND l.active AND (l.expires_at IS NULL OR l.expires_at > now())
        AND open.unconfirmed < ${MAXIMUM_UNCONFIRMED_PAYMENTS}::int
        AND (l.max_payments IS NULL OR l.paid_count + paid.payments + open.places < l.max_payments)
    ), ${insertionFrom(intent, 'payable')}, opened AS (
      INSERT INTO payment_link_payment (id, payment_link_id, merchant_account_id, environment, created_at)
      SELECT id, ${paymentLinkId}, merchant_account_id, environment, created_at FROM inserted
    )
    SELECT ${intentJson('inserted')} AS intent FROM inserted`;
}
