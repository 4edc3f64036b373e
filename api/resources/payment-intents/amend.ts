import type { JsonObject } from '../../../domain/json.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Answer } from '../answer.ts';
import { customerNotFound, readCustomerCountry } from '../customers/country.ts';
import { customerKept } from '../customers/keep.ts';
import type { Call } from '../endpoint.ts';
import type { Run } from '../../middleware/idempotency.ts';
import type { Access } from '../../middleware/request-context.ts';
import type { AmendPaymentIntent } from '../../schemas/payment-intent-requests.ts';
import type { PaymentIntentDependencies } from './dependencies.ts';
import { answerWithIntent, carryOut, requireState } from './operation.ts';
import { readIntent } from './read-intents.ts';
import type { IntentRow } from '../../../presenters/payment-intent.ts';

/** PATCH /payment-intents/{id}: the change waits in a row until the workflow, the intent's only writer, applies it. */
export async function amendPaymentIntent(
  dependencies: PaymentIntentDependencies,
  { access, id, body }: Call<AmendPaymentIntent, undefined>,
  run: Run,
): Promise<Answer> {
  const { database, workflows } = dependencies;
  const stored = await readIntent(database, access, id);
  requireState('update', stored.intent.status);

  const customerCountry =
    typeof body.customerId === 'string' ? await readCustomerCountry(database, access, body.customerId) : null;
  const changes = changesOf(body, stored.intent, customerCountry);
  if (Object.keys(changes).length === 0) return answerWithIntent(access, stored);

  const paymentUpdateId = newId('paymentUpdate');
  await keepAmendment(
    dependencies,
    access,
    { id: paymentUpdateId, paymentIntentId: id, changes },
    body.customerId ?? null,
  );
  return await carryOut(dependencies, {
    name: 'update',
    access,
    intent: stored.intent,
    operationId: run.operationId,
    ask: (waitMs) => workflows.update(id, run.operationId, { paymentUpdateId }, waitMs),
    respondAsync: false,
  });
}

/** Written only as long as the customer whom the payment is to have exists. @throws ApiError `CUSTOMER_NOT_FOUND` */
async function keepAmendment(
  { database }: PaymentIntentDependencies,
  access: Access,
  amendment: { readonly id: string; readonly paymentIntentId: string; readonly changes: JsonObject },
  customerId: string | null,
): Promise<void> {
  const written = await database.direct.execute`
    WITH ${customerKept(access, customerId)}
    INSERT INTO payment_intent_amendment (id, payment_intent_id, changes)
    SELECT ${amendment.id}, ${amendment.paymentIntentId}, ${JSON.stringify(amendment.changes)}::jsonb FROM payer`;
  if (written === 0 && customerId !== null) throw customerNotFound(customerId);
}

/** What is to change, as the row holds it; an intent without a country takes that of its new customer. */
function changesOf(body: AmendPaymentIntent, intent: IntentRow, customerCountry: string | null): JsonObject {
  const { amount, ...others } = body;
  const takesCustomerCountry = customerCountry !== null && intent.country === null && body.country === undefined;
  return withoutAbsent({
    ...others,
    amountMinor: amount,
    ...(takesCustomerCountry ? { country: customerCountry } : {}),
  });
}

function withoutAbsent<Value>(object: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
