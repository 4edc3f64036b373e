import { MINUTE_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import {
  deleteCardDigests,
  deleteDisputeFiles,
  deleteOld,
  deletePayments,
  deleteRateLimits,
  deleteUnsavedCards,
  deleteUnusedPaymentMethods,
  eraseDisputeEvidence,
  erasePaymentMethods,
  eraseSecurityCodes,
  type RetentionRule,
} from '../../prisma/queries/purge.ts';
import { detachOldSavedMethods } from '../../prisma/queries/saved-payment-method.ts';
import { sweepRows } from './sweep.ts';

/** How long rows are kept, in days. */
export interface Retention {
  readonly eventsDays: number;
  readonly providerEventsDays: number;
  /** Payment intents in a terminal state, with all rows that belong to them. */
  readonly paymentsDays: number;
  /** 90 or more, because younger audit events cannot be deleted. */
  readonly auditEventsDays: number;
  readonly requestsDays: number;
  /** How long a saved card may stay unused before it is removed. */
  readonly savedCardsUnusedDays: number;
}

/** Rows that one statement deletes or erases at most. */
const PURGE_BATCH_SIZE = 500;

const CARD_DATA = { hoursAfterExpiry: 1, daysAfterEnd: 1 } as const;
/** A card is often replaced by one with another expiry, which the customer may enter late. */
const SAVED_CARD_DAYS_AFTER_EXPIRY = 90;
/** A scheme may open a dispute again that was won. */
const DISPUTE_EVIDENCE_DAYS_AFTER_END = 90;
const RATE_LIMITS = { afterMs: MINUTE_MS } as const;

/** How long rows are kept whose age alone, or nearly so, decides. */
export function retentionRules({
  eventsDays,
  providerEventsDays,
  paymentsDays,
  auditEventsDays,
  requestsDays,
}: Retention): readonly RetentionRule[] {
  return [
    // Rates count for a week without an attempt at most.
    { rows: 'approval_rates', keepDays: 30 },
    // A stored response is valid for 24 hours; the additional hour is for requests that are still under way.
    { rows: 'stored_responses', keepDays: 25 / 24 },
    { rows: 'events', keepDays: eventsDays },
    { rows: 'ended_deliveries', keepDays: eventsDays },
    // A delivery that is still pending then is abandoned: no workflow could be started for it.
    { rows: 'all_deliveries', keepDays: eventsDays + 30 },
    { rows: 'provider_events', keepDays: providerEventsDays },
    // Until then requests with such a key get the error that it was revoked or has expired, and its merchant can read when.
    { rows: 'ended_api_keys', keepDays: 90 },
    { rows: 'key_uses', keepDays: 90 },
    { rows: 'policy_reports', keepDays: 90 },
    // A request is accepted for 10 minutes at most, from 5 minutes before its timestamp; the rest allows for clocks that differ.
    { rows: 'request_nonces', keepDays: 1 / 24 },
    { rows: 'customer_returns', keepDays: 1 },
    { rows: 'payment_updates', keepDays: 1 },
    // Far longer than a request can be repeated under its idempotency key.
    { rows: 'operations', keepDays: 30 },
    { rows: 'audit_events', keepDays: auditEventsDays },
    { rows: 'platform_audit_events', keepDays: auditEventsDays },
    { rows: 'logged_requests', keepDays: requestsDays },
    { rows: 'ended_sessions', keepDays: 1 },
    { rows: 'ended_verifications', keepDays: 1 },
    // Until then the team sees that nobody has accepted them.
    { rows: 'ended_invitations', keepDays: 30 },
    { rows: 'unverified_persons', keepDays: 1 },
    { rows: 'statistics', keepDays: paymentsDays },
    // A late report of a charge that was reversed long ago must find the row: without it, the charge would be reversed again.
    { rows: 'stray_charges', keepDays: paymentsDays },
    { rows: 'detached_payment_methods', keepDays: paymentsDays },
    { rows: 'reconciliation_runs', keepDays: eventsDays },
    { rows: 'settlement_entries', keepDays: paymentsDays },
    { rows: 'settlements', keepDays: paymentsDays },
    // As long: whoever uploads a report again gets the import of the same file.
    { rows: 'settlement_imports', keepDays: paymentsDays },
  ];
}

/**
 * Deletes or erases everything older than the retention allows, in small batches, until nothing is left or the signal aborts. If
 * rows of one kind cannot be deleted, for example because somebody holds a lock on them, the others are deleted all the same.
 * @returns how many rows were deleted or erased
 * @throws Error at the end, where a statement failed
 */
export async function purge(
  database: Database,
  retention: Retention,
  signal: AbortSignal,
  batchSize = PURGE_BATCH_SIZE,
): Promise<number> {
  let total = 0;
  await sweepRows(purgeStatements(retention, batchSize), {
    concurrency: 1,
    async handle(statement) {
      let affected: number;
      do {
        if (signal.aborted) return;
        affected = await database.direct.execute(statement);
        total += affected;
      } while (affected >= batchSize);
    },
    signal,
  });
  return total;
}

/** Card data is erased first. */
function purgeStatements(retention: Retention, limit: number): readonly Prisma.Sql[] {
  return [
    eraseSecurityCodes({ ...CARD_DATA, limit }),
    deleteCardDigests({ ...CARD_DATA, limit }),
    deleteUnsavedCards({ ...CARD_DATA, limit }),
    detachOldSavedMethods('card_expired', { days: SAVED_CARD_DAYS_AFTER_EXPIRY, limit }),
    detachOldSavedMethods('unused', { days: retention.savedCardsUnusedDays, limit }),
    erasePaymentMethods({ ...CARD_DATA, limit }),
    deleteUnusedPaymentMethods({ ...CARD_DATA, limit }),
    deleteDisputeFiles({ daysAfterEnd: DISPUTE_EVIDENCE_DAYS_AFTER_END, limit }),
    eraseDisputeEvidence({ daysAfterEnd: DISPUTE_EVIDENCE_DAYS_AFTER_END, limit }),
    ...retentionRules(retention).map((rule) => deleteOld(rule, limit)),
    deleteRateLimits({ ...RATE_LIMITS, limit }),
    deletePayments({ keepDays: retention.paymentsDays, limit }),
  ];
}
