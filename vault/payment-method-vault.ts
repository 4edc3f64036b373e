import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Environment } from '../domain/payment.ts';
import type { Database } from '../prisma/client.ts';
import { lockIntent } from '../prisma/queries/lock.ts';
import {
  insertCvcAgain,
  insertMethod,
  type MethodReference,
  selectMethod,
  selectMethodWithoutCvc,
  type SealedPart,
} from '../prisma/queries/payment-method.ts';
import type { PaymentMethodDetails } from '../providers/payment-provider.ts';
import type { Keyring, Sealed } from './keyring.ts';
import { maskPaymentMethod } from './masking.ts';

export interface NewPaymentMethod {
  /** Derived by the caller, so that a repeated request stores the method once. */
  readonly id: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly paymentIntentId: string;
  readonly details: PaymentMethodDetails;
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
  upi: z.object({ type: z.literal('upi'), vpa: z.string() }),
  crypto: z.object({ type: z.literal('crypto'), asset: z.string(), network: z.string() }),
} satisfies Readonly<Record<PaymentMethodDetails['type'], z.ZodObject>>;

const keptDetails = z.discriminatedUnion('type', [keptByType.card, keptByType.upi, keptByType.crypto]);

type SecretPart = 'details' | 'cvc';

interface KeptDetails {
  readonly merchantAccountId: string;
  readonly keyId: string;
  readonly ciphertext: Uint8Array | null;
}

/** Ties each ciphertext to its row, account and column, so that none can be moved to another. */
function associatedDataOf(id: string, merchantAccountId: string, part: SecretPart): string {
  return JSON.stringify(['payment_method', id, merchantAccountId, part]);
}

type MethodIdentity = Pick<NewPaymentMethod, 'id' | 'merchantAccountId'>;

function sealPart(keyring: Keyring, { id, merchantAccountId }: MethodIdentity, part: SecretPart, text: string): Sealed {
  return keyring.seal(Buffer.from(text), associatedDataOf(id, merchantAccountId, part));
}

function openPart(
  keyring: Keyring,
  id: string,
  { merchantAccountId }: KeptDetails,
  { part, ...sealed }: SealedPart & { readonly part: SecretPart },
): string {
  return keyring.open(sealed, associatedDataOf(id, merchantAccountId, part)).toString('utf8');
}

function openDetails(keyring: Keyring, id: string, row: KeptDetails | undefined): PaymentMethodDetails {
  if (row?.ciphertext == null) throw new PaymentMethodUnavailableError(`payment method ${id} is not kept any more`);
  const { keyId, ciphertext } = row;
  return keptDetails.parse(JSON.parse(openPart(keyring, id, row, { part: 'details', keyId, ciphertext })));
}

/**
 * Stores a payment method: masked details for display, the rest encrypted, and the CVC separately so that it can be erased alone.
 * A second call with the same id changes nothing, except that it restores a CVC that was erased or lost before the card was tried.
 * @throws SealBrokenError when the CVC is to be restored to a row that was tampered with or whose key is gone
 */
export async function storePaymentMethod(
  database: Database,
  keyring: Keyring,
  method: NewPaymentMethod,
): Promise<void> {
  const { id, merchantAccountId, environment, paymentIntentId, details } = method;
  const cvc = details.type === 'card' ? details.cvc : null;
  const withoutCvc = details.type === 'card' ? { ...details, cvc: null } : details;
  const sealed = sealPart(keyring, method, 'details', JSON.stringify(withoutCvc));
  const sealedCvc = cvc === null ? null : sealPart(keyring, method, 'cvc', cvc);
  const inserted = await database.direct.execute(
    insertMethod({
      id,
      merchantAccountId,
      environment,
      paymentIntentId,
      masked: maskPaymentMethod(details),
      ...sealed,
      cvc: sealedCvc,
    }),
  );
  if (inserted === 0 && cvc !== null) await restoreCvc(database, keyring, method, { withoutCvc, cvc });
}

/** Restores the CVC of a card that is the same. */
async function restoreCvc(
  database: Database,
  keyring: Keyring,
  method: NewPaymentMethod,
  { withoutCvc, cvc }: { readonly withoutCvc: PaymentMethodDetails; readonly cvc: string },
): Promise<void> {
  const { id, paymentIntentId, merchantAccountId } = method;
  const row = await database.direct.row(selectMethodWithoutCvc(method));
  if (row?.merchantAccountId !== merchantAccountId) return;
  const kept = openDetails(keyring, id, row);
  if (!isDeepStrictEqual(kept, withoutCvc)) return;
  // A step that records an outcome changes the intent's row first, so this lock waits for a concurrent one.
  await database.direct.rowsLocked(
    lockIntent(paymentIntentId),
    insertCvcAgain(method, sealPart(keyring, method, 'cvc', cvc)),
  );
}

/** Erases the CVC of a payment method that will never be charged. */
export async function eraseCvc(database: Database, { id, paymentIntentId }: MethodReference): Promise<void> {
  await database.paymentMethodCvc.deleteMany({ where: { paymentMethodId: id, paymentIntentId } });
  // Where earlier versions wrote it.
  const inColumn = { id, paymentIntentId, cvcCiphertext: { not: null } };
  await database.paymentMethod.updateMany({ where: inColumn, data: { cvcCiphertext: null } });
}

/**
 * Decrypts a payment method; without its CVC once that was erased, or was lost in a crash of PostgreSQL.
 * @throws PaymentMethodUnavailableError when nothing is kept under that id for that intent, or no longer
 * @throws SealBrokenError when the row was tampered with or its key is gone
 */
export async function loadPaymentMethod(
  database: Database,
  keyring: Keyring,
  method: MethodReference,
): Promise<PaymentMethodDetails> {
  const { id } = method;
  const row = await database.direct.row(selectMethod(method));
  const details = openDetails(keyring, id, row);
  if (row === undefined || details.type !== 'card' || row.cvcCiphertext === null) return details;
  const { cvcKeyId: keyId, cvcCiphertext: ciphertext } = row;
  return { ...details, cvc: openPart(keyring, id, row, { part: 'cvc', keyId, ciphertext }) };
}
