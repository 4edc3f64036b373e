import type { PaymentCancelResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentCancelResponse.js';
import type { PaymentCaptureResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentCaptureResponse.js';
import type { PaymentDetailsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsResponse.js';
import type { PaymentMethodsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentMethodsResponse.js';
import type { PaymentRefundResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundResponse.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import type { ServiceError } from '@adyen/api-library/lib/src/typings/checkout/serviceError.js';
import type { StandalonePaymentCancelResponse } from '@adyen/api-library/lib/src/typings/checkout/standalonePaymentCancelResponse.js';
import { z } from 'zod';
import type { AdyenBehaviour, FakeAmount, FakePayment } from './payment.ts';
import type { FakeAdyenStore, FakeRefund, FakeReply } from './store.ts';

/** The vendor's types name their values by enums, which exist only in its package. */
type Plain<T> = T extends string ? `${T}` : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;

/** Reports an event by webhook. */
export type Report = (event: {
  readonly eventCode: string;
  readonly success: boolean;
  readonly pspReference: string;
  readonly originalReference?: string;
  readonly merchantReference: string;
  readonly amount: FakeAmount;
  readonly reason?: string;
  /** What else is said of a dispute. */
  readonly dispute?: Readonly<Record<string, string>>;
}) => void;

interface Account {
  readonly merchantAccount: string;
  /** The address of the issuer's page for a payment. */
  readonly challengeUrlOf: (pspReference: string) => string;
  readonly store: FakeAdyenStore;
  readonly report: Report;
}

const amountSchema = z.object({ value: z.int().positive(), currency: z.string().length(3) });
const merchantAccount = z.string();

/** What Adyen's page has encrypted. */
const encrypted = z.string().regex(/^adyenjs_/);

const paymentSchema = z.object({
  merchantAccount,
  amount: amountSchema,
  reference: z.string().min(1).max(80),
  merchantOrderReference: z.string().max(1000).optional(),
  shopperEmail: z.string().max(256).optional(),
  returnUrl: z.url(),
  paymentMethod: z.object({ type: z.literal('scheme') }).and(
    z.union([
      z.object({ storedPaymentMethodId: z.string().max(64) }),
      z.object({
        encryptedCardNumber: encrypted,
        encryptedExpiryMonth: encrypted,
        encryptedExpiryYear: encrypted,
      }),
      z.object({
        number: z.string().regex(/^\d{12,19}$/),
        expiryMonth: z.string().regex(/^\d{2}$/),
        expiryYear: z.string().regex(/^\d{4}$/),
        cvc: z.string().optional(),
        networkPaymentReference: z.string().max(200).optional(),
      }),
    ]),
  ),
  shopperReference: z.string().min(3).max(256).optional(),
  storePaymentMethod: z.boolean().optional(),
  shopperInteraction: z.enum(['Ecommerce', 'ContAuth']),
  recurringProcessingModel: z.enum(['CardOnFile', 'Subscription', 'UnscheduledCardOnFile']).optional(),
  authenticationData: z
    .object({ attemptAuthentication: z.enum(['always', 'never', 'preferNo']).optional() })
    .optional(),
  captureDelayHours: z.int().optional(),
  additionalData: z.record(z.string(), z.string()).optional(),
});

const detailsSchema = z.object({ details: z.object({ redirectResult: z.string().min(1).max(20_000) }) });
const captureSchema = z.object({ merchantAccount, amount: amountSchema, reference: z.string().max(80).optional() });
const cancelSchema = z.object({ merchantAccount, reference: z.string().max(80).optional() });
const standaloneCancelSchema = cancelSchema.extend({ paymentReference: z.string() });

/** A request about an operation that the fake offers. */
interface Operation {
  readonly path: RegExp;
  readonly run: (account: Account, body: unknown, pspReference: string) => FakeReply;
}

/** Its requests name no merchant account. */
export const DETAILS_PATH = /^\/v72\/payments\/details$/;

/** The paths of Checkout v72 that a payment by card needs. */
export const OPERATIONS: readonly Operation[] = [
  { path: /^\/v72\/paymentMethods$/, run: listMethods },
  { path: /^\/v72\/payments$/, run: pay },
  { path: DETAILS_PATH, run: complete },
  { path: /^\/v72\/cancels$/, run: cancelByReference },
  { path: /^\/v72\/payments\/([^/]+)\/cancels$/, run: cancel },
  { path: /^\/v72\/payments\/([^/]+)\/captures$/, run: capture },
  { path: /^\/v72\/payments\/([^/]+)\/refunds$/, run: refund },
];

/** An error in the shape that every path has. */
export function serviceError(status: number, errorCode: string, message: string): FakeReply {
  const errorType = status === 401 || status === 403 ? 'security' : 'validation';
  return { status, body: { status, errorCode, message, errorType } satisfies Plain<ServiceError> };
}

function invalid(error: z.ZodError): FakeReply {
  const path = error.issues[0]?.path.join('.') ?? '';
  if (path === 'paymentMethod.number') return serviceError(422, '101', 'Invalid card number');
  return serviceError(422, '702', `Invalid value of ${path}`);
}

function listMethods(): FakeReply {
  const body = { paymentMethods: [{ type: 'scheme', name: 'Cards' }] } satisfies Plain<PaymentMethodsResponse>;
  return { status: 200, body };
}

function pay(account: Account, body: unknown): FakeReply {
  const request = paymentSchema.safeParse(body);
  if (!request.success) return invalid(request.error);
  const { reference, amount: asked, additionalData, paymentMethod, returnUrl, shopperReference = '' } = request.data;
  const { shopperInteraction, recurringProcessingModel = '', storePaymentMethod = false } = request.data;
  const { store } = account;
  const token = 'storedPaymentMethodId' in paymentMethod ? paymentMethod.storedPaymentMethodId : null;
  const onFile = token === null ? undefined : store.storedCards.find(token, shopperReference);
  if (token !== null && onFile === undefined) return serviceError(422, '803', 'PaymentDetail not found');
  const number = 'number' in paymentMethod ? paymentMethod.number : (onFile?.number ?? null);
  const own = store.behaviourOf(reference, number);
  const isAuthenticated = request.data.authenticationData?.attemptAuthentication === 'always';
  const demanding = own.demandsAuthentication === true ? demanded(own, isAuthenticated) : own;
  const behaviour = own.wantsCustomer === true ? { ...own, ...wanting(shopperInteraction) } : demanding;
  const toKeep = storePaymentMethod && 'number' in paymentMethod ? { ...paymentMethod, shopperReference } : undefined;
  const amount = { ...asked, ...behaviour.authorized };
  const isManual = additionalData?.manualCapture === 'true';
  const pspReference = store.nextReference();
  const payment: FakePayment = {
    pspReference,
    reference,
    amount,
    isManual,
    behaviour,
    ...(toKeep === undefined ? {} : { toKeep }),
    ...(token === null ? {} : { onFile: { token, shopperInteraction, recurringProcessingModel } }),
    returnUrl,
    status: 'open',
    capturedValue: 0,
    refundedValue: 0,
    charges: 0,
  };
  store.payments.set(pspReference, payment);
  const { resultCode = 'Authorised' } = behaviour;
  const named = { pspReference, merchantReference: reference, resultCode };
  if (resultCode === 'RedirectShopper') {
    const method = behaviour.redirectMethod ?? 'GET';
    const url = account.challengeUrlOf(pspReference);
    const action = { type: 'redirect', method, paymentMethodType: 'scheme', url } as const;
    // A payment that waits for the customer has no reference of Adyen's yet.
    return {
      status: 200,
      body: { resultCode, merchantReference: reference, action } satisfies Plain<PaymentResponse>,
    };
  }
  if (resultCode === 'Pending' || resultCode === 'Received') {
    return { status: 200, body: named satisfies Plain<PaymentResponse> };
  }
  return { status: 200, body: end(account, payment, resultCode) satisfies Plain<PaymentResponse> };
}

/** The answer of an issuer that wants the customer. */
function wanting(shopperInteraction: 'Ecommerce' | 'ContAuth'): AdyenBehaviour {
  return shopperInteraction === 'Ecommerce' ? { resultCode: 'RedirectShopper' } : UNAUTHENTICATED;
}

const UNAUTHENTICATED = {
  resultCode: 'Refused',
  refusalReasonCode: '38',
  refusalReason: 'Authentication required',
} as const satisfies AdyenBehaviour;

/** How a payment is treated whose issuer demands authentication. */
function demanded(behaviour: AdyenBehaviour, isAuthenticated: boolean): AdyenBehaviour {
  return { ...behaviour, ...(isAuthenticated ? { resultCode: 'RedirectShopper' } : UNAUTHENTICATED) };
}

/** The customer has come back from the issuer: authorizes or refuses the payment, once. */
function complete(account: Account, body: unknown): FakeReply {
  const request = detailsSchema.safeParse(body);
  if (!request.success) return invalid(request.error);
  const found = account.store.redirectResults.get(request.data.details.redirectResult);
  if (found === undefined) return serviceError(422, '14_030', 'Return URL is missing or invalid');
  const { payment, isAuthenticated } = found;
  if (payment.status !== 'open') return serviceError(422, '14_023', 'Payment has already been completed');
  const { afterChallenge = 'Authorised' } = payment.behaviour;
  const resultCode = isAuthenticated ? afterChallenge : 'Refused';
  const { pspReference, reference: merchantReference } = payment;
  if (resultCode === 'Pending' || resultCode === 'RedirectShopper') {
    const waiting = { pspReference, merchantReference, resultCode };
    return { status: 200, body: waiting satisfies Plain<PaymentDetailsResponse> };
  }
  const refusal = { refusalReasonCode: '11', refusalReason: '3D Not Authenticated' };
  return {
    status: 200,
    body: end(account, payment, resultCode, isAuthenticated ? {} : refusal) satisfies Plain<PaymentDetailsResponse>,
  };
}

type EndCode = Exclude<NonNullable<AdyenBehaviour['resultCode']>, 'Pending' | 'Received' | 'RedirectShopper'>;

/** Decides a payment, and says so as a reply. */
function end(
  account: Account,
  payment: FakePayment,
  resultCode: EndCode,
  refusal: Pick<AdyenBehaviour, 'refusalReasonCode' | 'refusalReason'> = {},
) {
  const { pspReference, reference: merchantReference, amount, behaviour } = payment;
  const { refusalReasonCode = '2', refusalReason = 'Refused' } = { ...behaviour, ...refusal };
  const named = { pspReference, merchantReference, resultCode };
  decide(account, payment, resultCode === 'Authorised', refusalReason);
  if (resultCode !== 'Authorised') return { ...named, refusalReason, refusalReasonCode };
  const { additionalData: shown } = behaviour;
  const data = shown === undefined ? {} : { additionalData: { ...shown } };
  return behaviour.withoutAmount === true ? { ...named, ...data } : { ...named, ...data, amount };
}

/** Authorizes or refuses an open payment, and reports it. */
export function decide({ report, store }: Account, payment: FakePayment, isApproved: boolean, reason: string): void {
  const { pspReference, reference: merchantReference, amount, isManual, toKeep } = payment;
  payment.status = isApproved ? 'held' : 'refused';
  if (isApproved && !isManual) take(payment, amount.value);
  report({
    eventCode: 'AUTHORISATION',
    success: isApproved,
    pspReference,
    merchantReference,
    amount,
    ...(isApproved ? {} : { reason }),
  });
  if (!isApproved || toKeep === undefined) return;
  const { id } = store.storedCards.keep({ ...toKeep, firstPspReference: pspReference });
  const amountOfToken = { value: 0, currency: amount.currency };
  report({
    eventCode: 'RECURRING_CONTRACT',
    success: true,
    pspReference: id,
    originalReference: pspReference,
    merchantReference,
    amount: amountOfToken,
  });
}

/** Ends an open payment whose customer did not come in time, and reports it. */
export function abandon({ report }: Account, payment: FakePayment): void {
  const { pspReference, reference: merchantReference, amount } = payment;
  if (payment.status !== 'open') return;
  payment.status = 'refused';
  report({ eventCode: 'OFFER_CLOSED', success: true, pspReference, merchantReference, amount });
}

function take(payment: FakePayment, value: number): void {
  payment.status = 'captured';
  payment.capturedValue = value;
  payment.charges += 1;
}

function cancel(account: Account, body: unknown, paymentPspReference: string): FakeReply {
  const request = cancelSchema.safeParse(body);
  if (!request.success) return invalid(request.error);
  const { store, merchantAccount } = account;
  const payment = store.payments.get(paymentPspReference);
  if (payment === undefined) return paymentNotFound();
  const pspReference = store.nextReference();
  endHold(account, payment, 'CANCELLATION', pspReference);
  const reply = {
    merchantAccount,
    paymentPspReference,
    pspReference,
    status: 'received',
  } as const satisfies Plain<PaymentCancelResponse>;
  return { status: 201, body: reply };
}

function cancelByReference(account: Account, body: unknown): FakeReply {
  const request = standaloneCancelSchema.safeParse(body);
  if (!request.success) return invalid(request.error);
  const { store, merchantAccount, report } = account;
  const { paymentReference } = request.data;
  const pspReference = store.nextReference();
  const found = store.paymentsWith(paymentReference);
  for (const payment of found) endHold(account, payment, 'TECHNICAL_CANCEL', pspReference);
  if (found.length === 0) {
    const reason = 'Original pspReference required for this operation';
    const amount = { value: 0, currency: 'EUR' };
    const merchantReference = paymentReference;
    report({ eventCode: 'TECHNICAL_CANCEL', success: false, pspReference, merchantReference, amount, reason });
  }
  const reply = {
    merchantAccount,
    paymentReference,
    pspReference,
    status: 'received',
  } as const satisfies Plain<StandalonePaymentCancelResponse>;
  return { status: 201, body: reply };
}

function endHold({ report }: Account, payment: FakePayment, eventCode: string, pspReference: string): void {
  const { amount, reference: merchantReference, pspReference: originalReference } = payment;
  const success = payment.status === 'held';
  if (success) payment.status = 'canceled';
  const reason = success ? '' : 'Transaction not in correct state for cancel';
  report({ eventCode, success, pspReference, originalReference, merchantReference, amount, reason });
}

function capture(account: Account, body: unknown, paymentPspReference: string): FakeReply {
  const request = captureSchema.safeParse(body);
  if (!request.success) return invalid(request.error);
  const { store, merchantAccount, report } = account;
  const payment = store.payments.get(paymentPspReference);
  if (payment === undefined) return paymentNotFound();
  const { amount, reference } = request.data;
  const pspReference = store.nextReference();
  const success =
    payment.status === 'held' && amount.value <= payment.amount.value && payment.behaviour.capture !== 'refused';
  if (success) take(payment, amount.value);
  report({
    eventCode: 'CAPTURE',
    success,
    pspReference,
    originalReference: payment.pspReference,
    merchantReference: reference ?? payment.reference,
    amount,
    reason: success ? '' : 'Insufficient balance on payment',
  });
  const reply = {
    merchantAccount,
    paymentPspReference,
    pspReference,
    amount,
    status: 'received',
  } as const satisfies Plain<PaymentCaptureResponse>;
  return { status: 201, body: reply };
}

function refund(account: Account, body: unknown, paymentPspReference: string): FakeReply {
  const request = captureSchema.safeParse(body);
  if (!request.success) return invalid(request.error);
  const { store, merchantAccount } = account;
  const payment = store.payments.get(paymentPspReference);
  if (payment === undefined) return paymentNotFound();
  const { amount, reference = payment.reference } = request.data;
  const made: FakeRefund = { pspReference: store.nextReference(), reference, payment, amount, status: 'waiting' };
  store.refunds.push(made);
  if (payment.behaviour.refund === 'waiting') store.waitingRefunds.set(reference, made);
  else endRefund(account, made, payment.behaviour.refund !== 'refused');
  const reply = {
    merchantAccount,
    paymentPspReference,
    pspReference: made.pspReference,
    reference,
    amount,
    status: 'received',
  } as const satisfies Plain<PaymentRefundResponse>;
  return { status: 201, body: reply };
}

/** Ends a refund, unless there is less left than it asks for. */
export function endRefund({ report }: Account, refund: FakeRefund, isApproved: boolean): void {
  const { pspReference, reference: merchantReference, payment, amount } = refund;
  const success = isApproved && amount.value <= payment.capturedValue - payment.refundedValue;
  refund.status = success ? 'refunded' : 'refused';
  if (success) payment.refundedValue += amount.value;
  report({
    eventCode: 'REFUND',
    success,
    pspReference,
    originalReference: payment.pspReference,
    merchantReference,
    amount,
    reason: success ? '' : 'Insufficient balance on payment',
  });
}

function paymentNotFound(): FakeReply {
  return serviceError(422, '167', 'Original pspReference required for this operation');
}
