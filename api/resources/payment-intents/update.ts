import type { JsonObject } from '../../../domain/json.ts';
import { INITIAL_STATUS } from '../../../domain/payment-state.ts';
import { newId } from '../../../domain/new-id.ts';
import type { JsonResponse } from '../../../http/response.ts';
import { customerNotFound, readCustomerCountry } from '../customers/payer.ts';
import type { Call } from '../api-operation.ts';
import type { Execution } from '../../idempotency/idempotency.ts';
import type { UpdatePaymentIntent } from '../../../contract/schemas/payment-intent-requests.ts';
import type { PaymentIntentDependencies } from './stored-intent.ts';
import { updateNotes, isNote } from './notes.ts';
import { intentResponse } from './intent-response.ts';
import { requireState, runOperation } from './run-operation.ts';
import { readIntent } from './stored-intent.ts';
import { insertIntentUpdate, type IntentRow } from '../../../prisma/queries/payment-intent.ts';

/**
 * PATCH /payment-intents/{id}: stores the update in a row, and the workflow, the only writer of what it decides on, applies it. Once
 * a payment is confirmed, only what nothing decides on can change, see `updateNotes`.
 */
export async function updatePaymentIntent(
  dependencies: PaymentIntentDependencies,
  { principal, id, body }: Call<UpdatePaymentIntent, undefined>,
  execution: Execution,
): Promise<JsonResponse> {
  const { database, workflows } = dependencies;
  const stored = await readIntent(database, principal, id);
  if (isNote(body) && stored.intent.status !== INITIAL_STATUS) {
    await updateNotes(database, principal, { id, notes: body });
    return intentResponse(principal, await readIntent(database, principal, id));
  }
  requireState('update', stored.intent.status);

  const customerCountry =
    typeof body.customerId === 'string' ? await readCustomerCountry(database, principal, body.customerId) : null;
  const changes = changesOf(body, stored.intent, customerCountry);
  if (Object.keys(changes).length === 0) return intentResponse(principal, stored);

  const paymentUpdateId = newId('paymentUpdate');
  const { merchantAccountId, environment } = principal;
  const { customerId = null } = body;
  const update = { paymentUpdateId, ...(body.customerId === undefined ? {} : { customerId }) };
  const written = await database.direct.execute(
    insertIntentUpdate({
      id: paymentUpdateId,
      paymentIntentId: id,
      merchantAccountId,
      environment,
      changes,
      customerId,
    }),
  );
  // The customer may have been deleted since the request read it.
  if (written === 0 && customerId !== null) throw customerNotFound(customerId);
  return await runOperation(dependencies, {
    name: 'update',
    principal,
    intent: stored.intent,
    operationId: execution.operationId,
    sendUpdate: (waitMs) => workflows.update(id, execution.operationId, update, waitMs),
    respondAsync: false,
  });
}

/** The changes as the row holds them; an intent without a country takes that of its new customer. */
function changesOf(body: UpdatePaymentIntent, intent: IntentRow, customerCountry: string | null): JsonObject {
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
