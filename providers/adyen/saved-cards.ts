import { HOUR_MS } from '../../domain/time.ts';
import type { SavedMethodUse } from '../../domain/saved-payment-method.ts';
import type { CredentialReference, CredentialRemoval, MethodToCharge, StoredCredential } from '../payment-provider.ts';
import { errorCodeOf, isSuccess, type Ask, readAnswer, requireSuccess } from './client.ts';
import { type AdyenStoredCard, storedCardsSchema } from './messages.ts';

/** Adyen's names of how a payment uses a card that is kept. */
const MODELS = {
  on_session: 'CardOnFile',
  recurring: 'Subscription',
  unscheduled: 'UnscheduledCardOnFile',
} as const satisfies Record<SavedMethodUse, string>;

/** Whose card a payment keeps or uses, how, and who initiates it; nothing where it does neither. */
export function agreementOf(method: MethodToCharge) {
  if (method.type === 'card' && method.saving !== undefined) {
    const { customerId: shopperReference, usage } = method.saving;
    const recurringProcessingModel = usage === 'on_session' ? MODELS.on_session : MODELS.unscheduled;
    return { shopperReference, storePaymentMethod: true, recurringProcessingModel, ...CUSTOMER_INITIATES } as const;
  }
  const saved = 'saved' in method ? method.saved : undefined;
  if (saved === undefined) return CUSTOMER_INITIATES;
  const known = method.type === 'saved_card_token' ? method.providerCustomerId : null;
  return {
    // As it was sent when the card was kept: another one is error 803.
    shopperReference: known ?? saved.customerId,
    recurringProcessingModel: MODELS[saved.use],
    ...(saved.use === 'on_session' ? CUSTOMER_INITIATES : MERCHANT_INITIATES),
  } as const;
}

const CUSTOMER_INITIATES = { shopperInteraction: 'Ecommerce' } as const;
const MERCHANT_INITIATES = { shopperInteraction: 'ContAuth' } as const;

/** Adyen stores a card moments after it has authorized the payment. What is not there after so long will not come. */
const ISSUED_WITHIN_MS = HOUR_MS;
const NOTHING: StoredCredential = { token: null, providerCustomerId: null, networkTransaction: null };

/** Finds the token in the list of the shopper's stored cards; the reply to a payment often does not have it. */
export async function readCredential(
  ask: Ask,
  merchantAccount: string,
  reference: CredentialReference,
  signal: AbortSignal,
): Promise<StoredCredential | null> {
  const { customerId: shopperReference, startedAt } = reference;
  const query = new URLSearchParams({ merchantAccount, shopperReference });
  const answer = await ask('GET', `/storedPaymentMethods?${query.toString()}`, signal);
  const { storedPaymentMethods: stored = [] } = readAnswer(requireSuccess(answer), storedCardsSchema);
  const found = findCard(stored ?? [], reference);
  if (found === undefined) return Date.now() - Date.parse(startedAt) > ISSUED_WITHIN_MS ? NOTHING : null;
  const { id: token, networkTxReference, expiryMonth: month, expiryYear: year } = found;
  return {
    token,
    providerCustomerId: shopperReference,
    networkTransaction: networkTxReference == null ? null : { id: networkTxReference, linkId: null },
    ...(month == null || year == null ? {} : { expiry: { month, year } }),
  };
}

/** The card that the payment has stored. Adyen stores a card once for a shopper, so an earlier payment may have: then its details decide. */
function findCard(
  stored: readonly AdyenStoredCard[],
  { providerPaymentId, card: { last4 } }: CredentialReference,
): AdyenStoredCard | undefined {
  const own = stored.find(
    ({ firstPspReference }) => firstPspReference != null && firstPspReference === providerPaymentId,
  );
  if (own !== undefined) return own;
  const alike = stored.filter(({ lastFour }) => lastFour === last4);
  return alike.length === 1 ? alike[0] : undefined;
}

/** Adyen's errors about a token, or a shopper, that it does not know. */
export const UNKNOWN_TOKEN_ERRORS: ReadonlySet<string> = new Set(['800', '802', '803', '805']);

/** Has Adyen delete a token. */
export async function removeCredential(
  ask: Ask,
  merchantAccount: string,
  { token, providerCustomerId, customerId }: CredentialRemoval,
  signal: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams({ merchantAccount, shopperReference: providerCustomerId ?? customerId });
  const answer = await ask('DELETE', `/storedPaymentMethods/${encodeURIComponent(token)}?${query.toString()}`, signal);
  if (isSuccess(answer) || UNKNOWN_TOKEN_ERRORS.has(errorCodeOf(answer))) return;
  requireSuccess(answer);
}
