import type { Approved, AuthorizationOutcome, Declined } from '../../domain/provider-outcome.ts';
import type { CaptureMethod, MaskedCard } from '../../domain/payment.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import { noteUnknownValue } from '../reported-values.ts';
import { refusalOf } from './error-codes.ts';
import { captureBeforeOf } from './hold-validity.ts';
import type { PaymentReply } from './messages.ts';
import { type AdyenAmount, fromAdyenAmount } from './money.ts';

type PaymentOutcome = Exclude<AuthorizationOutcome, { kind: 'unrecognised' }>;

/** The request that a reply answers. */
interface Answered {
  readonly captureMethod: CaptureMethod;
  /** Whether the customer can be sent to the issuer, and comes back with a result that was not sent yet. */
  readonly canRedirect: boolean;
  /** When the attempt was begun, ISO 8601 UTC: no later than its hold. */
  readonly startedAt: string;
}

type Translate = (reply: PaymentReply, answered: Answered) => PaymentOutcome;

/** Every `resultCode` that a payment by card can have. */
const OUTCOME_BY_RESULT: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ['Authorised', approvalOf],
  ['PartiallyAuthorised', approvalOf],
  ['Refused', declineOf],
  ['Error', declineOf],
  ['Cancelled', declineOf],
  ['Pending', pendingOf],
  ['Received', pendingOf],
  ['PresentToShopper', pendingOf],
  ['RedirectShopper', redirectOf],
  ['IdentifyShopper', actionDeclined],
  ['ChallengeShopper', actionDeclined],
]);

/**
 * Translates the reply to a payment request. A result that is new at Adyen leaves the outcome open.
 * @throws ProviderOutageError where the reply does not tell the outcome
 */
export function outcomeOf(reply: PaymentReply, answered: Answered): PaymentOutcome {
  const translate = OUTCOME_BY_RESULT.get(reply.resultCode);
  if (translate !== undefined) return translate(reply, answered);
  noteUnknownValue('adyen resultCode', reply.resultCode);
  return { kind: 'pending', providerPaymentId: reply.pspReference ?? null };
}

/** A reply need not have the amount; then the webhook, which always has it, brings the outcome. */
function approvalOf(reply: PaymentReply, { captureMethod, startedAt }: Answered): PaymentOutcome {
  const { amount } = reply;
  if (amount == null) return pendingOf(reply);
  const money = moneyOf(amount);
  const captureBefore = captureBeforeOf(reply.additionalData?.paymentMethod, new Date(startedAt));
  const isCaptured = captureMethod === 'automatic';
  const approval = isCaptured ? approved(paymentIdOf(reply), money) : held(paymentIdOf(reply), money, captureBefore);
  const card = cardOf(reply);
  return card === null ? approval : { ...approval, card };
}

/** Adyen's names of brands that have other names here. */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ['mc', 'mastercard'],
  ['amex', 'american_express'],
  ['diners', 'diners_club'],
  ['cup', 'unionpay'],
]);

function cardOf({ additionalData }: PaymentReply): MaskedCard | null {
  const { cardSummary: last4, paymentMethod: brand = 'unknown', expiryDate } = additionalData ?? {};
  if (last4 === undefined) return null;
  const [expiryMonth = null, expiryYear = null] = expiryDate?.split('/').map(Number) ?? [];
  return { type: 'card', brand: BRANDS.get(brand) ?? brand, last4, expiryMonth, expiryYear };
}

type Money = Pick<Approved, 'amountMinor' | 'currency'>;

/** The whole amount is captured. With automatic capture Adyen captures at once and reports no capture. */
export function approved(providerPaymentId: string, money: Money): Approved {
  return { kind: 'approved', providerPaymentId, ...money, captured: true };
}

/** The whole amount is held. @param captureBefore ISO 8601 UTC; undefined where it is not known */
export function held(providerPaymentId: string, money: Money, captureBefore: string | undefined): Approved {
  const until = captureBefore === undefined ? {} : { captureBefore };
  return { kind: 'approved', providerPaymentId, ...money, captured: false, ...until };
}

function declineOf({ refusalReasonCode, pspReference, additionalData }: PaymentReply): PaymentOutcome {
  return refusalOf(refusalReasonCode, pspReference ?? null, additionalData);
}

function pendingOf(reply: PaymentReply): PaymentOutcome {
  return { kind: 'pending', providerPaymentId: paymentIdOf(reply) };
}

/** Accepts only an address that a link can open: a redirect by POST would need a page of ours. */
function redirectOf(reply: PaymentReply, { canRedirect }: Answered): PaymentOutcome {
  const { action, pspReference } = reply;
  const isLink = action?.type === 'redirect' && (action.method ?? 'GET').toUpperCase() === 'GET';
  if (!canRedirect || !isLink || action.url === undefined || !isWebAddress(action.url))
    return actionDeclined(reply, { canRedirect });
  const nextAction = { type: 'redirect', url: action.url } as const;
  return { kind: 'requires_action', providerPaymentId: pspReference ?? null, nextAction };
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/**
 * Final, because the engine does not pass on the address or the data with which the customer could act. Another try here asks for the
 * same action, unless the customer can be sent to the issuer then.
 */
function actionDeclined({ pspReference }: PaymentReply, { canRedirect }: Pick<Answered, 'canRedirect'>): Declined {
  const message =
    "The card's issuer asks for authentication (3-D Secure) in a way that this provider does not offer here.";
  const advice = canRedirect ? 'elsewhere' : 'authenticate';
  return { kind: 'declined', providerPaymentId: pspReference ?? null, code: 'CARD_DECLINED', message, advice };
}

/** The customer was not authenticated by 3-D Secure. */
export const NOT_AUTHENTICATED: Declined = {
  kind: 'declined',
  providerPaymentId: null,
  code: 'CARD_DECLINED',
  details: { reason: 'authentication_failed' },
  advice: 'authenticate',
};

function paymentIdOf({ pspReference }: PaymentReply): string {
  if (pspReference === undefined) throw unreadable('it names no payment');
  return pspReference;
}

/** @throws ProviderOutageError if the amount is not one that could have been requested */
export function moneyOf(amount: AdyenAmount): Pick<Approved, 'amountMinor' | 'currency'> {
  const money = fromAdyenAmount(amount);
  if (money === null) throw unreadable('its amount is no whole number of minor units');
  return money;
}

function unreadable(reason: string): ProviderOutageError {
  return new ProviderOutageError('TSP_ERROR', `the provider's answer cannot be read: ${reason}`);
}
