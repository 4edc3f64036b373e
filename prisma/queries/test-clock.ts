import { ENVIRONMENTS } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';
import { integer, oneOf, returning, text } from '../connection/statement.ts';

/**
 * By how many seconds the clock of a payment's account is ahead of the payment; no row if the account has no clock, nor for
 * payments in production, because anybody who reaches Temporal could ask their workflows to follow one.
 */
export function selectTestClockLag(paymentIntentId: string) {
  return returning({ seconds: integer })`
    SELECT c.advanced_seconds - i.test_clock_seconds AS seconds
    FROM payment_intent i
      JOIN test_clock c ON c.merchant_account_id = i.merchant_account_id AND c.environment = i.environment
    WHERE i.id = ${paymentIntentId} AND i.environment = 'sandbox'`;
}

/** The pause until the next pass is a quarter of the time since the advance, within these bounds. */
const SHORTEST_PAUSE = Prisma.sql`interval '5 seconds'`;
const LONGEST_PAUSE = Prisma.sql`interval '15 minutes'`;

/** Claims a clock whose next pass is due, by setting the time of the one after it. */
export function claimTestClock() {
  return returning({ merchantAccountId: text, environment: oneOf(ENVIRONMENTS), advancedSeconds: integer })`
    UPDATE test_clock SET next_pass_at = now() + LEAST(GREATEST((now() - advanced_at) / 4, ${SHORTEST_PAUSE}), ${LONGEST_PAUSE})
    WHERE (merchant_account_id, environment) IN (
      SELECT merchant_account_id, environment FROM test_clock WHERE next_pass_at <= now()
      ORDER BY next_pass_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING merchant_account_id AS "merchantAccountId", environment, advanced_seconds AS "advancedSeconds"`;
}

export interface ClockReading {
  readonly merchantAccountId: string;
  readonly advancedSeconds: number;
}

/** The condition that a payment is open and has not followed the clock. It names the columns of a partial index. */
function isBehind({ merchantAccountId, advancedSeconds }: ClockReading): Prisma.Sql {
  return Prisma.sql`
    merchant_account_id = ${merchantAccountId} AND environment = 'sandbox'
      AND status IN ('requires_payment_method', 'processing', 'requires_action', 'requires_capture')
      AND test_clock_seconds < ${advancedSeconds}::int`;
}

/** A page of the account's open payments that have not followed the clock, in the order of their ids. */
export function selectPaymentsBehind(reading: ClockReading, { after, limit }: { after: string; limit: number }) {
  return returning({ id: text })`
    SELECT id FROM payment_intent WHERE ${isBehind(reading)} AND id > ${after} ORDER BY id LIMIT ${limit}`;
}

/** Makes another pass due, behind those that are due already: one took so long that it has not reached all payments. */
export function goOnWithPass({ merchantAccountId }: ClockReading): Prisma.Sql {
  return Prisma.sql`
    UPDATE test_clock SET next_pass_at = now() WHERE merchant_account_id = ${merchantAccountId} AND next_pass_at IS NOT NULL`;
}

/** Ends the passes if every open payment has followed the clock, and it was not advanced further meanwhile. */
export function endPasses(reading: ClockReading): Prisma.Sql {
  return Prisma.sql`
    UPDATE test_clock SET next_pass_at = NULL
    WHERE merchant_account_id = ${reading.merchantAccountId} AND advanced_seconds = ${reading.advancedSeconds}::int
      AND NOT EXISTS (SELECT FROM payment_intent WHERE ${isBehind(reading)})`;
}
