import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { claimTestClock, endPasses, goOnWithPass, selectPaymentsBehind } from '../../prisma/queries/test-clock.ts';
import type { PaymentWorkflows } from '../../workflow-client/payment-workflows.ts';
import { sweep } from './sweep.ts';

export interface TestClockDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'followTestClock'>;
}

const PAGE_SIZE = 200;
const FOLLOWING_AT_ONCE = 10;
/** How long a pass goes on: then the clocks of other accounts get theirs. */
const LONGEST_PASS_MS = 5 * SECOND_MS;

/**
 * Makes one pass over the open payments of an account whose test clock was advanced, and makes each follow the clock. Payments
 * that do not follow now, because their workflow does not run, wait for the next pass. A pass over very many payments goes on when
 * the clocks that have waited meanwhile had theirs.
 * @returns how many clocks were claimed: 1 or 0
 * @throws TemporalUnavailableError at the first payment for which Temporal does not answer
 */
export async function followTestClocks(
  { database: { direct }, workflows }: TestClockDependencies,
  signal: AbortSignal,
  longestPassMs = LONGEST_PASS_MS,
): Promise<number> {
  const clock = await direct.row(claimTestClock());
  if (clock === undefined) return 0;
  const isOver = AbortSignal.timeout(longestPassMs);
  await sweep<{ readonly id: string }>({
    readPage: (last) => direct.rows(selectPaymentsBehind(clock, { after: last?.id ?? '', limit: PAGE_SIZE })),
    pageSize: PAGE_SIZE,
    concurrency: FOLLOWING_AT_ONCE,
    handle: ({ id }) => workflows.followTestClock(id),
    signal: AbortSignal.any([signal, isOver]),
  });
  await direct.execute(isOver.aborted ? goOnWithPass(clock) : endPasses(clock));
  return 1;
}
