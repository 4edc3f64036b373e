import { TERMINAL_STATUSES } from '../../domain/payment-state.ts';
import { markPurged } from '../fragments/event-horizon.ts';
import { Prisma } from '../generated/client.ts';
import { PARTITION_DAYS, type PartitionedTable } from './partition.ts';

interface AgingRows {
  readonly table: string;
  /** The column, or the expression of the index, with the time from which the age of a row counts. */
  readonly since: string;
  /** A further condition for deletion. */
  readonly condition?: Prisma.Sql;
  /**
   * Whether nothing changes such rows any more, so that the purge need not lock them: a lock would need the right to change rows.
   */
  readonly isFinal?: boolean;
}

const HAS_ENDED = Prisma.sql`payment_intent.status IN (${Prisma.join(TERMINAL_STATUSES)})`;

/** The rows that are deleted by age alone, or nearly so. */
const AGING_ROWS = {
  stored_responses: {
    table: 'idempotency_record',
    since: 'created_at',
    condition: Prisma.sql`(locked_until IS NULL OR locked_until < now())`,
  },
  events: {
    table: 'event',
    since: 'created_at',
    // An event is kept while it is not counted, or one of its webhooks is not planned or delivered yet.
    condition: Prisma.sql`position <= (SELECT webhook_cursor.position FROM webhook_cursor)
      AND position <= (SELECT statistics_cursor.position FROM statistics_cursor)
      AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = event.id AND d.status = 'pending')`,
  },
  ended_deliveries: {
    table: 'webhook_delivery',
    since: 'created_at',
    condition: Prisma.sql`status NOT IN ('pending', 'failed')`,
  },
  all_deliveries: { table: 'webhook_delivery', since: 'created_at' },
  provider_events: {
    table: 'provider_event',
    since: 'received_at',
    // Inquiries read the reports of providers that cannot be asked, and a capture counts the earlier ones that were refused.
    condition: hasEndedOrIsGone('provider_event'),
  },
  ended_api_keys: {
    table: 'api_key',
    since: 'LEAST(revoked_at, expires_at)',
    condition: Prisma.sql`(revoked_at IS NOT NULL OR expires_at IS NOT NULL)`,
    isFinal: true,
  },
  key_uses: { table: 'api_key_use', since: 'last_at', isFinal: true },
  policy_reports: { table: 'policy_report', since: 'last_at', isFinal: true },
  request_nonces: { table: 'request_nonce', since: 'created_at' },
  // An open attempt may still need it, and must not forget that it was closed.
  customer_returns: {
    table: 'customer_return',
    since: 'created_at',
    condition: hasEndedOrIsGone('customer_return'),
  },
  payment_updates: { table: 'payment_intent_update', since: 'created_at' },
  operations: {
    table: 'payment_operation',
    since: 'created_at',
    // A run that takes the payment over has to answer open operations.
    condition: Prisma.sql`(result IS NOT NULL OR ${hasEndedOrIsGone('payment_operation')})`,
  },
  audit_events: { table: 'audit_event', since: 'created_at', isFinal: true },
  platform_audit_events: { table: 'platform_audit_event', since: 'created_at', isFinal: true },
  logged_requests: { table: 'request_log', since: 'created_at', isFinal: true },
  reconciliation_runs: {
    table: 'reconciliation_run',
    since: 'started_at',
    // The next run of a provider goes on where the last completed one ended.
    condition: Prisma.sql`(status <> 'completed' OR NOT is_continuous OR EXISTS (
        SELECT FROM reconciliation_run later
        WHERE later.provider = reconciliation_run.provider AND later.window_to > reconciliation_run.window_to
          AND later.status = 'completed' AND later.is_continuous
      ))`,
  },
  // Their entries are deleted with them by foreign key.
  settlements: { table: 'settlement', since: 'created_at' },
  // Those that are in no settlement, too.
  settlement_entries: { table: 'settlement_entry', since: 'created_at' },
  settlement_imports: { table: 'settlement_import', since: 'started_at' },
  ended_sessions: { table: 'person_session', since: 'expires_at', isFinal: true },
  ended_verifications: { table: 'person_verification', since: 'expires_at', isFinal: true },
  ended_invitations: { table: 'invitation', since: 'expires_at', isFinal: true },
  // Whoever never confirmed the e-mail address may be somebody else than its owner.
  unverified_persons: {
    table: 'person',
    since: 'created_at',
    condition: Prisma.sql`NOT email_verified AND NOT EXISTS (SELECT FROM membership m WHERE m.person_id = person.id)`,
    isFinal: true,
  },
  statistics: { table: 'payment_statistic', since: 'starts_at' },
  approval_rates: { table: 'approval_rate', since: 'updated_at' },
  detached_payment_methods: {
    table: 'saved_payment_method',
    since: 'updated_at',
    // Its workflow may still have to remove what a provider has.
    condition: Prisma.sql`status = 'detached' AND next_due_at IS NULL`,
  },
  stray_charges: {
    table: 'stray_charge',
    since: 'updated_at',
    condition: Prisma.sql`status NOT IN ('pending', 'failed')`,
  },
} as const satisfies Readonly<Record<string, AgingRows>>;

