import type { StoredSavedMethod } from '../../prisma/queries/saved-payment-method.ts';
import type { MaskedCard } from '../../domain/payment.ts';
import type { UsableSavedMethod } from '../schemas/payment-intent-resource.ts';
import type { SavedMethodResource } from '../schemas/saved-payment-method.ts';
import { presentTime } from './time.ts';

/** A saved payment method as clients see it: without its number and the providers' tokens. */
export function presentSavedMethod({ method, credentials }: StoredSavedMethod): SavedMethodResource {
  const card = { provider: null, kind: 'card', status: 'active' } as const;
  return {
    id: method.id,
    object: 'saved_payment_method',
    merchantId: method.merchant_account_id,
    environment: method.environment,
    customerId: method.customer_id,
    status: method.status,
    statusReason: method.status_reason,
    paymentMethod: method.masked,
    usage: method.usage,
    consent: method.consent,
    initialPaymentIntentId: method.initial_payment_intent_id,
    hasNetworkTransactionId: credentials.some(({ hasNetworkTransactionId }) => hasNetworkTransactionId),
    credentials: [
      ...(method.has_card_number ? [card] : []),
      ...credentials.map(({ provider, status }) => ({ provider, kind: 'provider_token' as const, status })),
    ],
    isDefault: method.is_default,
    metadata: method.metadata,
    lastUsedAt: presentTime(method.last_used_at),
    createdAt: presentTime(method.created_at),
    updatedAt: presentTime(method.updated_at),
  };
}

/** A saved payment method, as a page sees it whose customer may pay with it. */
export function presentUsableSaved({ id, masked, isDefault }: UsableRow): UsableSavedMethod {
  return { id, object: 'usable_saved_payment_method', paymentMethod: masked, isDefault };
}

interface UsableRow {
  readonly id: string;
  readonly masked: MaskedCard;
  readonly isDefault: boolean;
}
