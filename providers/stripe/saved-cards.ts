import type Stripe from 'stripe';
import type {
  AuthorizationRequest,
  CredentialReference,
  CredentialRemoval,
  StoredCredential,
} from '../payment-provider.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import { pathOf } from './listed-payments.ts';
import { customerSchema, paidWithSchema, storedMethodSchema } from './messages.ts';
import { isRefused, type Refused, refusedRead, type StripeApi } from './stripe-api.ts';

/**
 * Stripe's id of a customer, which is created if there is none: Stripe keeps a card for a customer alone. Nothing can be charged yet.
 * @param unknown the stored id that Stripe does not know any more, because the customer was deleted there; null for none
 */
export async function customerIdOf(
  api: StripeApi,
  { customers, attemptId }: Pick<AuthorizationRequest, 'customers' | 'attemptId'>,
  { customerId, unknown = null }: { readonly customerId: string; readonly unknown?: string | null },
  signal: AbortSignal,
): Promise<string | Refused> {
  const known = await customers.find(customerId);
  if (known !== null && known !== unknown) return known;
  const params = { metadata: { customer_id: customerId } } satisfies Stripe.CustomerCreateParams;
  // Two first payments of a customer create one customer. That of a customer whom Stripe has deleted needs another key.
  const idempotencyKey = unknown === null ? `${customerId}:customer` : `${attemptId}:customer`;
  const created = await api.send(
    { method: 'POST', path: '/v1/customers', params, idempotencyKey },
    customerSchema,
    signal,
  );
  return isRefused(created) ? created : customers.store(customerId, created.id, unknown);
}

/** Whether Stripe refused because it does not know the customer. */
export function isUnknownCustomer({ error }: Refused): boolean {
  return error?.code === 'resource_missing' && error.param === 'customer';
}

const NOTHING: StoredCredential = { token: null, providerCustomerId: null, networkTransaction: null };

/** What Stripe knows a payment's card by: the payment method, if it is kept for a customer. */
export async function readCredential(
  api: StripeApi,
  { providerPaymentId, attemptId }: CredentialReference,
  signal: AbortSignal,
): Promise<StoredCredential | null> {
  if (providerPaymentId === null) return null;
  const params = { expand: ['latest_charge', 'payment_method'] } satisfies Stripe.PaymentIntentRetrieveParams;
  const paid = await api.send({ method: 'GET', path: pathOf(providerPaymentId), params }, paidWithSchema, signal);
  // The key is one of another account at Stripe now: nothing of the old one can be used.
  if (isRefused(paid) && isUnknown(paid)) return NOTHING;
  if (isRefused(paid)) throw refusedRead(paid);
  if (paid.metadata.attempt_id !== attemptId) {
    throw new ProviderOutageError('TSP_ERROR', 'the provider answered about something else');
  }
  const { payment_method: method, latest_charge: charge } = paid;
  const card = charge?.payment_method_details?.card;
  const id = card?.network_transaction_id;
  const networkTransaction = id == null ? null : { id, linkId: card?.transaction_link_id ?? null };
  // A card is attached to its customer once its first payment is approved; what was detached again can never be used.
  const providerCustomerId = method?.customer ?? null;
  const token = method === null || providerCustomerId === null ? null : method.id;
  if (token === null && networkTransaction === null) return null;
  const expiry = method?.card == null ? {} : { expiry: { month: method.card.exp_month, year: method.card.exp_year } };
  return { token, providerCustomerId, networkTransaction, ...expiry };
}

/** Stripe refuses to detach a card that is not attached, without a code of its own: then it is looked at. */
export async function removeCredential(
  api: StripeApi,
  { token }: CredentialRemoval,
  signal: AbortSignal,
): Promise<void> {
  const path = `/v1/payment_methods/${encodeURIComponent(token)}`;
  const detached = await api.send({ method: 'POST', path: `${path}/detach` }, storedMethodSchema, signal);
  if (!isRefused(detached) || isUnknown(detached)) return;
  const found = await api.send({ method: 'GET', path }, storedMethodSchema, signal);
  if (isRefused(found) ? isUnknown(found) : found.customer == null) return;
  throw refusedRead(detached);
}

/** Only Stripe's own answer says so. */
function isUnknown({ error }: Refused): boolean {
  return error?.code === 'resource_missing';
}
