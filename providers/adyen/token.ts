import { z } from 'zod';
import { parseJson } from '../../domain/json.ts';

const encrypted = z.string().min(1).max(15_000);

/** A card that Adyen's page has encrypted: `state.data.paymentMethod` of it. Unknown members are left out. */
const encryptedCardSchema = z.object({
  type: z.literal('scheme').default('scheme'),
  encryptedCardNumber: encrypted,
  encryptedExpiryMonth: encrypted,
  encryptedExpiryYear: encrypted,
  encryptedSecurityCode: encrypted.exactOptional(),
  holderName: z.string().max(255).exactOptional(),
  brand: z.string().max(50).exactOptional(),
  checkoutAttemptId: z.string().max(500).exactOptional(),
});

/** A card that Adyen keeps for one of the merchant's shoppers. */
const storedCardSchema = z.object({
  type: z.literal('scheme').default('scheme'),
  storedPaymentMethodId: z.string().min(1).max(64),
  shopperReference: z.string().min(3).max(256),
  encryptedSecurityCode: encrypted.exactOptional(),
});

/**
 * The part of a payment request that names the card of a token, which is JSON of one of the two forms.
 * @returns null where it has neither
 */
export function readToken(token: string) {
  const value = parseJson(token);
  const stored = storedCardSchema.safeParse(value);
  if (stored.success) {
    const { shopperReference, ...paymentMethod } = stored.data;
    // The customer pays: a merchant who charges without the customer names a saved card, not a token.
    return { paymentMethod, shopperReference, recurringProcessingModel: 'CardOnFile' } as const;
  }
  const card = encryptedCardSchema.safeParse(value);
  return card.success ? { paymentMethod: card.data } : null;
}
