import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { stuckStep } from '../../domain/payment-resolution.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import { SHOWN_AFTER_MS, STUCK_AFTER_MS } from '../../domain/time-limits.ts';

export interface StuckWatchWork {
  /** Shows support staff the state as it is recorded, if the workflow does not know it yet. */
  readonly show: () => Promise<void>;
  /** Records the advisory. The activity waits while the provider makes the expected progress. */
  readonly record: (step: PaymentStep) => Promise<void>;
}

/** The timers that show the state of a payment after 5 s in `processing`, and record one `PAYMENT_STUCK` advisory after 90 s. */
export class StuckWatch {
  readonly #work: StuckWatchWork;
  #scope: CancellationScope | null = null;

  constructor(work: StuckWatchWork) {
    this.#work = work;
  }

  /** Starts the timers, unless they run. @param sinceMs when the payment entered `processing`, in ms since the epoch */
  start(sinceMs: number): void {
    if (this.#scope !== null) return;
    const scope = new CancellationScope();
    this.#scope = scope;
    scope
      .run(async () => {
        await this.#waitUntilStuck(sinceMs);
        const since = new Date(Date.now() - STUCK_AFTER_MS).toISOString();
        await this.#work.record(stuckStep(since, 'No outcome after 90 seconds in processing'));
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

  async #waitUntilStuck(sinceMs: number): Promise<void> {
    const stuckAtMs = sinceMs + STUCK_AFTER_MS;
    if (Date.now() < sinceMs + SHOWN_AFTER_MS) {
      await waitUntil(sinceMs + SHOWN_AFTER_MS, 'Show the state if there is no outcome by then');
      await this.#work.show();
    }
    await waitUntil(stuckAtMs, 'Stuck if still processing by then');
  }
}

function waitUntil(timeMs: number, summary: string): Promise<void> {
  return sleep(Math.max(1, timeMs - Date.now()), { summary });
}
