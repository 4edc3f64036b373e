import { invalidFields } from '../../../contract/validation.ts';
import { mismatchMessage } from '../../../contract/field-messages.ts';
import { detailsOf, type PaymentMethodInput } from '../../../contract/schemas/payment-method.ts';
import type { ConsentInput } from '../../../contract/schemas/saved-payment-method.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Environment } from '../../../domain/payment.ts';
import type { Principal } from '../../../domain/principal.ts';
import {
  type Consent,
  CURRENCY_WITHOUT_NUMBERS,
  type FutureUsage,
  MAXIMUM_SAVED_METHODS,
} from '../../../domain/saved-payment-method.ts';
import type { AgreedSave } from '../../../prisma/queries/payment-method.ts';
import { countOtherSavedMethods } from '../../../prisma/queries/saved-payment-method.ts';
import { type CardToSave, savedCardFingerprints } from '../../../vault/payment-method-vault.ts';
import type { PaymentIntentDependencies } from './stored-intent.ts';

/** The payment whose card is to be saved. */
export interface SavingPayment {
  readonly customerId: string | null;
  readonly currency: string;
  readonly setupFutureUsage: FutureUsage | null;
}

/** What a confirm says about saving its card. */
interface SavingRequest {
  readonly setupFutureUsage?: FutureUsage | null | undefined;
  readonly consent?: ConsentInput | undefined;
}

/**
 * What the customer agrees to with a confirm; null where nothing is saved. A page saves only what the customer has ticked, and no
 * more than the merchant allows.
 * @throws ApiError `MISSING_REQUIRED_FIELD` without a customer, or without a consent where the merchant may charge alone
 */
export function agreementOf(
  principal: Principal,
  { setupFutureUsage: asked, consent }: SavingRequest,
  payment: SavingPayment,
): AgreedSave | null {
  const isPage = principal.onlyPaymentIntentId !== undefined;
  const usage = asked === undefined && !isPage ? payment.setupFutureUsage : (asked ?? null);
  if (usage === null) return null;
  if (isPage && usage !== payment.setupFutureUsage) throw notAllowed(payment.setupFutureUsage);
  if (payment.customerId === null) throw missing('customerId', 'the customer for whom the card is saved');
  if (!isPage && usage === 'off_session' && consent === undefined) {
    throw missing('consent', 'what the customer has agreed to, because setupFutureUsage is off_session');
  }
  return { usage, consent: consentOf(principal, consent) };
}

function consentOf({ pageAddress, pageUserAgent }: Principal, given: ConsentInput | undefined): Consent | null {
  const acceptedAt = new Date().toISOString();
  const { text = null } = given ?? {};
  if (pageAddress !== undefined) return { acceptedAt, ipAddress: pageAddress, userAgent: pageUserAgent ?? null, text };
  if (given === undefined) return null;
  const { ipAddress = null, userAgent = null } = given;
  const at = given.acceptedAt === undefined ? acceptedAt : new Date(given.acceptedAt).toISOString();
  return { acceptedAt: at, ipAddress, userAgent, text };
}

/**
 * How the card of a method is saved once a payment with it is approved; undefined where it is not.
 * @param agreed null where the customer may still agree, with a confirm of the stored method
 * @throws ApiError `INVALID_PAYMENT_METHOD` where the customer has agreed and the method cannot be saved; `LIMIT_EXCEEDED`
 */
export async function cardToSave(
  { database, keyring, storeCards = null }: PaymentIntentDependencies,
  principal: Principal,
  {
    method,
    payment,
    agreed,
  }: { readonly method: PaymentMethodInput; readonly payment: SavingPayment; readonly agreed: AgreedSave | null },
): Promise<CardToSave | undefined> {
  const { customerId, currency, setupFutureUsage } = payment;
  if (customerId === null || (agreed === null && setupFutureUsage === null)) return undefined;
  const details = detailsOf(method);
  if (details.type !== 'card') {
    if (agreed === null) return undefined;
    throw notSavable('a card by its number, because setupFutureUsage is set', 'another payment method');
  }
  const fingerprints = savedCardFingerprints(keyring, principal, customerId, details);
  const others = await database.direct.row(countOtherSavedMethods(customerId, principal, fingerprints));
  if ((others?.total ?? 0) >= MAXIMUM_SAVED_METHODS) throw customerFull();
  return { customerId, agreed, storesNumber: storesNumbers(storeCards, principal.environment, currency) };
}

/** Whether card numbers are kept beyond a payment: the operator's choice, and never where the law of the currency forbids it. */
function storesNumbers(storeCards: boolean | null, environment: Environment, currency: string): boolean {
  return currency !== CURRENCY_WITHOUT_NUMBERS && (storeCards ?? environment === 'sandbox');
}

/** The refusal of a stored method that was not stored to be saved. */
export function notStoredToSave(): ApiError {
  return notSavable(
    'a payment method that was stored while the payment had setupFutureUsage and its customer',
    'another one',
  );
}

/** The refusal to save a saved payment method. */
export function savedAlready(): ApiError {
  return notSavable('null, because the payment method is saved already', 'another value');
}

function notSavable(expected: string, received: string): ApiError {
  const message = mismatchMessage(expected, received, 'Send setupFutureUsage as null to pay without saving.');
  return invalidFields([{ field: 'setupFutureUsage', code: 'invalid', message, soleCode: 'INVALID_PAYMENT_METHOD' }]);
}

function notAllowed(allowed: FutureUsage | null): ApiError {
  const expected = allowed === null ? 'null, because the merchant saves no card' : `${allowed} or null`;
  const message = mismatchMessage(expected, 'another value');
  return invalidFields([{ field: 'setupFutureUsage', code: 'invalid', message }]);
}

function missing(field: string, expected: string): ApiError {
  const message = mismatchMessage(expected, 'nothing', `Add ${field}, or send setupFutureUsage as null.`);
  return invalidFields([{ field, code: 'required', message, soleCode: 'MISSING_REQUIRED_FIELD' }]);
}

function customerFull(): ApiError {
  return new ApiError('LIMIT_EXCEEDED', {
    message: `This customer has ${MAXIMUM_SAVED_METHODS} saved payment methods, and may have no more. Remove one of them.`,
    details: { limit: MAXIMUM_SAVED_METHODS },
  });
}
