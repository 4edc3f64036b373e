import { isCancellation } from '@temporalio/workflow';
import type { KnownPayment, RecordStepRequest } from '../../protocol/payment-activities.ts';
import { INITIAL_COLUMNS, type PaymentRecord, type PaymentStep, summaryOf } from '../../domain/payment-step.ts';
import type { PaymentIntentInput } from '../../protocol/messages.ts';
import { now } from '../shared/clock.ts';
import { OneAtATime } from '../shared/one-at-a-time.ts';
import { reads, records } from './activity-proxies.ts';
import { StuckWatch } from './stuck-watch.ts';
import { SupportView } from './support-view.ts';

/**
 * Writes steps by activities, and holds the payment as last recorded. The workflow's state is never ahead of the rows: only the
 * result of an activity that has written a step changes it.
 */
export class PaymentRecorder {
  /** All local activities of the workflow run through this. */
  readonly localActivities = new OneAtATime();
  readonly view: SupportView;
  #payment: PaymentRecord;
  readonly #stuckWatch = new StuckWatch({
    show: () => (this.#payment.columns.status === 'processing' ? Promise.resolve() : this.readAsRecorded()),
    record: (step) => this.record(step, { onlyIfStuck: true }),
  });

  constructor(input: PaymentIntentInput) {
    this.#payment = initialPayment(input);
    this.view = new SupportView(this.#payment);
  }

  get payment(): PaymentRecord {
    return this.#payment;
  }

  /** The payment and its version; rows must not be older than that version. */
  get known(): KnownPayment {
    return { paymentIntentId: this.#payment.paymentIntentId, knownVersion: this.#payment.version };
  }

  /** Writes a step; retried until the database answers. @throws ActivityFailure where the run is stale */
  async record(step: PaymentStep, condition: Pick<RecordStepRequest, 'onlyIfStuck'> = {}): Promise<void> {
    const summary = summaryOf(step);
    const request = { ...this.known, step, at: now(), ...condition };
    this.adopt(await records.recordStep.executeWithOptions({ summary }, [request]), summary);
  }

  /** Adopts the payment as an activity has recorded it. */
  adopt(payment: PaymentRecord, decided: string | null = null): void {
    // Of two concurrent activities, the one that completes last may have the older version.
    if (payment.version < this.#payment.version) return;
    const { statusSince } = this.#payment;
    this.#payment = payment;
    this.view.show(payment, decided);
    if (payment.statusSince !== statusSince) this.#watchIfProcessing();
  }

  /** Starts the timer of the advisory, unless it runs. */
  watchForStuck(sinceMs: number): void {
    this.#stuckWatch.start(sinceMs);
  }

  /** Restarts the timer of the advisory, from the recorded time at which the payment entered its state. */
  restartStuckWatch(): void {
    this.stopWatching();
    this.#watchIfProcessing();
  }

  stopWatching(): void {
    this.#stuckWatch.stop();
  }

  /** Reads what others have recorded: an activity that calls a provider tells it only at its end, and a sweeper never. */
  async readAsRecorded(): Promise<void> {
    try {
      const summary = 'Read the state of the payment';
      const read = () => reads.readPayment.executeWithOptions({ summary }, [this.known]);
      const payment = await this.localActivities.run(read);
      if (payment.version > this.#payment.version) this.adopt(payment);
    } catch (error) {
      // What is shown stays as it was. The activities that write find out whether this run is stale.
      if (isCancellation(error)) throw error;
    }
  }

  #watchIfProcessing(): void {
    const { columns, statusSince } = this.#payment;
    if (columns.status !== 'processing') return this.stopWatching();
    if (columns.advisory?.code !== 'PAYMENT_STUCK') this.watchForStuck(Date.parse(statusSince));
  }
}

/** The payment as the API has inserted it. */
function initialPayment({ paymentIntentId, terms, expiresAt }: PaymentIntentInput): PaymentRecord {
  return {
    paymentIntentId,
    version: 0,
    terms,
    columns: INITIAL_COLUMNS,
    attempts: [],
    statusSince: now(),
    expiresAt,
  };
}
