import { z } from 'zod';
import type { Environment } from '../domain/payment.ts';
import type { Database } from '../prisma/client.ts';
import type { PaymentMethodDetails } from '../providers/payment-provider.ts';
import type { Keyring } from './keyring.ts';
import { maskPaymentMethod } from './masking.ts';

export interface NewPaymentMethod {
  /** Made by the caller, so that a repeated request stores it once. */
  readonly id: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly paymentIntentId: string;
  readonly details: PaymentMethodDetails;
}

/** The token's secret part is gone: never stored, or purged. */
export class PaymentMethodUnavailableError extends Error {
  override readonly name = 'PaymentMethodUnavailableError';
}

/** One shape for each type of payment method, so that none is kept that cannot be read again. */
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

interface KeptMethod {
  readonly merchantAccountId: string;
  readonly keyId: string;
  readonly ciphertext: Uint8Array | null;
  readonly cvcCiphertext: Uint8Array | null;
}

/** Ties each ciphertext to its row, account and column, so that none can be moved to another. */
function associatedDataOf(id: string, merchantAccountId: string, part: SecretPart): string {
  return JSON.stringify(['payment_method', id, merchantAccountId, part]);
}

/**
 * Keeps a payment method: masked for people, the rest encrypted, the CVC apart so that it can be erased alone.
 * A second call with the same id changes nothing.
 */
export async function storePaymentMethod(
  database: Database,
  keyring: Keyring,
  method: NewPaymentMethod,
): Promise<void> {
  const { id, merchantAccountId, environment, paymentIntentId, details } = method;
  const cvc = details.type === 'card' ? details.cvc : null;
  const withoutCvc = details.type === 'card' ? { ...details, cvc: null } : details;
  const seal = (text: string, part: SecretPart) =>
    keyring.seal(Buffer.from(text), associatedDataOf(id, merchantAccountId, part));

  const sealed = seal(JSON.stringify(withoutCvc), 'details');
  const sealedCvc = cvc === null ? null : seal(cvc, 'cvc').ciphertext;
  await database.direct.execute`
    INSERT INTO payment_method (id, merchant_account_id, environment, payment_intent_id, type, masked, key_id,
      ciphertext, cvc_ciphertext)
    VALUES (${id}, ${merchantAccountId}, ${environment}, ${paymentIntentId}, ${details.type},
      ${JSON.stringify(maskPaymentMethod(details))}::jsonb, ${sealed.keyId}, ${sealed.ciphertext}, ${sealedCvc})
    ON CONFLICT (id) DO NOTHING`;
}

/** Erases the CVC of a payment method that will never be charged. */
export async function eraseCvc(database: Database, paymentMethodId: string): Promise<void> {
  await database.paymentMethod.updateMany({ where: { id: paymentMethodId }, data: { cvcCiphertext: null } });
}

/**
 * A payment method in the clear, without its CVC once that was erased.
 * @throws PaymentMethodUnavailableError when nothing is kept under that id any more
 * @throws SealBrokenError when the row was tampered with or its key is gone
 */
export async function loadPaymentMethod(
  database: Database,
  keyring: Keyring,
  paymentMethodId: string,
): Promise<PaymentMethodDetails> {
  const [row] = await database.direct.query<KeptMethod[]>`
    SELECT merchant_account_id AS "merchantAccountId", key_id AS "keyId", ciphertext, cvc_ciphertext AS "cvcCiphertext"
    FROM payment_method WHERE id = ${paymentMethodId}`;
  if (row === undefined || row.ciphertext === null) {
    throw new PaymentMethodUnavailableError(`payment method ${paymentMethodId} is not kept any more`);
  }
  const open = (ciphertext: Uint8Array, part: SecretPart) =>
    keyring
      .open({ keyId: row.keyId, ciphertext }, associatedDataOf(paymentMethodId, row.merchantAccountId, part))
      .toString('utf8');

  const details: PaymentMethodDetails = keptDetails.parse(JSON.parse(open(row.ciphertext, 'details')));
  if (details.type !== 'card' || row.cvcCiphertext === null) return details;
  return { ...details, cvc: open(row.cvcCiphertext, 'cvc') };
}
