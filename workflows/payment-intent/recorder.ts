import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { isCancellation, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { KnownPayment, RecordStepRequest } from '../../protocol/payment-activities.ts';
import type { CancellationReason } from '../../domain/payment.ts';
import { INITIAL_COLUMNS, type PaymentRecord, type PaymentStep, summaryOf } from '../../domain/payment-step.ts';
import type { ConfirmRequest, PaymentIntentInput } from '../../protocol/messages.ts';
import {
  changedSearchAttributes,
  termsSearchAttributes,
  traitSearchAttributes,
} from '../../protocol/search-attributes.ts';
import { now } from '../shared/clock.ts';
import { OneAtATime } from '../shared/one-at-a-time.ts';
import { reads, records } from './activity-proxies.ts';
import { describePayment } from './details.ts';
import { StuckWatch } from './stuck-watch.ts';

/** The maximum number of cards by which a payment is found: Temporal limits the size of a search attribute. */
const MAXIMUM_CARDS = 10;

/**
 * Writes steps by activities, and holds the payment as last recorded. The workflow's state is never ahead of the rows: only the
 * result of an activity that has written a step changes it.
 */
export class PaymentRecorder {
  /** All local activities of the workflow run through this. */
  readonly localActivities = new OneAtATime();
  #payment: PaymentRecord;
  #decided: string | null = null;
  #waitsFor: string | null = null;
  #waitsSinceMs: number | null = null;
  #cancelAsked: CancellationReason | null = null;
  #cards: readonly (readonly [paymentMethodId: string, last4: string])[] = [];
  readonly #stuckWatch = new StuckWatch({
    show: () => (this.#payment.columns.status === 'processing' ? Promise.resolve() : this.readAsRecorded()),
    record: (step) => this.record(step, { onlyIfStuck: true }),
  });

  constructor(input: PaymentIntentInput) {
    this.#payment = initialPayment(input);
    this.#describe();
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
    const before = this.#payment;
    this.#payment = payment;
    this.#decided = decided ?? this.#decided;
    const changed = [
      ...changedSearchAttributes(before.columns, payment.columns),
      ...(areEqual(payment.terms, before.terms) ? [] : termsSearchAttributes(before.terms, payment.terms)),
    ];
    this.upsert(changed);
    if (payment.statusSince !== before.statusSince) this.#watchIfProcessing();
    this.#describe();
  }

  /** The card of a confirm, for the search attributes and the details. */
  noteCard({ paymentMethodId, cardLast4 }: ConfirmRequest): void {
    if (cardLast4 === undefined) return;
    this.#cards = [...this.#cards, [paymentMethodId, cardLast4]];
  }

  /** Notes a requested cancel for the details of the steps that follow: it may come too late. */
  noteCancel(reason: CancellationReason): void {
    this.#cancelAsked = reason;
  }

  /**
   * Changes search attributes. Cards and failed attempts are written with them and never alone: a command of its own would be
   * missing in earlier histories.
   */
  upsert(changed: readonly SearchAttributeUpdatePair[]): void {
    if (changed.length === 0) return;
    const { attempts } = this.#payment;
    const cardsLast4 = this.#cards.slice(-MAXIMUM_CARDS).map(([, last4]) => last4);
    upsertSearchAttributes([...changed, ...traitSearchAttributes({ cardsLast4, attempts })]);
  }

  /** How long the payment has waited for a provider, in milliseconds; 0 where it waits for none. */
  get waitedMs(): number {
    return this.#waitsSinceMs === null ? 0 : Date.now() - this.#waitsSinceMs;
  }

  /** Shows support staff which provider the payment waits for; null shows what its state waits for. */
  waitsFor(what: string | null): void {
    this.#waitsFor = what;
    this.#waitsSinceMs = what === null ? null : Date.now();
    this.#describe();
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

  #describe(): void {
    const progress = {
      decided: this.#decided,
      waitsFor: this.#waitsFor,
      cancelAsked: this.#cancelAsked,
      cards: new Map(this.#cards),
    };
    setCurrentDetails(describePayment(this.#payment, progress));
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

function areEqual(a: PaymentRecord['terms'], b: PaymentRecord['terms']): boolean {
  return (
    a.amountMinor === b.amountMinor &&
    a.currency === b.currency &&
    a.country === b.country &&
    a.captureMethod === b.captureMethod &&
    (a.reference ?? null) === (b.reference ?? null)
  );
}
