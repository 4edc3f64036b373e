import type { Answer } from '../answer.ts';
import type { Call } from '../endpoint.ts';
import type { Run } from '../../middleware/idempotency.ts';
import type { CancelPaymentIntent } from '../../schemas/payment-intent-requests.ts';
import type { PaymentIntentDependencies } from './dependencies.ts';
import { carryOut, requireState } from './operation.ts';
import { readIntent } from './read-intents.ts';

/** POST /payment-intents/{id}/cancel */
export async function cancelPaymentIntent(
  dependencies: PaymentIntentDependencies,
  { access, id, body, respondAsync }: Call<CancelPaymentIntent, undefined>,
  run: Run,
): Promise<Answer> {
  const { intent } = await readIntent(dependencies.database, access, id);
  if (!run.resumed) requireState('cancel', intent.status);
  return await carryOut(dependencies, {
    name: 'cancel',
    access,
    intent,
    operationId: run.operationId,
    ask: (waitMs) => dependencies.workflows.cancel(id, run.operationId, { reason: body.reason }, waitMs),
    respondAsync,
  });
}
