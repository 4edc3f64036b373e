import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { CancellationReason } from '../../domain/payment.ts';
import type { PaymentRecord } from '../../domain/payment-step.ts';
import type { ConfirmRequest } from '../../protocol/messages.ts';
import {
  changedSearchAttributes,
  termsSearchAttributes,
  traitSearchAttributes,
} from '../../protocol/search-attributes.ts';
import { describePayment } from './details.ts';

/** The maximum number of cards by which a payment is found: Temporal limits the size of a search attribute. */
const MAXIMUM_CARDS = 10;

/** What support staff see of a payment in the Temporal UI: its details, and the search attributes by which they find it. */
export class SupportView {
  #payment: PaymentRecord;
  #decided: string | null = null;
  #waitsFor: string | null = null;
  #waitsSinceMs: number | null = null;
  #cancelAsked: CancellationReason | null = null;
  #cards: readonly (readonly [paymentMethodId: string, last4: string])[] = [];

  constructor(payment: PaymentRecord) {
    this.#payment = payment;
    this.#describe();
  }

  /** Shows the payment as it is recorded now. @param decided what led to it; null keeps what is shown */
  show(payment: PaymentRecord, decided: string | null): void {
    const before = this.#payment;
    this.#payment = payment;
    this.#decided = decided ?? this.#decided;
    this.upsert([
      ...changedSearchAttributes(before.columns, payment.columns),
      ...(areEqual(payment.terms, before.terms) ? [] : termsSearchAttributes(before.terms, payment.terms)),
    ]);
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

  /** Changes search attributes. Cards and failed attempts are written with them and never alone, which would be one more event. */
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

  /** Shows which provider the payment waits for; null shows what its state waits for. */
  waitsFor(what: string | null): void {
    this.#waitsFor = what;
    this.#waitsSinceMs = what === null ? null : Date.now();
    this.#describe();
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

function areEqual(a: PaymentRecord['terms'], b: PaymentRecord['terms']): boolean {
  return (
    a.amountMinor === b.amountMinor &&
    a.currency === b.currency &&
    a.country === b.country &&
    a.captureMethod === b.captureMethod &&
    (a.reference ?? null) === (b.reference ?? null)
  );
}
