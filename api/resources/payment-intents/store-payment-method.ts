import type { MaskedPaymentMethod } from '../../../domain/payment.ts';
import type { ConfirmRequest } from '../../../workflows/messages.ts';
import { type MethodWriter, storePaymentMethod } from '../../../vault/payment-method-vault.ts';
import type { Execution } from '../../middleware/idempotency.ts';
import type { Principal } from '../../middleware/request-context.ts';
import { detailsOf, type PaymentMethodInput } from '../../schemas/payment-method.ts';

/**
 * Stores the payment method of an execution and returns its token. The token is derived from the execution: a repeat stores
 * nothing twice, but a new execution stores the method again, because the CVC of the earlier one may be erased by now.
 */
export async function storeMethodOfExecution(
  writer: MethodWriter,
  {
    principal,
    paymentIntentId,
    execution,
  }: { readonly principal: Principal; readonly paymentIntentId: string; readonly execution: Execution },
  method: PaymentMethodInput,
): Promise<string> {
  const id = paymentMethodIdOf(execution);
  const { merchantAccountId, environment } = principal;
  await storePaymentMethod(writer, {
    id,
    merchantAccountId,
    environment,
    paymentIntentId,
    details: detailsOf(method),
  });
  return id;
}

/** The confirm that a workflow receives: the token, and what may be shown of the method. */
export function confirmRequestOf(paymentMethodId: string, masked: MaskedPaymentMethod): ConfirmRequest {
  const { type: method } = masked;
  return { paymentMethodId, method, ...(masked.type === 'card' ? { cardLast4: masked.last4 } : {}) };
}

function paymentMethodIdOf({ resourceId, generation }: Execution): string {
  const unique = resourceId.slice(resourceId.indexOf('_') + 1);
  return generation === 0 ? `pm_${unique}` : `pm_${unique}_${generation}`;
}
