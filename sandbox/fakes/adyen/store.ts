import type { AdyenBehaviour, FakeAmount, FakePayment } from './payment.ts';
import { FakeDisputes } from './disputes.ts';
import { FakeStoredCards } from './stored-cards.ts';

export interface FakeRefund {
  readonly pspReference: string;
  readonly reference: string;
  readonly payment: FakePayment;
  readonly amount: FakeAmount;
  status: 'waiting' | 'refunded' | 'refused';
}

/** What the customer brings back from the issuer's page, and what it decides once it is sent. */
interface FakeRedirectResult {
  readonly payment: FakePayment;
  readonly isAuthenticated: boolean;
}

/** A reply, as it is repeated for its idempotency key. */
export interface FakeReply {
  readonly status: number;
  readonly body: object;
}

/** Everything that the fake knows; it is gone when the fake stops. */
export class FakeAdyenStore {
  readonly payments = new Map<string, FakePayment>();
  readonly refunds: FakeRefund[] = [];
  readonly storedCards = new FakeStoredCards();
  readonly waitingRefunds = new Map<string, FakeRefund>();
  readonly disputes = new FakeDisputes();
  readonly redirectResults = new Map<string, FakeRedirectResult>();
  readonly replies = new Map<string, FakeReply | 'in progress'>();
  readonly #behaviours = new Map<string, AdyenBehaviour>();
  readonly #behaviourOfCard: (cardNumber: string) => AdyenBehaviour;
  #references = 0;

  constructor(behaviourOfCard: (cardNumber: string) => AdyenBehaviour = () => ({})) {
    this.#behaviourOfCard = behaviourOfCard;
  }

  nextReference(): string {
    this.#references += 1;
    return `PSP${String(this.#references).padStart(13, '0')}`;
  }

  setBehaviour(attemptId: string, behaviour: AdyenBehaviour): void {
    this.#behaviours.set(attemptId, behaviour);
  }

  /** @param cardNumber null where the card is stored or encrypted */
  behaviourOf(reference: string, cardNumber: string | null): AdyenBehaviour {
    const own = this.#behaviours.get(attemptIdIn(reference));
    return own ?? (cardNumber === null ? {} : this.#behaviourOfCard(cardNumber));
  }

  paymentsOf(attemptId: string): readonly FakePayment[] {
    return [...this.payments.values()].filter(({ reference }) => attemptIdIn(reference) === attemptId);
  }

  paymentsWith(reference: string): readonly FakePayment[] {
    return [...this.payments.values()].filter((payment) => payment.reference === reference);
  }
}

/** References may go on after the attempt's id. */
export function attemptIdIn(reference: string): string {
  return reference.split('-')[0] ?? reference;
}
