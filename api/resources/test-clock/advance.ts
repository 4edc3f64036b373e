import { DAY_MS, SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { TestClock } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Principal } from '../../../domain/principal.ts';
import { recordChange } from '../../../accounts/audit.ts';

/** How far a clock is advanced at most in all, so that every time stays one that clients can read. */
const MAXIMUM_SECONDS = (3_660 * DAY_MS) / SECOND_MS;

/** The account's clock; null where it was never advanced. */
export function readClock(
  { testClock }: Pick<Database, 'testClock'>,
  { merchantAccountId, environment }: Principal,
): Promise<TestClock | null> {
  return testClock.findUnique({ where: { merchantAccountId_environment: { merchantAccountId, environment } } });
}

export interface Advance {
  /** The id of the audit event, by which a repeat of an interrupted execution finds that the clock was advanced. */
  readonly advanceId: string;
  readonly seconds: number;
}

/** @throws ApiError `STATE_CONFLICT` when the clock would be advanced too far in all */
export function advance(database: Database, principal: Principal, { advanceId, seconds }: Advance): Promise<TestClock> {
  const { merchantAccountId, environment } = principal;
  return database.$transaction(async (transaction) => {
    const before = await readClock(transaction, principal);
    if (before !== null && (await transaction.auditEvent.count({ where: { id: advanceId } })) > 0) return before;
    const now = new Date();
    const set = { lastAdvanceId: advanceId, advancedAt: now, nextPassAt: now };
    const after = await transaction.testClock.upsert({
      where: { merchantAccountId_environment: { merchantAccountId, environment } },
      create: { merchantAccountId, environment, advancedSeconds: seconds, ...set },
      update: { advancedSeconds: { increment: seconds }, ...set },
    });
    if (after.advancedSeconds > MAXIMUM_SECONDS) throw advancedTooFar(after.advancedSeconds - seconds);
    const describe = (clock: TestClock) => ({
      id: merchantAccountId,
      merchantAccountId,
      state: { advancedSeconds: clock.advancedSeconds },
    });
    const audit = { author: principal, action: 'test_clock.advanced', describe } as const;
    await recordChange(transaction, audit, {
      id: advanceId,
      before: { ...after, advancedSeconds: after.advancedSeconds - seconds },
      after,
    });
    return after;
  });
}

function advancedTooFar(advancedSeconds: number): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message:
      `Expected at most ${MAXIMUM_SECONDS - advancedSeconds} seconds, so that the clock is advanced by ${MAXIMUM_SECONDS} in ` +
      'all. Create another sandbox account to begin anew.',
  });
}
