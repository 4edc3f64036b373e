import assert from 'node:assert/strict';
import { z } from 'zod';
import { type CardGroup, matchingCardGroups } from '../domain/card-groups.ts';
import type { Environment } from '../domain/payment.ts';
import type { Database } from '../prisma/connection/client.ts';
import { lockIntent } from '../prisma/queries/lock.ts';
import { savedPaymentMethodIdOf } from '../domain/ids.ts';
import { cardExpiryOf, isOffSession, type SavedMethodUse } from '../domain/saved-payment-method.ts';
import {
  type AgreedSave,
  type CardDigests,
  insertCvcAgain,
  insertMethod,
  insertReference,
  type MethodReference,
  type NewSave,
  selectCardDigests,
  selectMethod,
  selectSavedToCharge,
  updateCardGroups,
} from '../prisma/queries/payment-method.ts';
import type { MethodToCharge, PaymentMethodDetails } from '../providers/payment-provider.ts';
import type { CardContext, CardKeyring, CardSealer } from './card-keys.ts';
import type { Sealed, SealedInput } from './envelope.ts';
import type { Keyring } from './keyring.ts';
import { maskPaymentMethod } from './masking.ts';
import { openSavedCredential } from './saved-credential.ts';

export interface NewPaymentMethod {
  /** Derived by the caller, so that a repeated request stores the method once. */
  readonly id: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly paymentIntentId: string;
  readonly details: PaymentMethodDetails;
  /** Set where its card may be saved for the customer. */
  readonly save?: CardToSave | undefined;
}

/** How a card is saved once a payment with it is approved. */
export interface CardToSave {
  readonly customerId: string;
  /** Null where the customer has not agreed yet. */
  readonly agreed: AgreedSave | null;
  /** Whether its number is kept; otherwise the provider's token alone. */
  readonly storesNumber: boolean;
}

/** The encrypted details do not exist: never stored, or purged. */
export class PaymentMethodUnavailableError extends Error {
  override readonly name = 'PaymentMethodUnavailableError';
}

/** The stored shape of each type of payment method. */
const keptByType = {
  card: z.object({
    type: z.literal('card'),
    number: z.string(),
    expiryMonth: z.number(),
    expiryYear: z.number(),
    cvc: z.null(),
    holderName: z.string().nullable(),
  }),
  card_token: z.object({ type: z.literal('card_token'), provider: z.string(), token: z.string() }),
  upi: z.object({ type: z.literal('upi'), vpa: z.string().nullable() }),
  crypto: z.object({ type: z.literal('crypto'), asset: z.string(), network: z.string() }),
} satisfies Readonly<Record<PaymentMethodDetails['type'], z.ZodObject>>;

const keptDetails = z.discriminatedUnion('type', [
  keptByType.card,
  keptByType.card_token,
  keptByType.upi,
  keptByType.crypto,
]);

export type SecretPart = 'details' | 'cvc';

type CardDetails = Extract<PaymentMethodDetails, { readonly type: 'card' }>;

/** The row of a payment method. */
export type MethodIdentity = Pick<NewPaymentMethod, 'id' | 'merchantAccountId' | 'environment'>;

/** Ties each ciphertext to its row, account and column, so that none can be moved to another. */
export function methodContext({ id, merchantAccountId, environment }: MethodIdentity, part: SecretPart): CardContext {
  return { environment, associatedData: JSON.stringify(['payment_method', id, merchantAccountId, part]) };
}

/** The same for the card of a saved payment method. */
export function savedCardContext({ id, merchantAccountId, environment }: MethodIdentity): CardContext {
  return { environment, associatedData: JSON.stringify(['saved_payment_method', id, merchantAccountId, 'details']) };
}

/**
 * The keyed digests of a customer's card, one for each root key and newest first. The customer is part of them, so that nobody can
 * tell whether two customers have the same card.
 */
