import type { JsonResponse } from '../answer.ts';
import type { Call } from '../endpoint.ts';
import type { Run } from '../../middleware/idempotency.ts';
import type { CancelPaymentIntent } from '../../schemas/payment-intent-requests.ts';
import type { PaymentIntentDependencies } from './dependencies.ts';
import { runOperation, requireState } from './operation.ts';
import { readIntent } from './read-intents.ts';

/** POST /payment-intents/{id}/cancel */
export async function cancelPaymentIntent(
  dependencies: PaymentIntentDependencies,
  { access, id, body, respondAsync }: Call<CancelPaymentIntent, undefined>,
  run: Run,
): Promise<JsonResponse> {
  const { intent } = await readIntent(dependencies.database, access, id);
  if (!run.resumed) requireState('cancel', intent.status);
  return await runOperation(dependencies, {
    name: 'cancel',
    access,
    intent,
    operationId: run.operationId,
    sendUpdate: (waitMs) => dependencies.workflows.cancel(id, run.operationId, { reason: body.reason }, waitMs),
    respondAsync,
  });
}
