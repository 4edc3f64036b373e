import { formatMoney } from '../../domain/money.ts';
import { newId } from '../../domain/new-id.ts';
import { LINK_PAYMENT_EXPIRY_MS } from '../../domain/payment-link.ts';
import { isTerminal } from '../../domain/payment-state.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { NewIntent } from '../../prisma/fragments/insert-intent.ts';
import type { IntentRow } from '../../prisma/queries/payment-intent.ts';
import { lockPaymentLink } from '../../prisma/queries/lock.ts';
import {
  openPaymentOfLink,
  selectIdleOpening,
  selectIdlePlace,
  selectPaymentOfLink,
} from '../../prisma/queries/payment-link.ts';
import { paymentInputOf } from '../../workflow-client/workflow-inputs.ts';
import { hashSecret } from '../../vault/key-secret.ts';
import { clientSecretsOf } from '../../vault/client-secret.ts';
import { type CancelingDependencies, cancelPaymentOfLink } from '../resources/payment-intents/place-of-link.ts';
import { type PaymentIntentDependencies, readIntent } from '../resources/payment-intents/stored-intent.ts';
import type { FoundLink } from './found-link.ts';
import type { VisitorPayment } from './visitor-cookie.ts';

export interface OpeningDependencies extends CancelingDependencies, Pick<PaymentIntentDependencies, 'keyring'> {}

/** When the sweeper first checks that the workflow was started. */
const CHECK_AFTER_MS = 8 * SECOND_MS;

/**
 * Opens a payment of a link. The payment belongs to one browser: whoever has its client secret sees what it is paid with. Where
 * there is no room, an idle payment of another browser is canceled.
 * @param onOpened called before the workflow starts, so that the browser keeps the payment if it cannot be started now
 * @returns null where another browser's payment is under way, or the link was used up, deactivated or has expired meanwhile
 */
export async function openPayment(
  dependencies: OpeningDependencies,
  found: FoundLink,
  onOpened: (payment: VisitorPayment) => void,
): Promise<VisitorPayment | null> {
  const opened =
    (await insertPayment(dependencies, found)) ??
    ((await cancelIdlePayment(dependencies, found)) ? await insertPayment(dependencies, found) : null);
  if (opened === null) return null;
  onOpened(opened.payment);
  await dependencies.workflows.start(paymentInputOf(opened.intent));
  return opened.payment;
}

/**
 * Cancels a browser's payment, so that its customer can pay another way. A payment that has ended, or is charged meanwhile, stays
 * as it is.
 */
export async function cancelPayment(
  dependencies: OpeningDependencies,
  found: FoundLink,
  visitor: VisitorPayment,
): Promise<void> {
  const { database } = dependencies;
  if (!(await isPaymentOfLink(database, found.link.id, visitor))) return;
  const { intent } = await readIntent(database, found.scope, visitor.paymentIntentId);
  if (!isTerminal(intent.status))
    await cancelPaymentOfLink(dependencies, found, { intent, reason: 'requested_by_customer' });
}

/** Cancels an idle payment that keeps a link from another browser; false where there is none. */
async function cancelIdlePayment(dependencies: OpeningDependencies, found: FoundLink): Promise<boolean> {
  const { database } = dependencies;
  const id = await findIdlePayment(database, found);
  if (id === undefined) return false;
  const { intent } = await readIntent(database, found.scope, id);
  await cancelPaymentOfLink(dependencies, found, { intent, reason: 'abandoned' });
  return true;
}

async function insertPayment(
  { database, keyring }: OpeningDependencies,
  found: FoundLink,
): Promise<{ readonly payment: VisitorPayment; readonly intent: IntentRow } | null> {
  const id = newId('paymentIntent');
  const [clientSecret = ''] = clientSecretsOf(keyring, id);
  const { link } = found;
  const statement = openPaymentOfLink(link.id, newIntentOf(found, id, clientSecret));
  const [inserted] = await database.direct.rowsLocked(lockPaymentLink(link.id), statement);
  return inserted === undefined ? null : { payment: { paymentIntentId: id, clientSecret }, intent: inserted.intent };
}

function newIntentOf({ link, scope, attemptBudget, payer }: FoundLink, id: string, clientSecret: string): NewIntent {
  const { currency, reference, description } = link;
  const amountMinor = Number(link.amountMinor);
  const createdAt = new Date();
  return {
    id,
    ...scope,
    terms: { amountMinor, currency, country: payer?.country ?? null, captureMethod: 'automatic', reference },
    description,
    customerId: payer?.customerId ?? null,
    setupFutureUsage: payer?.setupFutureUsage ?? null,
    allowSavedPaymentMethods: payer?.allowSavedPaymentMethods ?? false,
    paymentMethodId: null,
    returnUrl: null,
    metadata: link.metadata,
    clientSecretHash: hashSecret(clientSecret),
    attemptBudget,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + LINK_PAYMENT_EXPIRY_MS),
    checkAt: new Date(createdAt.getTime() + CHECK_AFTER_MS),
    summary: `Created by a payment link: ${formatMoney(amountMinor, currency)}, automatic capture`,
  };
}

/** The id of a payment that may be canceled so that another browser can pay. */
export async function findIdlePayment(database: Database, { link }: FoundLink): Promise<string | undefined> {
  const statement = hasPlace(link) ? selectIdleOpening(link.id) : selectIdlePlace(link.id);
  return (await database.direct.row(statement))?.id;
}

/** Whether fewer payments of a link are paid or under way than it allows. */
export function hasPlace({ maxPayments, paidPayments, openPayments }: FoundLink['link']): boolean {
  return maxPayments === null || paidPayments + openPayments < maxPayments;
}

/** Whether the client secret is that of a payment of the link. */
export async function isPaymentOfLink(
  database: Database,
  paymentLinkId: string,
  { paymentIntentId, clientSecret }: VisitorPayment,
): Promise<boolean> {
  const payment = await database.direct.row(selectPaymentOfLink(paymentLinkId, paymentIntentId));
  return payment?.clientSecretHash === hashSecret(clientSecret);
}
