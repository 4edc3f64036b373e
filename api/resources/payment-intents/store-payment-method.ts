import type { MaskedPaymentMethod } from '../../../domain/payment.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import type { ConfirmRequest } from '../../../protocol/messages.ts';
import {
  type CardToSave,
  type MethodWriter,
  storePaymentMethod,
  type StoreResult,
} from '../../../vault/payment-method-vault.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Execution } from '../../idempotency/idempotency.ts';
import type { Principal } from '../../../domain/principal.ts';
import { detailsOf, type PaymentMethodInput } from '../../../contract/schemas/payment-method.ts';
import { FUTURE_USAGES, type SavedMethodUse } from '../../../domain/saved-payment-method.ts';
import type { IntentRow } from '../../../prisma/queries/payment-intent.ts';
import type { SavingPayment } from './save-card.ts';
import type { PaymentIntentDependencies } from './stored-intent.ts';

/** How many payment methods may be stored for one intent; more than its attempts can use. */
export const MAXIMUM_METHODS = 50;

/** The intent that gets a payment method, and the execution that stores it. */
interface MethodOwner {
  readonly principal: Principal;
  readonly paymentIntentId: string;
  readonly execution: Execution;
  /** Set where the card may be saved for the customer. */
  readonly save: CardToSave | undefined;
}

/** What saving depends on of a payment. */
export function savingPaymentOf(intent: IntentRow): SavingPayment {
  const { customer_id: customerId, currency, setup_future_usage: usage } = intent;
  return { customerId, currency, setupFutureUsage: FUTURE_USAGES.find((each) => each === usage) ?? null };
}

/**
 * Stores the payment method with which an intent is created, and returns its token. The token is derived from the execution: a
 * repeat stores nothing twice, but a new execution stores the method again, because the CVC of the earlier one may be erased by now.
 */
export async function storeFirstMethod(
  writer: MethodWriter,
  owner: MethodOwner,
  method: PaymentMethodInput,
): Promise<string> {
  return (await storeMethodOfExecution(writer, owner, method, null)).id;
}

/** The token of a payment method, and whether the method is stored. */
interface MethodStorage {
  readonly id: string;
  readonly result: StoreResult;
}

/** Stores another payment method of an intent that exists. @throws ApiError `STATE_CONFLICT` if the intent has the maximum */
export async function storeFurtherMethod(
  writer: MethodWriter,
  owner: MethodOwner,
  method: PaymentMethodInput,
): Promise<MethodStorage> {
  const storage = await storeMethodOfExecution(writer, owner, method, MAXIMUM_METHODS);
  if (storage.result !== 'intent_full') return storage;
  throw fullOfMethods();
}

/** The refusal of another payment method of an intent that has the maximum. */
export function fullOfMethods(): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message: `This payment intent has ${MAXIMUM_METHODS} stored payment methods, and may have no more. Create another one to pay.`,
  });
}

async function storeMethodOfExecution(
  writer: MethodWriter,
  { principal, paymentIntentId, execution, save }: MethodOwner,
  method: PaymentMethodInput,
  maximum: number | null,
): Promise<MethodStorage> {
  const id = paymentMethodIdOf(execution);
  const { merchantAccountId, environment } = principal;
  const row = { id, merchantAccountId, environment, paymentIntentId, details: detailsOf(method), save };
  return { id, result: await storePaymentMethod(writer, row, maximum) };
}

/** How long a run may still begin a confirm after the API has ceased to wait for it: answers and clocks may be late. */
const BEGIN_MARGIN_MS = 5 * SECOND_MS;

/**
 * The confirm that a workflow receives: the token, what may be shown of the method, and until when its attempts may begin. So a
 * confirm that was answered as unavailable is not made minutes later.
 */
export function confirmRequestOf(
  { confirmWaitMs, failoverWithinMs }: Pick<PaymentIntentDependencies, 'confirmWaitMs' | 'failoverWithinMs'>,
  paymentMethodId: string,
  masked: MaskedPaymentMethod,
  savedUse: SavedMethodUse | null = null,
): ConfirmRequest {
  const { type: method } = masked;
  const last4 = masked.type === 'card' ? masked.last4 : null;
  return {
    paymentMethodId,
    method,
    ...(last4 === null ? {} : { cardLast4: last4 }),
    ...(savedUse === null ? {} : { savedUse }),
    beginBefore: fromNow(confirmWaitMs + BEGIN_MARGIN_MS),
    failOverBefore: fromNow(failoverWithinMs),
  };
}

function fromNow(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

/** The id of the payment method that an execution stores. */
export function paymentMethodIdOf({ resourceId, generation }: Execution): string {
  const unique = resourceId.slice(resourceId.indexOf('_') + 1);
  return generation === 0 ? `pm_${unique}` : `pm_${unique}_${generation}`;
}
