import { newUniquePart } from '../../../domain/new-id.ts';
import { DAY_MS, SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/client.ts';
import type { TestClock } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { IdempotencyDependencies } from '../../middleware/idempotency.ts';
import type { Principal } from '../../middleware/request-context.ts';
import { jsonResponse } from '../../response.ts';
import { advanceTestClockBody, type TestClockResource, testClockResource } from '../../schemas/test-clock.ts';
import { type ApiOperation, actionOperation, readOperation } from '../api-operation.ts';
import { recordChange } from '../audit.ts';

const resource = 'test-clock';
const responseData = testClockResource;

/** How far a clock is advanced at most in all, so that every time stays one that clients can read. */
const MAXIMUM_SECONDS = (3_660 * DAY_MS) / SECOND_MS;

/** Everything below /test-clock. */
export function testClockOperations(
  dependencies: { readonly database: Database } & IdempotencyDependencies,
): readonly ApiOperation[] {
  const { database } = dependencies;
  return [
    readOperation({
      path: '/test-clock',
      operationId: 'getTestClock',
      summary: 'Retrieve the test clock of the sandbox account',
      resource,
      responseData,
      errors: ['FORBIDDEN'],
      handle: async ({ principal }) => {
        requireSandbox(principal);
        return jsonResponse(200, presentClock(await readClock(database, principal), principal));
      },
    }),
    actionOperation(
      {
        path: '/test-clock/advance',
        operationId: 'advanceTestClock',
        summary: 'Advance the test clock: the open payments of the sandbox account become older',
        description:
          'Each open payment is made older by `seconds`, within a moment: `expiresAt` and its other deadlines come that much ' +
          'closer, and what is then due happens at once, with the events as usual. The clock is `advancing` until every open ' +
          'payment has followed it. The refund window of captured payments comes to its end by as much. Payments that are ' +
          'created later are not older. Production has no test clocks.',
        resource,
        body: advanceTestClockBody,
        responseData,
        errors: ['FORBIDDEN', 'STATE_CONFLICT'],
        newResourceId: newUniquePart,
        authorize: ({ principal }) => requireSandbox(principal),
        handle: async ({ principal, body: { seconds } }, { resourceId: advanceId }) =>
          jsonResponse(200, presentClock(await advance(database, principal, { advanceId, seconds }), principal)),
      },
      dependencies,
    ),
  ];
}

function requireSandbox({ environment }: Principal): void {
  if (environment === 'sandbox') return;
  throw new ApiError('FORBIDDEN', { message: 'Expected an API key of the sandbox; production has no test clocks.' });
}

function readClock(
  { testClock }: Pick<Database, 'testClock'>,
  { merchantAccountId, environment }: Principal,
): Promise<TestClock | null> {
  return testClock.findUnique({ where: { merchantAccountId_environment: { merchantAccountId, environment } } });
}

interface Advance {
  /** Changes nothing if it repeats an interrupted execution of the same request. */
  readonly advanceId: string;
  readonly seconds: number;
}

/** @throws ApiError `STATE_CONFLICT` when the clock would be advanced too far in all */
function advance(database: Database, principal: Principal, { advanceId, seconds }: Advance): Promise<TestClock> {
  const { merchantAccountId, environment } = principal;
  return database.$transaction(async (transaction) => {
    const before = await readClock(transaction, principal);
    if (before?.lastAdvanceId === advanceId) return before;
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

function presentClock(clock: TestClock | null, { merchantAccountId }: Principal): TestClockResource {
  return {
    object: 'test_clock',
    merchantId: merchantAccountId,
    environment: 'sandbox',
    status: clock === null || clock.nextPassAt === null ? 'ready' : 'advancing',
    advancedSeconds: clock?.advancedSeconds ?? 0,
    advancedAt: clock?.advancedAt.toISOString() ?? null,
  };
}
