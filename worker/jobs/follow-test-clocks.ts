import type { Database } from '../../prisma/client.ts';
import { claimTestClock, endPasses, selectPaymentsBehind } from '../../prisma/queries/test-clock.ts';
import type { PaymentWorkflows } from '../../workflow-client/payment-workflows.ts';
import { sweep } from './sweep.ts';

export interface TestClockDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'followTestClock'>;
}

const PAGE_SIZE = 200;
const FOLLOWING_AT_ONCE = 10;

/**
 * Makes one pass over the open payments of an account whose test clock was advanced, and makes each follow the clock. Payments
 * that do not follow now, because their workflow does not run, wait for the next pass.
 * @returns how many clocks were claimed: 1 or 0
 * @throws TemporalUnavailableError at the first payment for which Temporal does not answer
 */
export async function followTestClocks(
  { database: { direct }, workflows }: TestClockDependencies,
  signal: AbortSignal,
): Promise<number> {
  const clock = await direct.row(claimTestClock());
  if (clock === undefined) return 0;
  await sweep<{ readonly id: string }>({
    readPage: (last) => direct.rows(selectPaymentsBehind(clock, { after: last?.id ?? '', limit: PAGE_SIZE })),
    pageSize: PAGE_SIZE,
    concurrency: FOLLOWING_AT_ONCE,
    handle: ({ id }) => workflows.followTestClock(id),
    signal,
  });
  await direct.execute(endPasses(clock));
  return 1;
}
