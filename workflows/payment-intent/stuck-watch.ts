import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { stuckStep } from '../../domain/payment-resolution.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import { STUCK_AFTER_MS } from '../../domain/time-limits.ts';

/**
 * The timer that records one `PAYMENT_STUCK` advisory after 90 s in `processing`. The activity that records it waits while the
 * provider makes the expected progress.
 */
export class StuckWatch {
  readonly #record: (step: PaymentStep) => Promise<void>;
  #scope: CancellationScope | null = null;

  constructor(record: (step: PaymentStep) => Promise<void>) {
    this.#record = record;
  }

  /** Starts the timer, unless it runs. @param sinceMs when the payment entered `processing`, in ms since the epoch */
  start(sinceMs: number): void {
    if (this.#scope !== null) return;
    const scope = new CancellationScope();
    this.#scope = scope;
    scope
      .run(async () => {
        await sleep(Math.max(1, sinceMs + STUCK_AFTER_MS - Date.now()), {
          summary: 'Stuck if still processing by then',
        });
        const since = new Date(Date.now() - STUCK_AFTER_MS).toISOString();
        await this.#record(stuckStep(since, 'No outcome after 90 seconds in processing'));
      })
      .catch((error: unknown) => {
        // The payment has left `processing`, or belongs to another run: it is not stuck here.
        if (!isCancellation(error)) this.#scope = null;
      });
  }

  stop(): void {
    this.#scope?.cancel();
    this.#scope = null;
  }
}
