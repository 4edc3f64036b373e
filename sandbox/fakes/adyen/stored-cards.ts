import type { ListStoredPaymentMethodsResponse } from '@adyen/api-library/lib/src/typings/checkout/listStoredPaymentMethodsResponse.js';
import { randomInt } from 'node:crypto';

/** A card that is kept for a shopper. */
export interface FakeStoredCard {
  readonly id: string;
  readonly shopperReference: string;
  /** Null of a card that was encrypted. */
  readonly number: string | null;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly firstPspReference: string;
}

const DIGITS = 10 ** 14;

/** The cards that are kept for shoppers: each once for a shopper. */
export class FakeStoredCards {
  readonly #cards = new Map<string, FakeStoredCard>();

  /** Keeps a card, and returns it; the one before if the shopper has it already. */
  keep(card: Omit<FakeStoredCard, 'id'>): FakeStoredCard {
    const { shopperReference, number } = card;
    const known = this.of(shopperReference).find((each) => number !== null && each.number === number);
    const kept = known ?? { ...card, id: `84${String(randomInt(DIGITS)).padStart(14, '0')}` };
    this.put({ ...kept, expiryMonth: card.expiryMonth, expiryYear: card.expiryYear });
    return kept;
  }

  put(card: FakeStoredCard): void {
    this.#cards.set(card.id, card);
  }

  of(shopperReference: string): readonly FakeStoredCard[] {
    return [...this.#cards.values()].filter((card) => card.shopperReference === shopperReference);
  }

  find(id: string, shopperReference: string): FakeStoredCard | undefined {
    return this.of(shopperReference).find((card) => card.id === id);
  }

  /** @returns false where the shopper has no such card */
  remove(id: string, shopperReference: string): boolean {
    return this.find(id, shopperReference) !== undefined && this.#cards.delete(id);
  }
}

/** The list of a shopper's cards. */
export function listOf(merchantAccount: string, shopperReference: string, cards: FakeStoredCards) {
  const storedPaymentMethods = cards.of(shopperReference).map((card) => ({
    id: card.id,
    type: 'scheme',
    brand: 'visa',
    name: 'VISA',
    lastFour: card.number?.slice(-4) ?? '1111',
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear.slice(-2),
    firstPspReference: card.firstPspReference,
    shopperReference,
    supportedRecurringProcessingModels: ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'],
  }));
  const body = { merchantAccount, shopperReference, storedPaymentMethods } satisfies ListStoredPaymentMethodsResponse;
  return { status: 200, body };
}
