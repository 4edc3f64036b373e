import { formatMoney } from '../../domain/money.ts';
import { newId } from '../../domain/new-id.ts';
import { LINK_PAYMENT_EXPIRY_MS } from '../../domain/payment-link.ts';
import { isTerminal } from '../../domain/payment-state.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/client.ts';
import type { NewIntent } from '../../prisma/insert-intent.ts';
import type { IntentRow } from '../../prisma/queries/payment-intent.ts';
import { lockPaymentLink } from '../../prisma/queries/lock.ts';
import { openPaymentOfLink, selectPaymentOfLink, selectUnconfirmedPayment } from '../../prisma/queries/payment-link.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { paymentInputOf } from '../../workflows/client/workflow-inputs.ts';
import type { PaymentWorkflows } from '../../workflows/client/payment-workflows.ts';
import { hashSecret } from '../middleware/authentication/credentials.ts';
import { clientSecretsOf } from '../resources/payment-intents/client-secret.ts';
import { readIntent } from '../resources/payment-intents/stored-intent.ts';
import type { FoundLink } from './found-link.ts';
import type { VisitorPayment } from './visitor-cookie.ts';

export interface OpeningDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly workflows: Pick<PaymentWorkflows, 'start' | 'cancel'>;
  /** How long an operation waits for its outcome. */
  readonly confirmWaitMs: number;
}

/** When the sweeper first checks that the workflow was started. */
const CHECK_AFTER_MS = 8 * SECOND_MS;

/**
 * Opens a payment of a link, or takes the one that another browser has opened and nobody has confirmed, if the link allows no
 * further one. So the page of a link that can be paid once works on in another browser, and all browsers pay the same payment.
 * @param onOpened called before the workflow starts, so that the browser keeps the payment if it cannot be started now
 * @returns null where another browser's payment is under way, or the link was used up, deactivated or has expired meanwhile
 */
export async function openPayment(
  dependencies: OpeningDependencies,
  found: FoundLink,
  onOpened: (payment: VisitorPayment) => void,
): Promise<VisitorPayment | null> {
  const opened = await insertPayment(dependencies, found);
  if (opened === null) {
    const shared = found.link.maxPayments === null ? null : await findUnconfirmed(dependencies, found);
    if (shared !== null) onOpened(shared);
    return shared;
  }
  onOpened(opened.payment);
  await dependencies.workflows.start(paymentInputOf(opened.intent));
  return opened.payment;
}

/** Cancels a browser's payment, so that its customer can pay another way. What has ended, or is charged meanwhile, stays so. */
export async function cancelPayment(
  { database, workflows, confirmWaitMs }: OpeningDependencies,
  { link, scope }: FoundLink,
  visitor: VisitorPayment,
): Promise<void> {
  if (!(await isPaymentOfLink(database, link.id, visitor))) return;
  const { intent } = await readIntent(database, scope, visitor.paymentIntentId);
  if (isTerminal(intent.status)) return;
  // The page's own key for the operation: a second click repeats the first.
  await workflows.cancel(
    intent.id,
    `${intent.id}:page:${intent.version}`,
    { reason: 'requested_by_customer' },
    confirmWaitMs,
  );
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

function newIntentOf({ link, scope, attemptBudget }: FoundLink, id: string, clientSecret: string): NewIntent {
  const { currency, reference, description } = link;
  const amountMinor = Number(link.amountMinor);
  const createdAt = new Date();
  return {
    id,
    ...scope,
    terms: { amountMinor, currency, country: null, captureMethod: 'automatic', reference },
    description,
    customerId: null,
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

/** The payment of the link that any browser may confirm; null where there is none. */
export async function findUnconfirmed(
  { database, keyring }: Pick<OpeningDependencies, 'database' | 'keyring'>,
  { link }: FoundLink,
): Promise<VisitorPayment | null> {
  const found = await database.direct.row(selectUnconfirmedPayment(link.id));
  if (found === undefined) return null;
  const payments = clientSecretsOf(keyring, found.id).map((clientSecret) => ({
    paymentIntentId: found.id,
    clientSecret,
  }));
  for (const payment of payments) if (await isPaymentOfLink(database, link.id, payment)) return payment;
  return null;
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