/** Whether the payment of a row has ended. Reads one payment for each row; `NOT EXISTS` would read all payments for a batch. */
function hasEndedOrIsGone(table: 'customer_return' | 'payment_operation' | 'provider_event'): Prisma.Sql {
  return Prisma.sql`COALESCE((
      SELECT ${HAS_ENDED} FROM payment_intent WHERE payment_intent.id = ${Prisma.raw(table)}.payment_intent_id
    ), true)`;
}

/** Rows to delete when they are older than `keepDays`. */
export interface RetentionRule {
  readonly rows: keyof typeof AGING_ROWS;
  readonly keepDays: number;
}

/**
 * Deletes the oldest rows that a rule does not keep. The next run of the purge deletes those that are locked. In a table with
 * partitions these are rows whose partition was not dropped, although it could have been for a day.
 */
export function deleteOld({ rows, keepDays }: RetentionRule, limit: number): Prisma.Sql {
  const { table, since, condition = Prisma.sql`true`, isFinal = false }: AgingRows = AGING_ROWS[rows];
  const isPartitioned = table in PARTITION_DAYS;
  const partitionDays = isPartitioned ? PARTITION_DAYS[table as PartitionedTable] + 1 : 0;
  // The same ctid exists in each partition.
  const key = Prisma.raw(isPartitioned ? 'id' : 'ctid');
  const deletion = Prisma.sql`
    DELETE FROM ${Prisma.raw(table)}
    WHERE ${key} = ANY (ARRAY(
      SELECT ${key} FROM ${Prisma.raw(table)}
      WHERE ${Prisma.raw(since)} < ${daysAgo(keepDays + partitionDays)} AND ${condition}
      ORDER BY ${Prisma.raw(since)}
      LIMIT ${limit}
      ${isFinal ? Prisma.empty : Prisma.sql`FOR UPDATE SKIP LOCKED`}
    ))`;
  return rows === 'events' ? raisingHorizon(deletion) : deletion;
}

