import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { TestClock } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse } from '../../../http/response.ts';
import {
  advanceTestClockBody,
  type TestClockResource,
  testClockResource,
} from '../../../contract/schemas/test-clock.ts';
import { type ApiOperation, actionOperation, readOperation } from '../api-operation.ts';
import { advance, readClock } from './advance.ts';

const resource = 'test-clock';
const responseData = testClockResource;

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
        newResourceId: () => newId('auditEvent'),
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
