import { HOUR_MS } from '../../domain/time.ts';
import type { CredentialReference, CredentialRemoval, MethodToCharge, StoredCredential } from '../payment-provider.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import type { CashfreeClient } from './client.ts';
import type { CashfreeInstrument } from './messages.ts';
import { customerIdOf } from './references.ts';

/** The id under which Cashfree knows who pays an order: the customer whose card is kept, else one of the attempt's own. */
export function payerOf({
  attemptId,
  method,
}: {
  readonly attemptId: string;
  readonly method: MethodToCharge;
}): string {
  if (method.type === 'saved_card_token') return method.providerCustomerId ?? customerIdOf(method.saved.customerId);
  return customerIdOf(method.type === 'card' && method.saving !== undefined ? method.saving.customerId : attemptId);
}

/** Cashfree keeps a card once its bank has agreed to it. What is not there after so long will not come. */
const ISSUED_WITHIN_MS = HOUR_MS;
const NOTHING: StoredCredential = { token: null, providerCustomerId: null, networkTransaction: null };

/** Finds the card that a payment has saved, by the payment, else by its last digits if no other has them. */
export async function readCredential(
  client: CashfreeClient,
  { customerId, providerPaymentId, startedAt, card: { last4 } }: CredentialReference,
  signal: AbortSignal,
): Promise<StoredCredential | null> {
  const providerCustomerId = customerIdOf(customerId);
  const kept = (await instrumentsOf(client, providerCustomerId, signal)).filter(isActive);
  const alike = kept.filter(({ instrument_display: display }) => last4 !== null && display?.endsWith(last4) === true);
  const own = kept.find(({ afa_reference: reference }) => reference != null && reference === providerPaymentId);
  const found = own ?? (alike.length === 1 ? alike[0] : undefined);
  if (found !== undefined) return { token: found.instrument_id, providerCustomerId, networkTransaction: null };
  return Date.now() - Date.parse(startedAt) > ISSUED_WITHIN_MS ? NOTHING : null;
}

/** Has Cashfree delete a saved card. */
export async function removeCredential(
  client: CashfreeClient,
  { token, providerCustomerId, customerId }: CredentialRemoval,
  signal: AbortSignal,
): Promise<void> {
  const payer = providerCustomerId ?? customerIdOf(customerId);
  const reply = await client.deleteInstrument(payer, token, signal);
  if (reply.kind === 'done' || reply.meaning === 'not_found' || !(await isKept(client, payer, token, signal))) return;
  throw new ProviderOutageError('TSP_ERROR', `Cashfree refused to delete a saved card with status ${reply.status}`);
}

/** Whether Cashfree keeps a card for a customer, and takes payments with it. */
export async function isKept(
  client: CashfreeClient,
  payer: string,
  token: string,
  signal: AbortSignal,
): Promise<boolean> {
  const kept = await instrumentsOf(client, payer, signal);
  return kept.some((each) => isActive(each) && each.instrument_id === token);
}

function isActive({ instrument_status: status }: CashfreeInstrument): boolean {
  return status !== 'INACTIVE';
}

/** Cashfree does not know a customer who has saved nothing. */
async function instrumentsOf(
  client: CashfreeClient,
  payer: string,
  signal: AbortSignal,
): Promise<readonly CashfreeInstrument[]> {
  const reply = await client.getInstruments(payer, signal);
  if (reply.kind === 'done') return reply.value;
  if (reply.meaning === 'not_found') return [];
  throw new ProviderOutageError('TSP_ERROR', `Cashfree refused a read with status ${reply.status}`);
}
