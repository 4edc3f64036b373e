import { supportName } from '../../domain/audit.ts';
import { strayChargeIdOf } from '../../domain/ids.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { ManualResolutions, SupportReply } from '../../workflow-client/manual-resolutions.ts';
import { TemporalUnavailableError } from '../../workflow-client/temporal-errors.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { Execution } from '../idempotency/idempotency.ts';
import { type JsonResponse, jsonResponse } from '../../http/response.ts';
import type { ResolvePayment, ResolveRefund, ResolveStrayCharge } from '../../contract/schemas/manual-resolution.ts';
import type { Call } from './api-operation.ts';
import { readIntent } from './payment-intents/stored-intent.ts';
import { readRefund } from './refunds/read-refunds.ts';

export interface ManualResolutionDependencies {
  readonly database: Database;
  readonly manualResolutions: ManualResolutions;
}

/** What these requests do, for the API's document. */
export const NEEDS_SUPPORT =
  'For support staff: it needs the scope `support:read` too. The provider is asked once more, and a final answer of it counts more. ' +
  'It takes effect when another person sends the same. Allowed once the operation has waited for its provider for minutes, ' +
  'as `advisory` shows.';

/** POST /payment-intents/{id}/ask-provider */
export async function askProvider(
  { database, manualResolutions }: ManualResolutionDependencies,
  { principal, id }: Call<unknown, undefined>,
  { operationId }: Execution,
): Promise<JsonResponse> {
  await readIntent(database, principal, id);
  const { answer } = await answerOf(() =>
    manualResolutions.askProvider(id, operationId, { by: supportName(principal.actor) }),
  );
  return jsonResponse(200, { object: 'provider_answer', answer });
}

/** POST /payment-intents/{id}/resolve-by-hand */
export async function resolvePayment(
  { database, manualResolutions }: ManualResolutionDependencies,
  { principal, id, body }: Call<ResolvePayment, undefined>,
  { operationId }: Execution,
): Promise<JsonResponse> {
  await readIntent(database, principal, id);
  const { outcome, note, providerPaymentId, amount } = body;
  const request = {
    by: supportName(principal.actor),
    note,
    outcome,
    ...(providerPaymentId === undefined ? {} : { providerPaymentId }),
    ...(amount === undefined ? {} : { amountMinor: amount }),
  };
  return resolutionResponse(() => manualResolutions.resolvePayment(id, operationId, request));
}

/** POST /payment-intents/{id}/resolve-stray-charge-by-hand */
export async function resolveStrayCharge(
  { database, manualResolutions }: ManualResolutionDependencies,
  { principal, id, body }: Call<ResolveStrayCharge, undefined>,
  { operationId }: Execution,
): Promise<JsonResponse> {
  await readIntent(database, principal, id);
  const { attemptId, outcome, note } = body;
  const isRecorded = (await database.strayCharge.count({ where: { attemptId, paymentIntentId: id } })) > 0;
  if (!isRecorded) {
    throw new ApiError('STATE_CONFLICT', {
      message: 'Expected the id of an attempt of this payment that has a stray charge. Read the timeline for it.',
    });
  }
  const request = { by: supportName(principal.actor), note, outcome };
  return resolutionResponse(() =>
    manualResolutions.resolveStrayCharge(strayChargeIdOf(attemptId), operationId, request),
  );
}

/** POST /refunds/{id}/resolve-by-hand */
export async function resolveRefund(
  { database, manualResolutions }: ManualResolutionDependencies,
  { principal, id, body }: Call<ResolveRefund, undefined>,
  { operationId }: Execution,
): Promise<JsonResponse> {
  await readRefund(database, principal, id);
  const { outcome, note, providerRefundId, amount } = body;
  const request = {
    by: supportName(principal.actor),
    note,
    outcome,
    ...(providerRefundId === undefined ? {} : { providerRefundId }),
    ...(amount === undefined ? {} : { amountMinor: amount }),
  };
  return resolutionResponse(() => manualResolutions.resolveRefund(id, operationId, request));
}

async function resolutionResponse(send: () => Promise<SupportReply>): Promise<JsonResponse> {
  const { answer, isResolved = false } = await answerOf(send);
  return jsonResponse(200, { object: 'manual_resolution', status: isResolved ? 'resolved' : 'requested', answer });
}

/** @throws ApiError where the workflow refuses, does not run, or cannot be reached */
async function answerOf(
  send: () => Promise<SupportReply>,
): Promise<Extract<SupportReply, { readonly kind: 'answered' }>['answer']> {
  const reply = await send().catch((error: unknown) => {
    if (error instanceof TemporalUnavailableError) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
    throw error;
  });
  if (reply.kind === 'answered') return reply.answer;
  const message = reply.kind === 'refused' ? reply.reason : 'Nothing waits for a provider here.';
  throw new ApiError('STATE_CONFLICT', { message });
}
