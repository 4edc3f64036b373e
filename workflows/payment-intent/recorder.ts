import {
  CancellationScope,
  isCancellation,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import { isCalling, type PaymentTerms } from '../../domain/payment.ts';
import { STUCK_AFTER_MS } from '../../domain/retry-plan.ts';
import type { PaymentIntentInput } from '../messages.ts';
import { changedSearchAttributes, type FoundColumns, termsSearchAttributes } from '../search-attributes.ts';
import { now } from '../shared/clock.ts';
import { records } from './activity-proxies.ts';
import { describePayment } from './details.ts';
import { advance, changeOf, initialProgress, type PaymentProgress, type Step } from './progress.ts';

/**
 * Keeps a payment's progress and writes each step of it, one after the other. A step holds in the workflow as soon as
 * it is handed in, and for the world once the returned promise resolves.
 */
export class PaymentRecorder {
  #progress: PaymentProgress;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #stuckWatch: CancellationScope | null = null;
  /** The columns that the payment is still found by; null where that is not behind. */
  #found: FoundColumns | null = null;
  /** Rejects when a step that nothing waits for could not be written. */
  readonly failure: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;

  constructor(input: PaymentIntentInput) {
    this.failure = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.#progress = input.resumeFrom ?? initialProgress(input, now());
    setCurrentDetails(describePayment(this.#progress, null));
  }

  get progress(): PaymentProgress {
    return this.#progress;
  }

  /** Takes a step and writes it. Repeated until the database answers; never fails for an outage. */
  async record(step: Step): Promise<void> {
    const before = this.#progress;
    const at = now();
    const left = step.to !== undefined && step.to !== before.columns.status;
    const after = advance(before, left ? withoutAdvisory(step) : step, at);
    this.#progress = after;
    setCurrentDetails(describePayment(after, summaryOf(step)));
    this.#found = this.#found === null ? before.columns : { ...this.#found, status: null };
    if (!step.attempts?.some(isCalling)) this.tellSearch();
    if (left) this.#watchForStuck();
    const change = changeOf(after, step, at);
    await this.#write(async (fromVersion) => ({
      version: await records.recordChange.executeWithOptions({ summary: summaryOf(step) }, [
        { ...change, fromVersion },
      ]),
    }));
  }

  /** Has the payment found by what it is now. A step whose provider is called at once leaves that to what follows the call. */
  tellSearch(): void {
    if (this.#found === null) return;
    const searchable = changedSearchAttributes(this.#found, this.#progress.columns);
    if (searchable.length > 0) upsertSearchAttributes(searchable);
    this.#found = null;
  }

  /**
   * Applies an amendment in its turn among the steps.
   * @throws ActivityFailure when the amendment is not there any more; nothing has changed then
   */
  async amend(amendmentId: string): Promise<void> {
    const { amountMinor, currency, country, captureMethod } = await this.#write((fromVersion) => {
      const { paymentIntentId, columns, attempts, transactionCount } = this.#progress;
      const known = { paymentIntentId, columns, attempts, transactionCount };
      return records.applyAmendment.executeWithOptions({ summary: 'Apply the amended terms' }, [
        { ...known, amendmentId, fromVersion, at: now() },
      ]);
    });
    this.adoptTerms({ amountMinor, currency, country, captureMethod });
  }

  /** Takes over amended terms that the row holds already. */
  adoptTerms(terms: PaymentTerms): void {
    this.#progress = { ...this.#progress, terms };
    setCurrentDetails(describePayment(this.#progress, 'the terms were amended'));
    upsertSearchAttributes(termsSearchAttributes(terms));
  }

  /** Watches a stay that began under an earlier workflow. */
  watchAgain(): void {
    if (this.#progress.columns.advisory === null) this.#watchForStuck();
  }

  /** Resolves when every step handed in so far is written. */
  async written(): Promise<void> {
    await this.#lastWrite;
  }

  /** A step that was written has raised the row's version; one that failed has not. */
  #write<T extends { readonly version?: number | null }>(activity: (fromVersion: number) => Promise<T>): Promise<T> {
    const write = this.#lastWrite.then(async () => {
      const { version } = this.#progress;
      const result = await CancellationScope.nonCancellable(() => activity(version));
      this.#progress = { ...this.#progress, version: result.version ?? version + 1 };
      return result;
    });
    this.#lastWrite = write.catch(() => undefined);
    return write;
  }

  /** A stay in `processing` gets one advisory after 90 s; any other state ends the watch. */
  #watchForStuck(): void {
    this.#stuckWatch?.cancel();
    this.#stuckWatch = null;
    if (this.#progress.columns.status !== 'processing') return;
    const watch = new CancellationScope();
    this.#stuckWatch = watch;
    watch
      .run(async () => {
        await sleep(STUCK_AFTER_MS, { summary: 'Stuck if still processing by then' });
        await this.record(stuckStep(this.#progress));
      })
      .catch((error: unknown) => {
        if (!isCancellation(error)) this.#fail(error);
      });
  }
}

/** The step in the words of its story's last line. */
function summaryOf({ timeline }: Step): string {
  return timeline.at(-1)?.summary ?? 'Record the payment';
}

function stuckStep(progress: PaymentProgress): Step {
  const message = ERROR_CATALOGUE.PAYMENT_STUCK.message;
  return {
    columns: { advisory: { code: 'PAYMENT_STUCK', since: progress.statusSince } },
    timeline: [{ kind: 'timer', summary: 'No outcome after 90 seconds in processing: advisory PAYMENT_STUCK' }],
    events: [
      {
        type: 'payment_intent.stuck',
        failure: { code: 'PAYMENT_STUCK', message, details: { since: progress.statusSince } },
      },
    ],
  };
}

function withoutAdvisory(step: Step): Step {
  return { ...step, columns: { ...step.columns, advisory: null } };
}
