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
export function watchExpiry({ recorder, requests }: PaymentContext): CancellationScope {
  const scope = new CancellationScope();
  const expiresAt = (): string => recorder.payment.expiresAt;
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

/**
 * Whether the payment has expired by the workflow's clock. The timer does not tell it in time: a workflow gets updates before the
 * timers that have fired meanwhile.
 */
export function hasExpired({ recorder, requests }: PaymentContext): boolean {
  return requests.expired || Date.now() >= Date.parse(recorder.payment.expiresAt);
}

/**
 * Ends a payment that nobody has confirmed in time.
 * @param operationId the confirm that came too late; null for none
 */
export async function expire({ recorder, requests }: PaymentContext, operationId: string | null = null): Promise<void> {
  const error = expiredError();
  const result = { status: 'expired', error } as const;
  await recorder.record({
    from: 'requires_payment_method',
    to: 'expired',
    columns: { lastError: { ...error, at: now() } },
    timeline: [{ kind: 'timer', summary: 'Expired before it was paid' }],
    events: [{ type: 'payment_intent.expired', failure: error }],
    ...(operationId === null ? {} : { operation: { id: operationId, kind: 'confirm', result } }),
  });
  requests.answerConfirm(operationId, result);
}
