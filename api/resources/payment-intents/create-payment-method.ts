import type { CreatePaymentMethod } from '../../../contract/schemas/payment-intent-requests.ts';
import type { PaymentMethodResource } from '../../../contract/schemas/payment-intent-resource.ts';
import { detailsOf, type PaymentMethodInput } from '../../../contract/schemas/payment-method.ts';
import type { MaskedPaymentMethod } from '../../../domain/payment.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse, type JsonResponse } from '../../../http/response.ts';
import type { IntentRow } from '../../../prisma/queries/payment-intent.ts';
import { maskPaymentMethod } from '../../../vault/masking.ts';
import type { Execution } from '../../idempotency/idempotency.ts';
import type { Call } from '../api-operation.ts';
import { requireConfirmable } from './run-operation.ts';
import { cardToSave } from './save-card.ts';
import { savingPaymentOf, storeFurtherMethod } from './store-payment-method.ts';
import { type PaymentIntentDependencies, readIntent } from './stored-intent.ts';
import { storeSavedWithCode } from './use-saved.ts';

/** The payment that gets a payment method, and the request that stores it. */
interface MethodOwner {
  readonly principal: Principal;
  readonly intent: IntentRow;
  readonly execution: Execution;
}

/** A payment method that a payment has now. */
interface StoredMethod {
  readonly id: string;
  readonly masked: MaskedPaymentMethod;
}

/** POST /payment-intents/{id}/payment-methods: stores a payment method, which a confirm then names by its id. */
export async function createPaymentMethod(
  dependencies: PaymentIntentDependencies,
  { principal, id: requestedId, body }: Call<CreatePaymentMethod, undefined>,
  execution: Execution,
): Promise<JsonResponse> {
  const stored = await readIntent(dependencies.database, principal, requestedId);
  requireConfirmable(stored);
  const { id, masked } = await storeMethod(dependencies, { principal, intent: stored.intent, execution }, body);
  const resource: PaymentMethodResource = {
    id,
    object: 'payment_method',
    paymentIntentId: stored.intent.id,
    paymentMethod: masked,
  };
  return jsonResponse(201, resource);
}

function storeMethod(
  dependencies: PaymentIntentDependencies,
  owner: MethodOwner,
  { paymentMethod, paymentMethodId = '', cvc = '' }: CreatePaymentMethod,
): Promise<StoredMethod> {
  // The schema demands both of a saved payment method.
  if (paymentMethod === undefined) return storeSavedWithCode(dependencies, owner, { paymentMethodId, cvc });
  return storeDetails(dependencies, owner, paymentMethod);
}

async function storeDetails(
  dependencies: PaymentIntentDependencies,
  { principal, intent, execution }: MethodOwner,
  method: PaymentMethodInput,
): Promise<StoredMethod> {
  const payment = savingPaymentOf(intent);
  const save = await cardToSave(dependencies, principal, { method, payment, agreed: null });
  const owner = { principal, paymentIntentId: intent.id, execution, save };
  const { id, result } = await storeFurtherMethod(dependencies, owner, method);
  // The state has changed since it was checked, and does not change back: this throws.
  if (result !== 'stored') requireConfirmable(await readIntent(dependencies.database, principal, intent.id));
  return { id, masked: maskPaymentMethod(detailsOf(method)) };
}