/** Raises the horizon, so that readers whose cursor is before it learn of the gap. The result counts events only. */
function raisingHorizon(deletion: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH deleted AS (${deletion} RETURNING merchant_account_id, sequence),
      marked AS (${markPurged(Prisma.sql`deleted`)})
    SELECT FROM deleted`;
}

/** When the purge erases card data. */
export interface CardDataAges {
  readonly hoursAfterExpiry: number;
  /** Days after the end of the payment, or after the method's creation if there is no payment. */
  readonly daysAfterEnd: number;
  readonly limit: number;
}

/**
 * Erases CVCs whose payment has ended, expired some hours ago or does not exist: they are not needed any more. A safeguard, for
 * steps and a trigger erase them in time.
 */
export function eraseSecurityCodes(after: CardDataAges): Prisma.Sql {
  return deleteUseless('payment_method_cvc', after);
}

/** The same for the digests of cards. */
export function deleteCardDigests(after: CardDataAges): Prisma.Sql {
  return deleteUseless('card_digest', after);
}

/** The same for cards that were to be saved. */
export function deleteUnsavedCards(after: CardDataAges): Prisma.Sql {
  return deleteUseless('payment_method_save', after);
}

function deleteUseless(
  table: 'payment_method_cvc' | 'card_digest' | 'payment_method_save',
  after: CardDataAges,
): Prisma.Sql {
  const name = Prisma.raw(table);
  return Prisma.sql`
    DELETE FROM ${name}
    WHERE payment_method_id IN (
      SELECT code.payment_method_id FROM ${name} code
      LEFT JOIN payment_intent ON payment_intent.id = code.payment_intent_id
      WHERE ${isUseless(after)}
      LIMIT ${after.limit}
      FOR UPDATE OF code SKIP LOCKED
    )`;
}

/** Whether the CVC or the digest in a row named `code` is not needed any more. */
function isUseless({ hoursAfterExpiry, daysAfterEnd }: CardDataAges): Prisma.Sql {
  return Prisma.sql`(
    ${HAS_ENDED}
    OR payment_intent.expires_at < now() - make_interval(hours => ${hoursAfterExpiry}::int)
    OR (payment_intent.id IS NULL AND code.created_at < ${daysAgo(daysAfterEnd)})
  )`;
}

/** Erases the payment methods of payments that have ended. The masked details are kept as long as the payment. */
export function erasePaymentMethods({ daysAfterEnd, limit }: Omit<CardDataAges, 'hoursAfterExpiry'>): Prisma.Sql {
  const cutOff = daysAgo(daysAfterEnd);
  return Prisma.sql`
    UPDATE payment_method SET ciphertext = NULL
    WHERE id IN (
      SELECT payment_method.id FROM payment_method
      JOIN payment_intent ON payment_intent.id = payment_method.payment_intent_id
      WHERE payment_method.ciphertext IS NOT NULL AND payment_method.created_at < ${cutOff}
        AND ${HAS_ENDED} AND payment_intent.updated_at < ${cutOff}
      LIMIT ${limit}
      FOR UPDATE OF payment_method SKIP LOCKED
    )`;
}

/**
 * Deletes the payment methods of payments that do not exist: the creation of the payment failed after it had stored them. Reads one
 * payment for each row; a join would read all payments for a batch.
 */
export function deleteUnusedPaymentMethods({
  daysAfterEnd,
  limit,
}: Omit<CardDataAges, 'hoursAfterExpiry'>): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM payment_method
    WHERE id IN (
      SELECT payment_method.id FROM payment_method
      WHERE payment_method.ciphertext IS NOT NULL AND payment_method.created_at < ${daysAgo(daysAfterEnd)}
        AND (SELECT true FROM payment_intent WHERE payment_intent.id = payment_method.payment_intent_id) IS NULL
      LIMIT ${limit}
      FOR UPDATE OF payment_method SKIP LOCKED
    )`;
}

/** Deletes the files of answers to disputes that ended so many days ago. */
export function deleteDisputeFiles({ daysAfterEnd, limit }: Omit<CardDataAges, 'hoursAfterExpiry'>): Prisma.Sql {
  const cutOff = daysAgo(daysAfterEnd);
  return Prisma.sql`
    DELETE FROM dispute_file
    WHERE (dispute_id, kind) IN (
      SELECT f.dispute_id, f.kind FROM dispute_file f JOIN dispute ON dispute.id = f.dispute_id
      WHERE f.created_at < ${cutOff} AND dispute.outcome_at < ${cutOff}
      LIMIT ${limit}
      FOR UPDATE OF f SKIP LOCKED
    )`;
}

/** Erases the texts of answers to disputes that ended so many days ago. */
export function eraseDisputeEvidence({ daysAfterEnd, limit }: Omit<CardDataAges, 'hoursAfterExpiry'>): Prisma.Sql {
  return Prisma.sql`
    UPDATE dispute SET evidence = '{}'::jsonb
    WHERE id IN (
      SELECT id FROM dispute
      WHERE evidence <> '{}'::jsonb AND outcome_at < ${daysAgo(daysAfterEnd)}
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )`;
}

