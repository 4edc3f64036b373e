import type { OperationResult } from '../../../domain/payment.ts';
import type { LinkOfPayment } from '../../../prisma/queries/payment-link.ts';
import type { CardDigests } from '../../../prisma/queries/payment-method.ts';
import { type CountedConfirm, isDecline, NOT_COUNTED } from '../../checkout-limits/decline-limits.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { JsonResponse } from '../../../http/response.ts';
import { isOpen } from './open-confirms.ts';
import { runOperation, type WorkflowOperation } from './run-operation.ts';
import type { PaymentIntentDependencies } from './stored-intent.ts';

/** The method of a confirm, as far as it is counted. */
export interface CountedMethod {
  readonly type: string;
  /** Of its card or virtual payment address; null where it has neither. */
  readonly digests: CardDigests | null;
  /** Of its payment. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Counts a confirm against the limits of declined cards, or of requests by UPI: its method, null where none is known, and its payment
 * link, null where it has none.
 * @throws ApiError `RATE_LIMIT_EXCEEDED`
 */
export async function countConfirm(
  { declineLimits, upiRequestLimits }: PaymentIntentDependencies,
  { environment, merchantAccountId, pageAddress }: Principal,
  { method, link }: { readonly method: CountedMethod | null; readonly link: LinkOfPayment | null },
): Promise<CountedConfirm> {
  if (method === null) return NOT_COUNTED;
  const { type, digests, metadata } = method;
  if (type === 'upi') {
    await upiRequestLimits.count({ environment, merchantAccountId, vpaDigest: digests?.card ?? null, metadata });
    return NOT_COUNTED;
  }
  if (digests === null) return NOT_COUNTED;
  return await declineLimits.count({ environment, merchantAccountId, pageAddress, link, digests });
}

/** Runs the work between the count of a confirm and the confirm itself; takes the count back if the work fails. */
export async function prepareConfirm<Prepared>(
  counted: CountedConfirm,
  prepare: () => Promise<Prepared>,
): Promise<Prepared> {
  try {
    return await prepare();
  } catch (error) {
    await counted.undo();
    throw error;
  }
}

/**
 * Runs a confirm that was counted, and corrects the count by its outcome: at once, or when the customer has acted and the provider
 * has answered.
 */
export async function confirmWithinLimits(
  dependencies: PaymentIntentDependencies,
  operation: WorkflowOperation,
  counted: CountedConfirm,
): Promise<JsonResponse> {
  // The response to a page does not have all of it.
  const outcome: { result?: OperationResult } = {};
  const onResult = (result: OperationResult): void => void (outcome.result = result);
  try {
    const response = await runOperation(dependencies, { ...operation, onResult });
    void correctCountLater(dependencies, operation, { counted, answered: outcome.result ?? null });
    return response;
  } catch (error) {
    const isUndecided = error instanceof ApiError && error.isUndecided;
    if (outcome.result === undefined && !isUndecided) await counted.undo();
    else await correctCount(dependencies, operation, { counted, result: outcome.result ?? null });
    throw error;
  }
}

/** The client waits for nothing of this. @param answered the result that the response has; null where it has none yet */
async function correctCountLater(
  dependencies: PaymentIntentDependencies,
  operation: WorkflowOperation,
  { counted, answered }: { readonly counted: CountedConfirm; readonly answered: OperationResult | null },
): Promise<void> {
  const { sendUpdate, respondAsync } = operation;
  const update =
    answered === null && respondAsync ? await sendUpdate(dependencies.confirmWaitMs).catch(() => null) : null;
  const result = update?.kind === 'done' ? update.result : answered;
  await correctCount(dependencies, operation, { counted, result });
}

/** Corrects a count by a result; null where it is not known yet. */
async function correctCount(
  { openConfirms }: PaymentIntentDependencies,
  { operationId }: WorkflowOperation,
  { counted, result }: { readonly counted: CountedConfirm; readonly result: OperationResult | null },
): Promise<void> {
  if (counted === NOT_COUNTED) return;
  if (result === null || isOpen(result)) return openConfirms.add(operationId, counted);
  const { error } = result;
  if (error === null) await counted.undoDecline();
  else if (!isDecline(error)) await counted.undo();
}
