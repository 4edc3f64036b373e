import { CancellationScope, sleep } from '@temporalio/workflow';
import type { PaymentContext } from './context.ts';

/** Notes the expiry when its time comes, until the scope is canceled: only what waits for a person can expire. */
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