export function savedCardFingerprints(
  keyring: Keyring,
  { environment }: Pick<MethodIdentity, 'environment'>,
  customerId: string,
  { number }: Pick<CardDetails, 'number'>,
): readonly [string, ...string[]] {
  return keyring.fingerprints(Buffer.from(JSON.stringify([customerId, number])), { purpose: 'savedCard', environment });
}

/** @throws Error for anything but a card by its number: callers save nothing else */
function saveOf({ keyring, cards }: MethodWriter, method: NewPaymentMethod): NewSave | undefined {
  const { save, details, id, merchantAccountId, environment } = method;
  if (save === undefined) return undefined;
  assert(details.type === 'card', 'only cards by their number are saved');
  const { customerId, agreed, storesNumber } = save;
  const saved = { id: savedPaymentMethodIdOf(id), merchantAccountId, environment };
  return {
    customerId,
    agreed,
    fingerprints: savedCardFingerprints(keyring, method, customerId, details),
    sealed: storesNumber
      ? cards.seal(Buffer.from(JSON.stringify({ ...details, cvc: null })), savedCardContext(saved))
      : null,
    cardExpiresAt: cardExpiryOf(details.expiryMonth, details.expiryYear),
  };
}

function sealPart(cards: CardSealer, method: MethodIdentity, part: SecretPart, text: string): Sealed {
  return cards.seal(Buffer.from(text), methodContext(method, part));
}

/** The vault of the API, which stores payment methods and cannot open them. */
export interface MethodWriter {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly cards: CardSealer;
}

/** Whether a payment method is stored, or why not: its intent is authorized or has ended, or has the maximum of methods. */
export type StoreResult = 'stored' | 'intent_authorized_or_ended' | 'intent_full';

/**
 * Stores a payment method: masked details for display, the rest encrypted, and the CVC separately so that it can be erased alone.
 * A second call with the same id changes nothing, except that it restores the CVC of the same card if that was erased or lost
 * before the card was tried. The caller ensures that a repeat brings the same card: its idempotency key is bound to the whole
 * request except the CVC. This function compares only the account and the masked details.
 * @param maximum how many methods the intent may have; null for any number
 */
export async function storePaymentMethod(
  writer: MethodWriter,
  method: NewPaymentMethod,
  maximum: number | null,
): Promise<StoreResult> {
  const { database, keyring, cards } = writer;
  const { id, merchantAccountId, environment, paymentIntentId, details } = method;
  const cvc = details.type === 'card' ? details.cvc : null;
  const withoutCvc = details.type === 'card' ? { ...details, cvc: null } : details;
  const sealed = sealPart(cards, method, 'details', JSON.stringify(withoutCvc));
  const sealedCvc = cvc === null ? null : sealPart(cards, method, 'cvc', cvc);
  const masked = maskPaymentMethod(details);
  const digests = digestsOfMethod(keyring, method, details);
  const tokenProvider = details.type === 'card_token' ? details.provider : null;
  const identity = { id, merchantAccountId, environment, paymentIntentId, tokenProvider };
  const row = { ...identity, masked, ...sealed, cvc: sealedCvc, digests, save: saveOf(writer, method) };
  const { result, cardGroups } =
    (await database.direct.row(insertMethod(row, maximum))) ?? assert.fail('no result of the insertion');
  await storeCardGroups(database, method, cardGroups ?? []);
  if (result === 'inserted') return 'stored';
  if (result !== 'stored_before') return result;
  if (sealedCvc !== null) {
    // A step that records an outcome changes the intent's row first, so this lock waits for a concurrent one.
    await database.direct.rowsLocked(
      lockIntent(paymentIntentId),
      insertCvcAgain({ id, merchantAccountId, paymentIntentId, masked }, sealedCvc),
    );
  }
  return 'stored';
}

/**
 * Stores which groups a card belongs to. They are compared here, because only the API sees the number: the database gets the groups'
 * ids, and no digits.
 */
