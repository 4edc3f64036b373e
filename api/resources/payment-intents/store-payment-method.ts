import type { Database } from '../../../prisma/client.ts';
import type { Keyring } from '../../../vault/keyring.ts';
import { storePaymentMethod } from '../../../vault/payment-method-vault.ts';
import type { Run } from '../../middleware/idempotency.ts';
import type { Principal } from '../../middleware/request-context.ts';
import { detailsOf, type PaymentMethodInput } from '../../schemas/payment-method.ts';

/**
 * Stores the payment method of a run and returns its token. The token is derived from the run, so that a repeat stores
 * nothing twice, while a new run stores the method again: the CVC of the earlier one may be erased by now.
 */
export async function storeMethodOfRun(
  { database, keyring }: { readonly database: Database; readonly keyring: Keyring },
  {
    principal,
    paymentIntentId,
    run,
  }: { readonly principal: Principal; readonly paymentIntentId: string; readonly run: Run },
  method: PaymentMethodInput,
): Promise<string> {
  const id = paymentMethodIdOf(run);
  const { merchantAccountId, environment } = principal;
  await storePaymentMethod(database, keyring, {
    id,
    merchantAccountId,
    environment,
    paymentIntentId,
    details: detailsOf(method),
  });
  return id;
}

function paymentMethodIdOf({ resourceId, generation }: Run): string {
  const unique = resourceId.slice(resourceId.indexOf('_') + 1);
  return generation === 0 ? `pm_${unique}` : `pm_${unique}_${generation}`;
}