/** Deletes counts of rate limits whose window ended so long ago. The column holds milliseconds since 1970. */
export function deleteRateLimits({ afterMs, limit }: { readonly afterMs: number; readonly limit: number }): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM rate_limit
    WHERE key IN (
      SELECT key FROM rate_limit
      WHERE expire < (extract(epoch FROM now()) * 1000)::bigint - ${afterMs}::bigint
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )`;
}

/**
 * Deletes payments that have ended. Attempts, transactions, refunds, stray charges and the timeline are deleted with the intent by
 * foreign key. An intent with a pending refund, or a stray charge that is not returned, is kept. If one is recorded after the statement has begun, only the
 * intent's row shows it, because PostgreSQL reads that row again when it locks it. A payment link still counts its deleted payments;
 * while somebody opens a payment at it, the uncounted ones are kept.
 */
export function deletePayments({ keepDays, limit }: { readonly keepDays: number; readonly limit: number }): Prisma.Sql {
  return Prisma.sql`
    WITH ended AS MATERIALIZED (
      SELECT id FROM payment_intent
      WHERE updated_at < ${daysAgo(keepDays)} AND ${HAS_ENDED} AND amount_refunding_minor = 0 AND NOT EXISTS (
        SELECT FROM refund WHERE refund.payment_intent_id = payment_intent.id AND refund.status = 'pending'
      ) AND NOT EXISTS (
        SELECT FROM stray_charge WHERE stray_charge.payment_intent_id = payment_intent.id
          AND stray_charge.status IN ('pending', 'failed')
      ) AND NOT EXISTS (
        SELECT FROM dispute WHERE dispute.payment_intent_id = payment_intent.id AND dispute.outcome_at IS NULL
      )
      ORDER BY updated_at
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ), links AS MATERIALIZED (
      SELECT id FROM payment_link
      WHERE id IN (
        SELECT p.payment_link_id FROM payment_link_payment p JOIN ended ON ended.id = p.id WHERE p.outcome IS NULL)
      FOR NO KEY UPDATE SKIP LOCKED
    ), old AS MATERIALIZED (
      SELECT ended.id FROM ended LEFT JOIN payment_link_payment p ON p.id = ended.id AND p.outcome IS NULL
      WHERE p.id IS NULL OR p.payment_link_id IN (SELECT id FROM links)
    ), payment_methods AS (
      DELETE FROM payment_method USING old WHERE payment_method.payment_intent_id = old.id
    ), security_codes AS (
      DELETE FROM payment_method_cvc USING old WHERE payment_method_cvc.payment_intent_id = old.id
    ), card_digests AS (
      DELETE FROM card_digest USING old WHERE card_digest.payment_intent_id = old.id
    ), events AS (
      DELETE FROM event USING old WHERE event.payment_intent_id = old.id
      RETURNING event.merchant_account_id, event.sequence
    ), marked AS (
      ${markPurged(Prisma.sql`events`)}
    ), provider_events AS (
      DELETE FROM provider_event USING old WHERE provider_event.payment_intent_id = old.id
    ), operations AS (
      DELETE FROM payment_operation USING old WHERE payment_operation.payment_intent_id = old.id
    ), stray_charges AS (
      DELETE FROM stray_charge USING old WHERE stray_charge.payment_intent_id = old.id
    ), outcomes AS (
      ${RECORD_OUTCOMES}
    ), paid_links AS (
      ${COUNT_PAID_OF_LINKS}
    )
    DELETE FROM payment_intent USING old WHERE payment_intent.id = old.id`;
}

/**
 * Records the outcomes of links' payments in the table expression `old`. The update reads each row anew, so that a payment is not
 * counted twice if an opening has counted it since the statement began.
 */
const RECORD_OUTCOMES = Prisma.sql`
  UPDATE payment_link_payment p SET outcome = CASE i.status WHEN 'succeeded' THEN 'paid' ELSE 'unpaid' END
  FROM payment_intent i JOIN old ON old.id = i.id
  WHERE p.id = i.id AND p.outcome IS NULL
  RETURNING p.payment_link_id, p.outcome`;

/** Counts the paid ones among those in the table expression `outcomes`. */
const COUNT_PAID_OF_LINKS = Prisma.sql`
  UPDATE payment_link SET paid_count = payment_link.paid_count + paid.payments FROM (
    SELECT payment_link_id AS id, count(*)::int AS payments FROM outcomes WHERE outcome = 'paid' GROUP BY payment_link_id
  ) AS paid WHERE payment_link.id = paid.id`;

function daysAgo(days: number): Prisma.Sql {
  return Prisma.sql`now() - make_interval(secs => ${days * 86_400}::float8)`;
}