async function storeCardGroups(
  { direct }: Pick<Database, 'direct'>,
  { details, ...method }: NewPaymentMethod,
  groups: readonly CardGroup[],
): Promise<void> {
  if (details.type !== 'card') return;
  const matching = matchingCardGroups(details.number, groups);
  if (matching.length > 0) await direct.execute(updateCardGroups(method, matching));
}

/** A payment method that refers to a saved one. */
interface NewMethodReference extends MethodIdentity {
  readonly paymentIntentId: string;
  readonly savedPaymentMethodId: string;
  readonly customerId: string;
  readonly use: SavedMethodUse;
  /** Null where the customer entered none. */
  readonly cvc: string | null;
}

/**
 * Stores a payment method that refers to a saved one, and its CVC separately. A second call with the same id changes nothing.
 * @param maximum how many methods the intent may have; null for any number
 * @returns `not_saved` where the customer has no such saved payment method that can be used
 */
export async function storeMethodReference(
  { database, keyring, cards }: MethodWriter,
  method: NewMethodReference,
  maximum: number | null,
): Promise<StoreResult | 'not_saved'> {
  const cvc = method.cvc === null ? null : sealPart(cards, method, 'cvc', method.cvc);
  const digests = digestsOfSaved(keyring, method, method.savedPaymentMethodId);
  const { result } =
    (await database.direct.row(insertReference({ ...method, cvc, digests }, maximum))) ??
    assert.fail('no result of the insertion');
  return result === 'inserted' || result === 'stored_before' ? 'stored' : result;
}

/** The keyed digests under which confirms with a saved payment method are counted: its number is not known here. */
export function digestsOfSaved(
  keyring: Keyring,
  { environment }: Pick<MethodIdentity, 'environment'>,
  savedPaymentMethodId: string,
): CardDigests {
  const text = Buffer.from(JSON.stringify(['saved', savedPaymentMethodId]));
  return { card: keyring.fingerprints(text, { purpose: 'declineCount', environment })[0], bin: null };
}

const BIN_DIGITS = 8;

/**
 * The keyed digests under which confirms are counted: of a card's number, and of the first digits in the account; of the
 * token alone if the number is not known; of a virtual payment address. Only the newest key makes them, because counts last an hour.
 * @returns null where the method is neither a card nor such an address
 */
export function digestsOfMethod(
  keyring: Keyring,
  { merchantAccountId, environment }: Pick<MethodIdentity, 'merchantAccountId' | 'environment'>,
  details: PaymentMethodDetails,
): CardDigests | null {
  const digest = (...parts: readonly string[]): string =>
    keyring.fingerprints(Buffer.from(JSON.stringify(parts)), { purpose: 'declineCount', environment })[0];
  if (details.type === 'card_token') return { card: digest('token', details.provider, details.token), bin: null };
  if (details.type === 'upi' && details.vpa !== null)
    return { card: digest('vpa', details.vpa.toLowerCase()), bin: null };
  if (details.type !== 'card') return null;
  const { number } = details;
  return { card: digest('card', number), bin: digest('bin', merchantAccountId, number.slice(0, BIN_DIGITS)) };
}

/** The digests of a stored method; null where it has none, or its intent is authorized or has ended. */
export async function storedCardDigests(
  { direct }: Pick<Database, 'direct'>,
  paymentMethodId: string,
): Promise<CardDigests | null> {
  return (await direct.row(selectCardDigests(paymentMethodId))) ?? null;
}

/** Erases the CVC of a payment method that will never be charged. */
export async function eraseCvc(database: Database, { id, paymentIntentId }: MethodReference): Promise<void> {
  await database.paymentMethodCvc.deleteMany({ where: { paymentMethodId: id, paymentIntentId } });
}

/** What a payment method is decrypted with. */
export interface MethodReader {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly cards: CardKeyring;
}

/** A payment method, and the provider that is to charge it. */
export interface MethodAtProvider extends MethodReference {
  readonly provider: string;
}

/**
 * Decrypts a payment method; without its CVC once that was erased, or was lost in a crash of PostgreSQL.
 * @throws PaymentMethodUnavailableError if nothing is stored, or nothing any more, under that id for that intent
 * @throws SealBrokenError when the row was tampered with or its key is gone
 */
