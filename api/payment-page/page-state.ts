import { currencyExponent } from '../../domain/currencies.ts';
import type { Environment, MaskedPaymentMethod, PaymentMethodType } from '../../domain/payment.ts';
import { isTerminal, type PaymentStatus } from '../../domain/payment-state.ts';
import { type PaymentLinkStatus, paymentLinkStatus } from '../../domain/payment-link.ts';
import type { FutureUsage } from '../../domain/saved-payment-method.ts';
import type { UsableSavedMethod } from '../../contract/schemas/payment-intent-resource.ts';
import { presentUsableSaved } from '../../contract/presenters/saved-payment-method.ts';
import { selectSavedOfCustomer } from '../../prisma/queries/saved-payment-method.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { readIntent } from '../resources/payment-intents/stored-intent.ts';
import type { FoundLink, PublicProfile } from './found-link.ts';
import { findIdlePayment, hasPlace, isPaymentOfLink } from './open-payment.ts';
import type { VisitorPayment } from './visitor-cookie.ts';

/** What the page of a link shows. Amount and description are null where nothing can be paid. */
export interface PageState {
  readonly object: 'payment_page';
  /**
   * `unavailable`: the merchant takes no payments now. `busy`: as many payments are under way in other browsers as may succeed.
   */
  readonly status: PaymentLinkStatus | 'unavailable' | 'busy';
  readonly environment: Environment;
  /** What customers call the merchant. */
  readonly merchantName: string;
  readonly profile: PublicProfile;
  readonly amount: number | null;
  readonly currency: string | null;
  /** Digits after the point in amounts of the currency. */
  readonly currencyDigits: number;
  readonly description: string | null;
  readonly reference: string | null;
  readonly methods: readonly PaymentMethodType[];
  /** What the page offers to save a card for; null for nothing. */
  readonly savesCardFor: FutureUsage | null;
  /** The saved cards of the link's customer, the preferred one first; none where the merchant does not vouch for the customer. */
  readonly savedCards: readonly UsableSavedMethod[];
  /** The payment that this browser has opened last. */
  readonly payment: PagePayment | null;
}

interface PagePayment {
  readonly id: string;
  readonly status: PaymentStatus;
  /** Null after the end of the payment. */
  readonly clientSecret: string | null;
  /** How long the customer may still pay; below 0 after that. */
  readonly expiresInMs: number;
  readonly statusSince: string;
  /** What it was paid by, masked. */
  readonly paidBy: MaskedPaymentMethod | null;
}

/** What the page of a link shows to a browser. @param visitor what its cookie says, null where it has none */
export async function readPageState(
  database: Database,
  found: FoundLink,
  visitor: VisitorPayment | null,
): Promise<PageState> {
  const payment = visitor === null ? null : await readPayment(database, found, visitor);
  const status = await statusFor(database, found, payment);
  const { link, scope, merchantName, profile, methods, payer } = found;
  const isShown = status === 'active' || status === 'busy' || payment !== null;
  return {
    object: 'payment_page',
    status,
    environment: scope.environment,
    merchantName,
    profile,
    amount: isShown ? Number(link.amountMinor) : null,
    currency: isShown ? link.currency : null,
    currencyDigits: currencyExponent(link.currency),
    description: isShown ? link.description : null,
    reference: isShown ? link.reference : null,
    methods: isShown ? methods : [],
    savesCardFor: payer?.setupFutureUsage ?? null,
    savedCards: status === 'active' ? await readSavedCards(database, found) : [],
    payment,
  };
}

async function readSavedCards(
  { direct }: Database,
  { scope, payer }: FoundLink,
): Promise<readonly UsableSavedMethod[]> {
  if (payer?.allowSavedPaymentMethods !== true) return [];
  return (await direct.rows(selectSavedOfCustomer(payer.customerId, scope))).map(presentUsableSaved);
}

async function statusFor(
  database: Database,
  found: FoundLink,
  payment: PagePayment | null,
): Promise<PageState['status']> {
  if (found.isSuspended) return 'unavailable';
  const status = paymentLinkStatus(found.link, Date.now());
  const isUnderWayHere =
    payment !== null && !isTerminal(payment.status) && payment.status !== 'requires_payment_method';
  if (status !== 'active' || isUnderWayHere || hasPlace(found.link)) return status;
  return (await findIdlePayment(database, found)) === undefined ? 'busy' : status;
}

/** The payment that a browser names; null if it is not one of the link's, or was purged. */
async function readPayment(
  database: Database,
  { link, scope }: FoundLink,
  visitor: VisitorPayment,
): Promise<PagePayment | null> {
  if (!(await isPaymentOfLink(database, link.id, visitor))) return null;
  const { intent, paymentMethod } = await readIntent(database, scope, visitor.paymentIntentId);
  return {
    id: intent.id,
    status: intent.status,
    clientSecret: isTerminal(intent.status) ? null : visitor.clientSecret,
    expiresInMs: Date.parse(intent.expires_at) - Date.now(),
    statusSince: new Date(intent.status_since).toISOString(),
    paidBy: paymentMethod?.masked ?? null,
  };
}
