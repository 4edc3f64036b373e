import type { PaymentCancelRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentCancelRequest.js';
import type { PaymentCaptureRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentCaptureRequest.js';
import type { PaymentDetailsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsRequest.js';
import type { PaymentRefundRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundRequest.js';
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { StandalonePaymentCancelRequest } from '@adyen/api-library/lib/src/typings/checkout/standalonePaymentCancelRequest.js';
import {
  type AuthorizationOutcome,
  type CaptureOutcome,
  type Declined,
  type InquiryOutcome,
  isFinal,
  type RefundInquiryOutcome,
  type RefundOutcome,
  type Unrecognised,
} from '../../domain/provider-outcome.ts';
import { CAPTURE_METHODS } from '../../domain/payment.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { amountProblem } from '../amount-problems.ts';
import {
  type AuthorizationRequest,
  type CaptureRequest,
  type InquiryRequest,
  isWithoutCustomer,
  type MethodToCharge,
  type PaymentProvider,
  type ProviderCapabilities,
  type RefundInquiryRequest,
  type RefundRequest,
} from '../payment-provider.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import { unknownToken } from '../unknown-token.ts';
import type { ProviderAnswer } from '../provider-http.ts';
import type { ProviderAccountSettings, ProviderKind } from '../provider-kind.ts';
import {
  type Ask,
  type Call,
  checkCredentials,
  createCaller,
  createDisputeCaller,
  errorCodeOf,
  isSuccess,
  readAnswer,
  requireAnswerOfAdyen,
  requireSuccess,
  unrecognised,
} from './client.ts';
import {
  ADYEN_CREDENTIALS,
  type AdyenCredentials,
  adyenCredentialsSchema,
  mayReplaceCredentials,
} from './credentials.ts';
import { acceptDispute, problemWithEvidence, submitEvidence } from './dispute-answers.ts';
import { requestErrorOf } from './error-codes.ts';
import {
  detailsReplySchema,
  paymentReferenceOf,
  type PaymentReply,
  paymentReplySchema,
  receivedSchema,
  refundReceivedSchema,
} from './messages.ts';
import { toAdyenAmount } from './money.ts';
import { moneyOf, NOT_AUTHENTICATED, outcomeOf } from './outcomes.ts';
import { agreementOf, readCredential, removeCredential, UNKNOWN_TOKEN_ERRORS } from './saved-cards.ts';
import { readSettlementReport } from './settlement-report.ts';
import { readToken } from './token.ts';
import { readWebhook } from './webhook.ts';

type Settings = ProviderAccountSettings<AdyenCredentials>;

const CAPABILITIES: ProviderCapabilities = {
  methods: ['card'],
  captureMethods: CAPTURE_METHODS,
  providerTokens: true,
  problemWith: (payment) => amountProblem(payment, (money) => toAdyenAmount(money) !== null),
  partialCapture: true,
  inquiry: 'repeat',
  closing: 'by_webhook',
  capturing: 'by_webhook',
  references: 'ours',
  requestsPerSecond: null,
  storedCredentials: { tokens: true, offSession: true, networkTransactionIds: true },
};

/** Adyen keeps idempotency keys for at least 7 days. After that a repeat could charge or refund again. */
const KEY_VALID_MS = 6 * DAY_MS;

/**
 * The return address that Adyen requires of every payment if the engine has none. Nobody is sent there, because redirects are
 * then declined.
 */
const UNUSED_RETURN_URL = 'https://www.adyen.com/';

const NO_SUCH_AMOUNT = 'Adyen does not take this currency, or no fractions of it.';

/** Adyen's Checkout API, for payments by card. */
export const ADYEN: ProviderKind<AdyenCredentials> = {
  label: 'Adyen',
  description: 'cards at your own Adyen account',
  schema: adyenCredentialsSchema,
  credentials: ADYEN_CREDENTIALS,
  capabilities: CAPABILITIES,
  disputeAnswers: { problemWith: problemWithEvidence },
  create: createAdyenProvider,
  check: checkCredentials,
  mayReplace: mayReplaceCredentials,
  readSettlementReport,
};

/** One merchant account at Adyen. */
interface Account {
  readonly merchantAccount: string;
  readonly call: Call;
  readonly ask: Ask;
}

/** @throws RangeError where a production account has no prefix of the live addresses */
function createAdyenProvider(settings: Settings): PaymentProvider {
  const { name, credentials } = settings;
  const { merchantAccount } = credentials;
  const account: Account = { merchantAccount, ...createCaller(settings) };
  const disputes = { merchantAccount, call: createDisputeCaller(settings) };
  return {
    name,
    capabilities: CAPABILITIES,
    authorize: (request, signal) => authorize(account, request, signal),
    canAuthenticate: ({ returnUrl, engineReturnUrl }) => returnUrl !== null && engineReturnUrl !== null,
    inquire: (request, signal) => inquire(account, request, signal),
    close: (request, signal) => close(account, request, signal),
    capture: (request, signal) => capture(account, request, signal),
    refund: (request, signal) => refund(account, request, signal),
    inquireRefund: (request, signal) => inquireRefund(account, request, signal),
    readCredential: (reference, signal) => readCredential(account.ask, merchantAccount, reference, signal),
    removeCredential: (removal, signal) => removeCredential(account.ask, merchantAccount, removal, signal),
    submitEvidence: (answer, signal) => submitEvidence(disputes, answer, signal),
    acceptDispute: (answer, signal) => acceptDispute(disputes, answer, signal),
    parseWebhook: (rawBody) => readWebhook(name, credentials, rawBody),
  };
}

async function authorize(
  account: Account,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<AuthorizationOutcome> {
  const answer = await sendPayment(account, request, signal);
  return 'kind' in answer ? answer : authorizationOutcomeOf(answer, request);
}

/** @returns a decline where Adyen cannot take the payment, else its answer */
async function sendPayment(
  { call, merchantAccount }: Account,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<Declined | ProviderAnswer> {
  const body = paymentBody(request, merchantAccount);
  if ('kind' in body) return body;
  requireFreshKey(Date.parse(request.startedAt));
  return call('/payments', body, request.attemptId, signal);
}

function authorizationOutcomeOf(answer: ProviderAnswer, request: AuthorizationRequest): AuthorizationOutcome {
  if (!isSuccess(answer)) {
    const isAboutToken = request.method.type === 'saved_card_token' && UNKNOWN_TOKEN_ERRORS.has(errorCodeOf(answer));
    return isAboutToken ? unknownToken() : (requestErrorOf(errorCodeOf(answer)) ?? unrecognised(answer));
  }
  const { captureMethod, startedAt } = request;
  const reply = readReply(answer, paymentReferenceOf(request));
  return outcomeOf(reply, { captureMethod, canRedirect: canRedirect(request), startedAt });
}

/** What a webhook has reported; else the outcome of a repeat, which has the key of the first request. */
async function inquire(account: Account, request: InquiryRequest, signal: AbortSignal): Promise<InquiryOutcome> {
  const reported = await request.loadReported();
  if (reported !== null) return reported;
  requireFreshKey(Date.parse(request.startedAt));
  const returned = await request.customerReturn.begin();
  if (returned.status === 'closed') return { kind: 'not_charged' };
  if (returned.status === 'returned') return complete(account, request, returned.result, signal);
  const authorization = await request.loadAuthorization().catch(() => {
    throw new ProviderOutageError('TSP_ERROR', 'no webhook has reported the outcome, and no repeat is possible');
  });
  const answer = await sendPayment(account, authorization, signal);
  if ('kind' in answer) return answer;
  const outcome = authorizationOutcomeOf(requireAnswerOfAdyen(answer), authorization);
  return outcome.kind === 'unrecognised' ? requestRefused(outcome) : outcome;
}

/** Sends the result with which the customer has come back. Only then can the payment charge. */
async function complete(
  { call }: Account,
  request: InquiryRequest,
  redirectResult: string,
  signal: AbortSignal,
): Promise<InquiryOutcome> {
  const body = { details: { redirectResult } } satisfies PaymentDetailsRequest;
  const answer = await call('/payments/details', body, `${request.attemptId}-details`, signal);
  // If Adyen had accepted an earlier request, the repeat would have got its reply.
  if (!isSuccess(requireAnswerOfAdyen(answer))) return requestErrorOf(errorCodeOf(answer)) ?? NOT_AUTHENTICATED;
  const reply = readAnswer(answer, detailsReplySchema);
  // The result is that of another payment. Only one result is ever sent for a payment, so this one cannot charge any more.
  if (reply.merchantReference !== paymentReferenceOf(request)) return NOT_AUTHENTICATED;
  const { captureMethod, startedAt } = request;
  const outcome = outcomeOf(reply, { captureMethod, canRedirect: false, startedAt });
  if (outcome.kind === 'requires_action') throw new RangeError('a result was sent, and can be sent only once');
  return outcome;
}

/** Cancels the payment, unless it has ended; a webhook says whether the cancel came in time. */
async function close(account: Account, request: InquiryRequest, signal: AbortSignal): Promise<InquiryOutcome> {
  const reported = await request.loadReported();
  if (reported === null && (await request.customerReturn.close())) return { kind: 'not_charged' };
  const known = reported ?? (await repeatCompletion(account, request, signal));
  if (known !== null && isFinal(known) && !isHeld(known)) return known;
  const providerPaymentId = request.providerPaymentId ?? paymentIdIn(known);
  const { path, body, key } = cancellationOf(request, providerPaymentId, account.merchantAccount);
  const answer = await account.call(path, body, key, signal);
  const { pspReference } = readAnswer(requireSuccess(answer), receivedSchema);
  return { kind: 'pending', providerPaymentId: providerPaymentId ?? pspReference };
}

/**
 * Sends a result once more that may never have reached Adyen. Null if there is none, if Adyen may no longer recognise a repeat,
 * and if Adyen does not answer: then the cancel uses the id or reference that is known.
 */
async function repeatCompletion(
  account: Account,
  request: InquiryRequest,
  signal: AbortSignal,
): Promise<InquiryOutcome | null> {
  if (!isFreshKey(Date.parse(request.startedAt))) return null;
  const returned = await request.customerReturn.begin();
  if (returned.status !== 'returned') return null;
  return complete(account, request, returned.result, signal).catch((error: unknown) => {
    if (error instanceof ProviderOutageError) return null;
    throw error;
  });
}

async function capture(
  { call, merchantAccount }: Account,
  { attemptId, providerPaymentId, amountMinor, currency, refusedBefore = 0 }: CaptureRequest,
  signal: AbortSignal,
): Promise<CaptureOutcome> {
  if (providerPaymentId === null) throw new RangeError(`${attemptId} has no payment to capture`);
  const amount = toAdyenAmount({ amountMinor, currency });
  if (amount === null) return { kind: 'unrecognised', providerResponse: { reason: NO_SUCH_AMOUNT } };
  // The request has no reference of its own, so the webhook carries that of the payment.
  const body = { merchantAccount, amount } satisfies PaymentCaptureRequest;
  const key = [attemptId, 'capture', amountMinor, ...(refusedBefore === 0 ? [] : [refusedBefore])].join('-');
  const answer = await call(`${pathOf(providerPaymentId)}/captures`, body, key, signal);
  if (!isSuccess(answer)) return unrecognised(answer);
  const { pspReference: captureReference } = readAnswer(answer, receivedSchema);
  return { kind: 'pending', captureReference };
}

type KnownRefund = Exclude<RefundInquiryOutcome, { kind: 'not_refunded' }>;

async function refund(account: Account, request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
  const answer = await sendRefund(account, request, signal);
  if ('kind' in answer) return answer;
  return isSuccess(answer) ? pendingRefundOf(answer) : unrecognised(answer);
}

/** @returns a refusal where Adyen cannot make the refund, else its answer */
async function sendRefund(
  { call, merchantAccount }: Account,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<KnownRefund | ProviderAnswer> {
  const { refundId, providerPaymentId, requestedAt } = request;
  const amount = toAdyenAmount(request);
  if (amount === null) return { kind: 'refused', providerRefundId: null, details: { reason: NO_SUCH_AMOUNT } };
  // The refund of a stray charge returns everything, which Adyen does only once.
  if (requestedAt !== undefined) requireFreshKey(Date.parse(requestedAt));
  const body = { merchantAccount, amount, reference: refundId } satisfies PaymentRefundRequest;
  return call(`${pathOf(providerPaymentId)}/refunds`, body, refundId, signal);
}

function pendingRefundOf(answer: ProviderAnswer): KnownRefund {
  const received = readAnswer(answer, refundReceivedSchema);
  return { kind: 'pending', providerRefundId: received.pspReference, ...moneyOf(received.amount) };
}

/** What a webhook has reported; else the outcome of a repeat, whose refusal is final. */
async function inquireRefund(
  account: Account,
  request: RefundInquiryRequest,
  signal: AbortSignal,
): Promise<RefundInquiryOutcome> {
  const reported = await request.loadReported();
  if (reported !== null) return reported;
  const answer = await sendRefund(account, request, signal);
  if ('kind' in answer) return answer;
  if (isSuccess(requireAnswerOfAdyen(answer))) return pendingRefundOf(answer);
  const { providerResponse } = unrecognised(answer);
  return { kind: 'refused', providerRefundId: null, details: { providerResponse } };
}

/** The vendor's types name their values by enums, which exist only in its package. */
type Plain<T> = T extends string ? `${T}` : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;

/** Makes issuers that insist on 3-D Secure decline, instead of asking for a redirect that cannot be completed here. */
const WITHOUT_AUTHENTICATION = { authenticationData: { attemptAuthentication: 'never' } } as const;

/** Adyen decides by its rules and the law whether a payment is authenticated. */
const BY_REDIRECT = {
  authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
  channel: 'Web',
  redirectToIssuerMethod: 'GET',
  redirectFromIssuerMethod: 'GET',
} as const;

/** Adyen authenticates the customer, whatever its rules say. */
const BY_REQUIRED_REDIRECT = {
  ...BY_REDIRECT,
  authenticationData: { ...BY_REDIRECT.authenticationData, attemptAuthentication: 'always' },
} as const;

/** With 3-D Secure, Visa and JCB want the IP address or an e-mail address. Adyen refuses one of more than 256 characters. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,191}$/;

function shopperOf({ customer_email: email = '' }: AuthorizationRequest['metadata']): { shopperEmail?: string } {
  return EMAIL.test(email) ? { shopperEmail: email } : {};
}

/** @throws ProviderOutageError where the reply has another form, or is about another payment */
function readReply(answer: ProviderAnswer, reference: string): PaymentReply {
  const reply = readAnswer(answer, paymentReplySchema);
  const { merchantReference = reference } = reply;
  if (merchantReference === reference) return reply;
  throw new ProviderOutageError('TSP_ERROR', 'the provider answered about something else');
}

/** @returns a decline where Adyen cannot take the payment */
function paymentBody(request: AuthorizationRequest, merchantAccount: string) {
  const { method, amountMinor, currency, captureMethod, reference, metadata } = request;
  const amount = toAdyenAmount({ amountMinor, currency });
  if (amount === null) return notTaken('UNSUPPORTED_CURRENCY_PAIR');
  const paid = methodBody(method);
  if (paid === null) return notTaken('PAYMENT_DECLINED');
  return {
    merchantAccount,
    amount,
    reference: paymentReferenceOf(request),
    ...(reference === null ? {} : { merchantOrderReference: reference }),
    ...agreementOf(method),
    ...paid,
    ...shopperOf(metadata),
    ...authenticationOf(request),
    ...(captureMethod === 'manual' ? { additionalData: { manualCapture: 'true' } } : { captureDelayHours: 0 }),
  } satisfies Plain<PaymentRequest>;
}

/** @returns null where Adyen does not take the payment method, or its token has none of the forms of `readToken` */
function methodBody(method: MethodToCharge) {
  if (method.type === 'card_token') return readToken(method.token);
  if (method.type === 'saved_card_token') {
    const { token: storedPaymentMethodId, cvc } = method;
    return { paymentMethod: { type: 'scheme', storedPaymentMethodId, ...(cvc === null ? {} : { cvc }) } } as const;
  }
  if (method.type !== 'card') return null;
  const { number, expiryMonth, expiryYear, cvc, holderName } = method;
  const agreed = isWithoutCustomer(method) ? method.saved?.networkTransaction : null;
  const paymentMethod = {
    type: 'scheme',
    number,
    expiryMonth: String(expiryMonth).padStart(2, '0'),
    expiryYear: String(expiryYear),
    ...(cvc === null ? {} : { cvc }),
    ...(holderName === null ? {} : { holderName }),
    ...(agreed == null ? {} : { networkPaymentReference: agreed.id }),
  } as const;
  return { paymentMethod } as const;
}

/** Where the customer goes and comes from, if the issuer wants the customer; nothing of it when the merchant charges. */
function authenticationOf({ method, returnUrl, engineReturnUrl, mustAuthenticate }: AuthorizationRequest) {
  if (isWithoutCustomer(method)) return { returnUrl: UNUSED_RETURN_URL };
  return engineReturnUrl === null
    ? { returnUrl: returnUrl ?? UNUSED_RETURN_URL, ...WITHOUT_AUTHENTICATION }
    : { returnUrl: engineReturnUrl, ...(mustAuthenticate === true ? BY_REQUIRED_REDIRECT : BY_REDIRECT) };
}

function canRedirect({ method, engineReturnUrl }: AuthorizationRequest): boolean {
  return engineReturnUrl !== null && !isWithoutCustomer(method);
}

function notTaken(code: Declined['code']): Declined {
  return { kind: 'declined', providerPaymentId: null, code, advice: 'elsewhere' };
}

/**
 * Cancels by Adyen's id of the payment, or by our reference where no reply has brought it. The key changes every minute: a
 * cancellation that was refused is made again, while one that waits for its webhook is not made at every try.
 */
function cancellationOf(
  request: InquiryRequest,
  providerPaymentId: string | null,
  merchantAccount: string,
): { readonly path: string; readonly body: object; readonly key: string } {
  const { attemptId } = request;
  const minute = Math.floor(Date.now() / MINUTE_MS);
  if (providerPaymentId !== null) {
    const body = { merchantAccount } satisfies PaymentCancelRequest;
    return { path: `${pathOf(providerPaymentId)}/cancels`, body, key: `${attemptId}-cancel-${minute}` };
  }
  const paymentReference = paymentReferenceOf(request);
  const body = { merchantAccount, paymentReference } satisfies StandalonePaymentCancelRequest;
  return { path: '/cancels', body, key: `${attemptId}-technical-${minute}` };
}

function pathOf(providerPaymentId: string): string {
  return `/payments/${encodeURIComponent(providerPaymentId)}`;
}

function isHeld(outcome: InquiryOutcome): boolean {
  return outcome.kind === 'approved' && !outcome.captured;
}

function paymentIdIn(outcome: InquiryOutcome | null): string | null {
  return outcome !== null && 'providerPaymentId' in outcome ? outcome.providerPaymentId : null;
}

/** @throws ProviderOutageError if Adyen may no longer recognise a repeat under the key */
function requireFreshKey(usedSinceMs: number): void {
  if (isFreshKey(usedSinceMs)) return;
  throw new ProviderOutageError('TSP_ERROR', 'the idempotency key is too old for a repeat');
}

function isFreshKey(usedSinceMs: number): boolean {
  return Date.now() - usedSinceMs < KEY_VALID_MS;
}

/** Final for the attempt: if Adyen had accepted an earlier request, the repeat would have got its reply. */
function requestRefused({ providerResponse }: Unrecognised): InquiryOutcome {
  return {
    kind: 'declined',
    providerPaymentId: null,
    code: 'PROVIDER_VALIDATION_ERROR',
    details: { providerResponse },
  };
}