export async function loadPaymentMethod(reader: MethodReader, method: MethodAtProvider): Promise<MethodToCharge> {
  const { id } = method;
  const { database, cards } = reader;
  const row = await database.direct.row(selectMethod(method));
  if (row?.savedUse != null) return loadSaved(reader, method, { ...row, savedUse: row.savedUse });
  if (row?.ciphertext == null || row.keyId === null) throw notKept(id);
  const open = (part: SecretPart, sealed: SealedInput): string =>
    cards.open(sealed, methodContext({ ...row, id }, part)).toString('utf8');
  const { keyId, ciphertext, cvcKeyId, cvcCiphertext } = row;
  const details: PaymentMethodDetails = keptDetails.parse(JSON.parse(open('details', { keyId, ciphertext })));
  if (details.type !== 'card') return details;
  const { saveUsage: usage, saveCustomerId: customerId } = row;
  const card = usage === null || customerId === null ? details : { ...details, saving: { usage, customerId } };
  if (cvcKeyId === null || cvcCiphertext === null) return card;
  return { ...card, cvc: open('cvc', { keyId: cvcKeyId, ciphertext: cvcCiphertext }) };
}

interface ReferringRow extends Omit<MethodIdentity, 'id'> {
  readonly savedUse: SavedMethodUse;
  readonly cvcKeyId: string | null;
  readonly cvcCiphertext: Uint8Array | null;
}

/**
 * The saved card that a payment method refers to: the token of the provider, else the card itself. Its own row has the expiry, which
 * may have changed since it was encrypted.
 */
async function loadSaved(
  { database, keyring, cards }: MethodReader,
  method: MethodAtProvider,
  { savedUse: use, cvcKeyId, cvcCiphertext, ...row }: ReferringRow,
): Promise<MethodToCharge> {
  const stored = await database.direct.row(selectSavedToCharge(method, method.provider));
  if (stored === undefined) throw notKept(method.id);
  const { customerId, usage, masked, keyId, ciphertext } = stored;
  if (isOffSession(use) && usage !== 'off_session') throw notKept(method.id);
  const hasCvc = cvcKeyId !== null && cvcCiphertext !== null && !isOffSession(use);
  const context = methodContext({ ...row, id: method.id }, 'cvc');
  const cvc = hasCvc ? cards.open({ keyId: cvcKeyId, ciphertext: cvcCiphertext }, context).toString('utf8') : null;
  const credentialOf = (provider: string | null, sealedKeyId: string | null, sealed: Uint8Array | null) =>
    provider === null || sealedKeyId === null || sealed === null
      ? null
      : openSavedCredential(
          keyring,
          { ...stored, savedPaymentMethodId: stored.id, provider },
          { keyId: sealedKeyId, ciphertext: sealed },
        );
  const own = credentialOf(method.provider, stored.tokenKeyId, stored.tokenCiphertext);
  const network = credentialOf(stored.networkProvider, stored.networkKeyId, stored.networkCiphertext);
  const networkTransaction = own?.networkTransaction ?? network?.networkTransaction ?? null;
  const saved = { customerId, usage, use, networkTransaction };
  if (own?.token != null) {
    const { token, providerCustomerId } = own;
    return { type: 'saved_card_token', token, providerCustomerId, cvc, saved };
  }
  if (keyId === null || ciphertext === null) throw notKept(method.id);
  const text = cards.open({ keyId, ciphertext }, savedCardContext(stored)).toString('utf8');
  const card = keptByType.card.parse(JSON.parse(text));
  const expiryMonth = masked.expiryMonth ?? card.expiryMonth;
  return { ...card, expiryMonth, expiryYear: masked.expiryYear ?? card.expiryYear, cvc, saved };
}

function notKept(id: string): PaymentMethodUnavailableError {
  return new PaymentMethodUnavailableError(`payment method ${id} is not kept any more`);
}
