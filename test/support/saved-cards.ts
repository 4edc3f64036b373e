import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId } from '../../domain/new-id.ts';
import type { FutureUsage, SavedMethodUse } from '../../domain/saved-payment-method.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { createCardKeyring, parseCardPublicKey } from '../../vault/card-keys.ts';
import { createKeyring, type Keyring } from '../../vault/keyring.ts';
import {
  type MethodReader,
  type MethodWriter,
  storeMethodReference,
  storePaymentMethod,
} from '../../vault/payment-method-vault.ts';
import { approval, attemptOf, opening, openAttemptOf, record } from './payment-steps.ts';
import { insertPaymentIntent } from './payment-rows.ts';

export const SAVED_NUMBER = '4242424242424242';

const cards = createCardKeyring([{ id: 'c', bytes: randomBytes(32) }]);

/** The root key of the tests. */
export const SAVED_CARD_KEYRING: Keyring = createKeyring([{ id: 'k', bytes: randomBytes(32) }]);

export interface CardPayment {
  readonly customerId: string;
  readonly currency?: string;
  readonly number?: string;
  readonly expiryYear?: number;
  /** Null where the customer does not agree. */
  readonly usage?: FutureUsage | null;
  readonly storesNumber?: boolean;
  readonly provider?: string;
  readonly keyring?: Keyring;
}

/** A payment of a customer whose card is stored to be saved. */
export async function storeCardPayment(
  database: Database,
  account: string,
  { customerId, currency = 'USD', number = SAVED_NUMBER, expiryYear = 2_034, ...options }: CardPayment,
): Promise<{ readonly id: string; readonly paymentMethodId: string }> {
  const { usage = 'off_session', storesNumber = true, keyring = SAVED_CARD_KEYRING } = options;
  const id = await insertPaymentIntent(database, account, { customerId, currency });
  const paymentMethodId = newId('paymentMethod');
  const writer: MethodWriter = { database, keyring, cards: parseCardPublicKey(cards.publicKey) };
  const consent = { acceptedAt: '2026-01-01T00:00:00.000Z', ipAddress: null, userAgent: null, text: 'I agree' };
  await storePaymentMethod(
    writer,
    {
      id: paymentMethodId,
      merchantAccountId: account,
      environment: 'sandbox',
      paymentIntentId: id,
      details: { type: 'card', number, expiryMonth: 12, expiryYear, cvc: '123', holderName: null },
      save: { customerId, agreed: usage === null ? null : { usage, consent }, storesNumber },
    },
    null,
  );
  return { id, paymentMethodId };
}

/** Records that the card is charged. */
export async function approveCardPayment(
  database: Database,
  { id, paymentMethodId }: { readonly id: string; readonly paymentMethodId: string },
  provider = 'alpha',
): Promise<void> {
  const columns = { paymentMethodId, provider };
  const attempt = { paymentMethodId, provider };
  await record(database, id, opening(id, { columns, attempts: [openAttemptOf(id, attempt)] }));
  await record(database, id, approval(id, { attempts: [attemptOf(id, attempt)] }));
}

/** Saves a customer's card by a payment; returns the payment. */
export async function saveCard(database: Database, account: string, payment: CardPayment) {
  const stored = await storeCardPayment(database, account, payment);
  await approveCardPayment(database, stored, payment.provider);
  return stored;
}

/** Puts a customer of an account into the database. Returns the customer's id. */
export async function insertCustomer(database: Database, merchantAccountId: string): Promise<string> {
  const id = newId('customer');
  await database.customer.create({ data: { id, merchantAccountId, environment: 'sandbox' } });
  return id;
}

/** A payment of a customer that is to be paid with a saved card; its payment method refers to that. */
export async function storeUseOfSaved(
  database: Database,
  account: string,
  { customerId, savedPaymentMethodId, use }: { customerId: string; savedPaymentMethodId: string; use: SavedMethodUse },
): Promise<{ readonly id: string; readonly paymentMethodId: string }> {
  const id = await insertPaymentIntent(database, account, { customerId });
  const paymentMethodId = newId('paymentMethod');
  const identity = { id: paymentMethodId, merchantAccountId: account, environment: 'sandbox' } as const;
  const writer: MethodWriter = { database, keyring: SAVED_CARD_KEYRING, cards: parseCardPublicKey(cards.publicKey) };
  const result = await storeMethodReference(
    writer,
    { ...identity, paymentIntentId: id, savedPaymentMethodId, customerId, use, cvc: null },
    null,
  );
  assert.equal(result, 'stored');
  return { id, paymentMethodId };
}

/** What decrypts saved cards of the tests. */
export function savedCardReader(database: Database): MethodReader {
  return { database, keyring: SAVED_CARD_KEYRING, cards };
}
