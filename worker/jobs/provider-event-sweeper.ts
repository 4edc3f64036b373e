import { PAYMENT_STATUSES, isTerminal } from '../../domain/payment-state.ts';
import { isProviderEvent, isRefundEvent } from '../../domain/provider-outcome.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/client.ts';
import {
  markDelivered,
  markEndedRefunds,
  markRepeatedOutcomes,
  selectUndelivered,
  type UndeliveredEvent,
} from '../../prisma/queries/provider-event.ts';
import type { SignalResult } from '../../workflows/client/temporal-errors.ts';
import type { PaymentWorkflows } from '../../workflows/client/payment-workflows.ts';
import type { RefundWorkflows } from '../../workflows/client/refund-workflows.ts';
import { sweep } from './sweep.ts';

export interface ProviderEventSweeperDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'deliverProviderEvent'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'deliverRefundEvent'>;
}

/** Time the API has for delivering the event itself. */
const GRACE_MS = 2 * SECOND_MS;
const PAGE_SIZE = 100;
const CONCURRENCY = 10;

const TERMINAL_STATUSES: readonly string[] = PAYMENT_STATUSES.filter(isTerminal);

/**
 * Delivers provider events that no workflow has received yet, oldest first. Events of unknown intents are skipped until they
 * are purged; events of an intent without a workflow wait until it is started.
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export async function sweepProviderEvents(
  dependencies: ProviderEventSweeperDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const receivedBefore = new Date(Date.now() - GRACE_MS);
  await database.direct.execute(markRepeatedOutcomes(receivedBefore));
  await database.direct.execute(markEndedRefunds(receivedBefore));
  await sweep<UndeliveredEvent>({
    readPage: (after) => database.direct.rows(selectUndelivered({ receivedBefore, after, limit: PAGE_SIZE })),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      const answer = await deliver(dependencies, row);
      if (isSettled(answer, row)) await database.direct.execute(markDelivered(row));
    },
    signal,
  });
}

function deliver(
  { workflows, refundWorkflows }: ProviderEventSweeperDependencies,
  { provider, eventId, paymentIntentId, event }: UndeliveredEvent,
): Promise<SignalResult> {
  if (isProviderEvent(event)) return workflows.deliverProviderEvent(paymentIntentId, event);
  if (isRefundEvent(event)) return refundWorkflows.deliverRefundEvent(event.refundId, event);
  throw new TypeError(`provider event ${provider} ${eventId} has no known form`);
}

/** An event about an intent that has ended needs no delivery, even if Temporal no longer remembers the workflow. */
function isSettled(answer: SignalResult, { refundId, status }: UndeliveredEvent): boolean {
  return answer !== 'not_started' || (refundId === null && TERMINAL_STATUSES.includes(status));
}
