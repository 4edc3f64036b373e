import { z } from 'zod';
import type { JsonResponse } from '../answer.ts';
import type { Call } from '../endpoint.ts';
import type { Run } from '../../middleware/idempotency.ts';
import type { CapturePaymentIntent } from '../../schemas/payment-intent-requests.ts';
import { validate } from '../../middleware/validation.ts';
import type { PaymentIntentDependencies } from './dependencies.ts';
import { runOperation, requireState } from './operation.ts';
import { readIntent } from './read-intents.ts';

/** POST /payment-intents/{id}/capture: once, all that is held or a part of it; the rest is released. */
export async function capturePaymentIntent(
  dependencies: PaymentIntentDependencies,
  { access, id, body, respondAsync }: Call<CapturePaymentIntent, undefined>,
  run: Run,
): Promise<JsonResponse> {
  const { intent } = await readIntent(dependencies.database, access, id);
  if (!run.resumed) {
    requireState('capture', intent.status);
    requireHeld(body.amount, intent.amount_capturable_minor);
  }
  const request = { amountMinor: body.amount ?? null };
  return await runOperation(dependencies, {
    name: 'capture',
    access,
    intent,
    operationId: run.operationId,
    sendUpdate: (waitMs) => dependencies.workflows.capture(id, run.operationId, request, waitMs),
    respondAsync,
  });
}

/** @throws ApiError `INVALID_AMOUNT` when more is asked for than is held */
function requireHeld(amount: number | undefined, heldMinor: number): void {
  validate(z.object({ amount: z.number().max(heldMinor).optional() }), { amount });
}
