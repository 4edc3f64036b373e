import type { Database } from '../../../prisma/connection/client.ts';
import { TemporalUnavailableError } from '../../../workflow-client/temporal-errors.ts';
import { refundInputOf } from '../../../workflow-client/workflow-inputs.ts';
import { type JsonResponse, jsonResponse } from '../../../http/response.ts';
import type { Call } from '../api-operation.ts';
import type { Admission } from '../../admission.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Execution } from '../../idempotency/idempotency.ts';
import type { CreateRefund } from '../../../contract/schemas/refund.ts';
import { findCapture, refundWindowClosed } from './find-capture.ts';
import { presentRefund } from '../../../contract/presenters/refund.ts';
import type { RefundRow } from '../../../prisma/queries/refund.ts';
import { findRefund, readRefund } from './read-refunds.ts';
import { reserveRefund } from './reserve.ts';
import type { RefundWorkflows } from '../../../workflow-client/refund-workflows.ts';
import type { WorkflowLinks } from '../workflow-url.ts';

/**
 * POST /refunds. Row first, workflow second: once the row is written the refund will be made, whatever happens to this process or
 * to Temporal, because the sweeper starts missing workflows. So the response to a written refund is never 503.
 */
export async function createRefund(
  dependencies: RefundDependencies,
  call: Call<CreateRefund, undefined>,
  execution: Execution,
): Promise<JsonResponse> {
  const { database } = dependencies;
  const refund = await findOrReserve(database, call, execution);
  await runRefund(dependencies, refund, call.respondAsync);
  return answerWithRefund(await readRefund(database, call.principal, refund.id));
}

/** The refund of an interrupted execution of the same request, else a new one. */
async function findOrReserve(
  database: Database,
  { principal, body }: Call<CreateRefund, undefined>,
  execution: Execution,
): Promise<RefundRow> {
  const id = refundIdOf(execution);
  const earlier = execution.resumed ? await findRefund(database, principal, id) : undefined;
  if (earlier !== undefined) return earlier;
  const capture = await findCapture(database, principal, body);
  const { amount = null, reason = null, reference = null, metadata } = body;
  const reservation = await reserveRefund(database, {
    id,
    account: principal,
    capture,
    amountMinor: amount,
    reason,
    reference,
    metadata,
    author: principal.actor.type === 'person' ? principal : null,
  }).catch(async (error: unknown) => {
    // Two executions under one key, because the lock of the first one expired: the refund exists.
    const refund = await findRefund(database, principal, id);
    if (refund === undefined) throw error;
    return { kind: 'reserved', refund } as const;
  });
  if (reservation.kind === 'reserved') return reservation.refund;
  if (reservation.kind === 'too_late') throw refundWindowClosed(capture);
  const { refundableMinor: refundableAmount } = reservation;
  throw new ApiError('REFUND_AMOUNT_EXCEEDED', {
    message:
      `Expected at most the ${refundableAmount} minor units that are left to refund; got ${amount ?? 'no amount, which means all'}.` +
      (refundableAmount === 0
        ? ' Everything is refunded, being refunded, or disputed already.'
        : ' Leave amount out to refund the rest.'),
    details: { amount, refundableAmount },
  });
}

/** An execution after a known failure, such as an outage of the provider, is another refund. */
function refundIdOf({ resourceId, generation }: Execution): string {
  return generation === 0 ? resourceId : `${resourceId}_${generation}`;
}

/** Starts the refund's workflow, unless it runs already, and waits for its end; without an outcome in time the refund stays `pending`. */
async function runRefund(
  { refundWorkflows, confirmWaitMs }: RefundDependencies,
  refund: RefundRow,
  respondAsync: boolean,
): Promise<void> {
  if (refund.status !== 'pending') return;
  try {
    await refundWorkflows.start(refundInputOf(refund));
    if (!respondAsync) await refundWorkflows.result(refund.id, confirmWaitMs);
  } catch (error) {
    if (!(error instanceof TemporalUnavailableError)) throw error;
  }
}

function answerWithRefund(refund: RefundRow): JsonResponse {
  if (refund.status !== 'failed' || refund.failure === null) return jsonResponse(201, presentRefund(refund));
  const { code, message, details } = refund.failure;
  throw new ApiError(code, { message, details: { ...details, refund: presentRefund(refund) } });
}

/** The dependencies of the operations on refunds. */
export interface RefundDependencies extends WorkflowLinks {
  readonly database: Database;
  readonly refundWorkflows: Pick<RefundWorkflows, 'start' | 'result'>;
  readonly admission: Pick<Admission, 'acquire'>;
  /** How long an operation waits for its outcome. */
  readonly confirmWaitMs: number;
}
