import { CancellationScope } from '@temporalio/workflow';
import { expiredError } from '../../domain/operation.ts';
import { now } from '../shared/clock.ts';
import { sleepUntil } from '../shared/sleep-until.ts';
import type { PaymentContext } from './context.ts';

/**
 * Starts the expiry timer. Cancel the scope when the payment no longer waits for a person: it can expire only while it waits for
 * one. In `requires_payment_method` the workflow then calls `expire`; in `requires_action` it calls the attempt off
 * (`attempt.ts`).
 */
export function watchExpiry({ input, recorder, requests }: PaymentContext): CancellationScope {
  const scope = new CancellationScope();
  const expiresAt = (): string => recorder.payment.expiresAt ?? input.expiresAt;
  scope
    .run(() =>
      sleepUntil(
        () => Date.parse(expiresAt()),
        () => `Expires at ${expiresAt()}`,
      ),
    )
    .then(
      () => {
        requests.expired = true;
      },
      () => undefined,
    );
  return scope;
}

/** Ends a payment that nobody has confirmed in time. */
export async function expire({ recorder }: PaymentContext): Promise<void> {
  const error = expiredError();
  await recorder.record({
    from: 'requires_payment_method',
    to: 'expired',
    columns: { lastError: { ...error, at: now() } },
    timeline: [{ kind: 'timer', summary: 'Expired before it was paid' }],
    events: [{ type: 'payment_intent.expired', failure: error }],
  });
}
