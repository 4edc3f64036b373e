import { CancellationScope, sleep } from '@temporalio/workflow';
import type { PaymentContext } from './context.ts';

/** Starts the expiry timer. Cancel the scope when the payment no longer waits for a person: only then can it expire. */
export function watchExpiry({ input, requests }: PaymentContext): CancellationScope {
  const scope = new CancellationScope();
  const remainingMs = new Date(input.expiresAt).getTime() - Date.now();
  scope
    .run(() => sleep(Math.max(1, remainingMs), { summary: `Expires at ${input.expiresAt}` }))
    .then(
      () => {
        requests.expired = true;
      },
      () => undefined,
    );
  return scope;
}
