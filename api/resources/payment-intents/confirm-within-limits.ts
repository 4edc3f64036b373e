import type { CardDigests } from '../../../prisma/queries/payment-method.ts';
import { ApiError } from '../../middleware/errors.ts';
import { isDecline } from '../../middleware/rate-limits/decline-limits.ts';
import type { Principal } from '../../middleware/request-context.ts';
import type { JsonResponse } from '../../response.ts';
import { runOperation, type WorkflowOperation } from './run-operation.ts';
import type { PaymentIntentDependencies } from './stored-intent.ts';

/** Counts a confirm, and returns what takes the count back. */
export type UndoCount = () => Promise<void>;

/**
 * Counts a confirm against the limits of declined cards.
 * @param digests of its card; null where its method is none
 * @throws ApiError `RATE_LIMIT_EXCEEDED`
 */
export async function countConfirm(
  { declineLimits }: PaymentIntentDependencies,
  { environment, merchantAccountId, pageAddress }: Principal,
  digests: CardDigests | null,
): Promise<UndoCount> {
  if (digests === null) return () => Promise.resolve();
  return await declineLimits.count({ environment, merchantAccountId, pageAddress, digests });
}

/** Runs the work between the count of a confirm and the confirm itself; takes the count back if the work fails. */
export async function prepareConfirm<Prepared>(
  undoCount: UndoCount,
  prepare: () => Promise<Prepared>,
): Promise<Prepared> {
  try {
    return await prepare();
  } catch (error) {
    await undoCount();
    throw error;
  }
}

/** Runs a confirm that was counted, and takes the count back unless the card was declined. */
export async function confirmWithinLimits(
  dependencies: PaymentIntentDependencies,
  operation: WorkflowOperation,
  undoCount: UndoCount,
): Promise<JsonResponse> {
  try {
    const response = await runOperation(dependencies, operation);
    void (operation.respondAsync ? undoCountLater(dependencies, operation, undoCount) : undoCount());
    return response;
  } catch (error) {
    if (!(error instanceof ApiError && isDecline(error.code))) await undoCount();
    throw error;
  }
}

/** The client does not wait for the outcome, but the count does; where it stays unknown, the count is kept. */
async function undoCountLater(
  { confirmWaitMs }: PaymentIntentDependencies,
  { sendUpdate }: WorkflowOperation,
  undoCount: UndoCount,
): Promise<void> {
  const update = await sendUpdate(confirmWaitMs).catch(() => null);
  if (update?.kind !== 'done') return;
  const { error } = update.result;
  if (error === null || !isDecline(error.code)) await undoCount();
}
