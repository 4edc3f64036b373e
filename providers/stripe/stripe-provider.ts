import type Stripe from 'stripe';
import { z } from 'zod';
import type {
  AuthorizationOutcome,
  CaptureOutcome,
  InquiryOutcome,
  RefundInquiryOutcome,
  RefundOutcome,
} from '../../domain/provider-outcome.ts';
import type { Environment } from '../../domain/payment.ts';
import type { FutureUsage, SavedMethodUse } from '../../domain/saved-payment-method.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type {
  AttemptReference,
  AuthorizationRequest,
  CaptureRequest,
  MethodToCharge,
  PaymentProvider,
  ProviderCapabilities,
  RefundRequest,
} from '../payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../provider-errors.ts';
import type { CredentialProblem, ProviderAccountSettings, ProviderKind } from '../provider-kind.ts';
import { amountProblem } from '../amount-problems.ts';
import { unknownToken } from '../unknown-token.ts';
import { acceptDispute, problemWithEvidence, submitEvidence } from './dispute-answers.ts';
import { REFUND_REFUSALS, refusalOf } from './error-codes.ts';
import {
  intentListSchema,
  intentSchema,
  methodSchema,
  refundSchema,
  type StripeIntent,
  type StripeRefund,
} from './messages.ts';
import { toStripeAmount } from './money.ts';
import { declineOf, outcomeOf, refundOutcomeOf, reportedMoney } from './outcomes.ts';
import { findPayment, listPayments, MAXIMUM_PAGES, PAGE_SIZE, pathOf, refundsOf } from './listed-payments.ts';
import { inquireDispute, listDisputes } from './read-disputes.ts';
import { customerIdOf, isUnknownCustomer, readCredential, removeCredential } from './saved-cards.ts';
import { listSettlementEntries, listSettlements } from './settlements.ts';
import { createStripeApi, isRefused, type Refused, refusedRead, type StripeApi } from './stripe-api.ts';
import { readEvent, verifySignature } from './webhook.ts';

const STRIPE_URL = 'https://api.stripe.com';
const STRIPE_FILES_URL = 'https://files.stripe.com';

const credentialsSchema = z.strictObject({
  /** Secret, or restricted with rights to write PaymentIntents, PaymentMethods, Refunds, Disputes and Files. */
  secretKey: z
    .string()
    .regex(
      /^[rs]k_(?:test|live)_\w{10,250}$/,
      'Expected a secret or restricted key of Stripe (sk_test_… or rk_test_…, sk_live_… or rk_live_…); got another text.',
    ),
  /** Of the endpoint that receives this account's events. */
  webhookSecret: z
    .string()
    .regex(
      /^whsec_[\w+/=]{10,250}$/,
      'Expected the signing secret of a webhook endpoint at Stripe (whsec_…); got another text.',
    ),
});
export type StripeCredentials = z.infer<typeof credentialsSchema>;

export const STRIPE_CAPABILITIES: ProviderCapabilities = {
  methods: ['card'],
  captureMethods: ['automatic', 'manual'],
  providerTokens: true,
  problemWith: (payment) =>
    amountProblem(payment, ({ amountMinor, currency }) => toStripeAmount(amountMinor, currency) !== null),
  partialCapture: true,
  inquiry: 'exact',
  closing: 'at_once',
  capturing: 'at_once',
  references: 'of_provider',
  // Stripe's own limit for one endpoint of an account.
  requestsPerSecond: 25,
  // Stripe says a payment's network transaction id, and takes none.
  storedCredentials: { tokens: true, offSession: true, networkTransactionIds: false },
};

/**
 * An attempt creates its payment within this time or never, so that an inquiry knows when to look for it. Stripe may forget
 * an idempotency key after 24 hours, so that a later repeat would create a second payment.
 */
const CREATION_WINDOW_MS = 15 * MINUTE_MS;
/** How far this machine's clock and Stripe's may differ. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** How Stripe names the merchant's reasons to charge a kept card without the customer. */
const OFF_SESSION: Readonly<Record<Exclude<SavedMethodUse, 'on_session'>, 'recurring' | 'one_off'>> = {
  recurring: 'recurring',
  unscheduled: 'one_off',
};

/** Whether a hold was voided is only in the charge. */
const WITH_CHARGE = { expand: ['latest_charge'] };

/** Stripe's answer to an amount for which it has no unit, such as KWD 1.005. */
const NOT_COUNTED: Refused = {
  isRefused: true,
  status: 400,
  error: { type: 'invalid_request_error', param: 'amount' },
  providerResponse: { reason: 'Stripe has no unit for this amount' },
};

/** Has the card's issuer authenticate the customer, without a challenge where the issuer wants none. */
const WITH_AUTHENTICATION = { payment_method_options: { card: { request_three_d_secure: 'any' } } } as const;

/**
 * Parameters whose errors mean that a token cannot be charged: it is used up, has expired, or belongs to a customer or another
 * account.
 */
const TOKEN_PARAMS: ReadonlySet<string> = new Set(['payment_method', 'confirmation_token', 'customer']);
const UNSUPPORTED = { kind: 'declined', code: 'UNSUPPORTED_CURRENCY_PAIR', advice: 'elsewhere' } as const;
const NO_SUCH_AMOUNT = { ...UNSUPPORTED, providerPaymentId: null };
const NO_SUCH_TOKEN = {
  kind: 'declined',
  providerPaymentId: null,
  code: 'PAYMENT_DECLINED',
  advice: 'never',
  message:
    'Stripe does not take this token. It may be used up, or belong to another account or to a customer at Stripe.',
} as const;

/** Payments with cards at Stripe, by the merchant's own account. */
export const STRIPE: ProviderKind<StripeCredentials> = {
  label: 'Stripe',
  description: 'cards at your own Stripe account',
  schema: credentialsSchema,
  credentials: {
    secretKey: { label: 'Secret key', meaning: 'a secret or restricted key, `sk_…` or `rk_…`', isSecret: true },
    webhookSecret: {
      label: 'Webhook secret',
      meaning: 'the signing secret of the webhook endpoint, `whsec_…`',
      isSecret: true,
    },
  },
  capabilities: STRIPE_CAPABILITIES,
  disputeAnswers: { problemWith: problemWithEvidence },
  create: createStripeProvider,
  problemIn,
  async check(settings, signal) {
    const problem = problemIn(settings.credentials, settings.environment);
    if (problem !== null) return problem.reason;
    const params = { limit: 1 } satisfies Stripe.PaymentIntentListParams;
    try {
      const request = { method: 'GET', path: '/v1/payment_intents', params } as const;
      const listed = await apiOf(settings).send(request, intentListSchema, signal);
      if (!isRefused(listed)) return null;
      return `Stripe refuses to list PaymentIntents with the secret key (status ${listed.status}).`;
    } catch (error) {
      if (error instanceof CredentialsRefusedError) return `${error.message}.`;
      throw error;
    }
  },
};

/** Stripe serves both modes at one address: a live key would charge real money in the sandbox, a test key none in production. */
function problemIn({ secretKey }: StripeCredentials, environment: Environment): CredentialProblem | null {
  const isLive = secretKey.startsWith('sk_live_') || secretKey.startsWith('rk_live_');
  if (isLive === (environment === 'production')) return null;
  const [mode, wanted] = isLive ? ['live', 'test'] : ['test', 'live'];
  const reason = `The secret key is one of Stripe's ${mode} mode. In this environment the account needs one of the ${wanted} mode.`;
  return { member: 'secretKey', reason };
}

function apiOf(settings: ProviderAccountSettings<StripeCredentials>): StripeApi {
  const { credentials, apiUrl, timeoutMs, requestsPerSecond = STRIPE_CAPABILITIES.requestsPerSecond } = settings;
  return createStripeApi({
    apiUrl: apiUrl ?? STRIPE_URL,
    filesUrl: apiUrl ?? STRIPE_FILES_URL,
    secretKey: credentials.secretKey,
    timeoutMs,
    requestsPerSecond,
  });
}

/** The adapter to one account at Stripe. */
export function createStripeProvider(settings: ProviderAccountSettings<StripeCredentials>): PaymentProvider {
  const api = apiOf(settings);
  const { name, environment } = settings;
  const problem = problemIn(settings.credentials, environment);
  return {
    name,
    capabilities: STRIPE_CAPABILITIES,
    // An account that was stored before keys were checked may have such a key. It may still end payments that it began.
    async authorize(request, signal) {
      if (problem !== null) throw new CredentialsRefusedError(problem.reason);
      return authorize(api, request, signal);
    },
    canAuthenticate: ({ returnUrl }) => returnUrl !== null,
    inquire: (request, signal) => inquire(api, request, signal),
    close: (request, signal) => close(api, request, signal),
    capture: (request, signal) => capture(api, request, signal),
    refund: (request, signal) => refund(api, request, signal),
    inquireRefund: (request, signal) => inquireRefund(api, request, signal),
    listPayments: (request, signal) => listPayments(api, request, signal),
    findPayment: (reference, signal) => findPayment(api, reference, signal),
    readCredential: (reference, signal) => readCredential(api, reference, signal),
    removeCredential: (removal, signal) => removeCredential(api, removal, signal),
    submitEvidence: (answer, signal) => submitEvidence(api, answer, signal),
    acceptDispute: (answer, signal) => acceptDispute(api, answer, signal),
    inquireDispute: (reference, signal) => inquireDispute(api, reference, signal),
    listDisputes: (request, signal) => listDisputes(api, request, signal),
    listSettlements: (request, signal) => listSettlements(api, request, signal),
    listSettlementEntries: (request, signal) => listSettlementEntries(api, request, signal),
    parseWebhook(rawBody, headers) {
      const { isRecent } = verifySignature(rawBody, headers, settings.credentials.webhookSecret);
      return readEvent(rawBody, { provider: name, environment, isRecent });
    },
  };
}

/**
 * Creates the PaymentIntent, has its id stored, and only then confirms it: a lost reply to the confirmation leaves a payment
 * that can be asked about, and a lost reply to the creation one that cannot charge.
 */
async function authorize(
  api: StripeApi,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<AuthorizationOutcome> {
  const amount = toStripeAmount(request.amountMinor, request.currency);
  if (amount === null) return NO_SUCH_AMOUNT;
  const { method } = request;
  if (method.type === 'card_token' && !isToken(method.token)) return NO_SUCH_TOKEN;
  if (request.providerPaymentId !== null) {
    const known = await retrieve(api, request, request.providerPaymentId, signal);
    return finish(api, request, known, signal);
  }
  if (Date.now() - Date.parse(request.startedAt) > CREATION_WINDOW_MS) {
    throw new ProviderOutageError('TSP_ERROR', 'the attempt is too old to create its payment');
  }
  const created = await create(api, request, amount, signal);
  if (isRefused(created)) return refusedOutcomeOf(created, request, null);
  await request.storePaymentId(created.id);
  return finish(api, request, created, signal);
}

async function create(
  api: StripeApi,
  request: AuthorizationRequest,
  amount: number,
  signal: AbortSignal,
): Promise<StripeIntent | Refused> {
  const { attemptId, paymentIntentId, method, currency, captureMethod, reference } = request;
  const methodId = await methodIdOf(api, { attemptId, method }, signal);
  if (isRefused(methodId)) return methodId;
  const owner = await ownerOf(api, request, signal);
  if (isRefused(owner)) return owner;
  const params = {
    ...owner,
    amount,
    currency: currency.toLowerCase(),
    capture_method: captureMethod,
    ...(methodId === null ? {} : { payment_method: methodId }),
    payment_method_types: ['card'],
    ...(request.mustAuthenticate === true ? WITH_AUTHENTICATION : {}),
    metadata: { attempt_id: attemptId, payment_intent_id: paymentIntentId },
    ...(reference === null ? {} : { description: reference }),
    ...WITH_CHARGE,
  } satisfies Stripe.PaymentIntentCreateParams;
  const created = await api.send(
    { method: 'POST', path: '/v1/payment_intents', params, idempotencyKey: `${attemptId}:create` },
    intentSchema,
    signal,
  );
  if (!isRefused(created)) return ofAttempt(created, attemptId);
  if (isUnknownCustomer(created)) await replaceCustomer(api, request, owner, signal);
  return created;
}

/** For whom Stripe keeps the card, or has kept it; nothing where it does not. */
async function ownerOf(api: StripeApi, request: AuthorizationRequest, signal: AbortSignal): Promise<Owner | Refused> {
  const { method } = request;
  if (method.type === 'saved_card_token') {
    return method.providerCustomerId === null ? {} : { customer: method.providerCustomerId };
  }
  if (method.type !== 'card' || method.saving === undefined) return {};
  const { customerId, usage } = method.saving;
  const customer = await customerIdOf(api, request, { customerId }, signal);
  return isRefused(customer) ? customer : { customer, setup_future_usage: usage };
}

interface Owner {
  readonly customer?: string;
  readonly setup_future_usage?: FutureUsage;
}

/**
 * The merchant has deleted the customer at Stripe. The next attempt keeps its card for a new one: this attempt's key belongs to the old
 * one's id for good, so that no second payment can come of it.
 * @throws ProviderOutageError where a new one is stored, because nothing was created for this attempt
 */
async function replaceCustomer(
  api: StripeApi,
  request: AuthorizationRequest,
  { customer: unknown }: Owner,
  signal: AbortSignal,
): Promise<void> {
  const { method } = request;
  if (method.type !== 'card' || method.saving === undefined || unknown === undefined) return;
  const { customerId } = method.saving;
  const replaced = await customerIdOf(api, request, { customerId, unknown }, signal);
  if (isRefused(replaced)) return;
  throw new ProviderOutageError('TSP_ERROR', 'Stripe did not know the customer, and knows a new one now');
}

/** Tokens of Stripe's page: a payment method, or a confirmation token, which only a confirmation takes. */
const PAYMENT_METHOD = /^pm_\w{1,250}$/;
const CONFIRMATION_TOKEN = /^ctoken_\w{1,250}$/;

/** The payment method to create a payment with, made from a card first; null where the confirmation brings it. */
async function methodIdOf(
  api: StripeApi,
  { attemptId, method }: Pick<AuthorizationRequest, 'attemptId' | 'method'>,
  signal: AbortSignal,
): Promise<string | null | Refused> {
  if (method.type === 'saved_card_token') return method.token;
  if (method.type === 'card_token') return CONFIRMATION_TOKEN.test(method.token) ? null : method.token;
  // Nothing but the creation of a payment method contains the card.
  const params = methodParams(method);
  const idempotencyKey = `${attemptId}:method`;
  const request = { method: 'POST', path: '/v1/payment_methods', params, idempotencyKey } as const;
  const stored = await api.send(request, methodSchema, signal);
  return isRefused(stored) ? stored : stored.id;
}

function isToken(token: string): boolean {
  return PAYMENT_METHOD.test(token) || CONFIRMATION_TOKEN.test(token);
}

function methodParams(method: MethodToCharge): Stripe.PaymentMethodCreateParams {
  if (method.type !== 'card') throw new Error(`Stripe takes no payments by ${method.type} here`);
  const { number, expiryMonth, expiryYear, cvc, holderName } = method;
  return {
    type: 'card',
    card: { number, exp_month: expiryMonth, exp_year: expiryYear, ...(cvc === null ? {} : { cvc }) },
    ...(holderName === null ? {} : { billing_details: { name: holderName } }),
  };
}

/** Confirms a payment that is not confirmed yet; the state of any other is its outcome. */
async function finish(
  api: StripeApi,
  request: AuthorizationRequest,
  intent: StripeIntent,
  signal: AbortSignal,
): Promise<AuthorizationOutcome> {
  const known = outcomeOf(intent);
  if (known !== null) return authorizationOutcomeOf(known);
  const { attemptId, method } = request;
  const cvcToken = await cvcTokenOf(api, request, signal);
  if (isRefused(cvcToken)) return refusedOutcomeOf(cvcToken, request, intent.id);
  const confirmsByToken = method.type === 'card_token' && CONFIRMATION_TOKEN.test(method.token);
  const params = {
    ...(confirmsByToken ? { confirmation_token: method.token } : {}),
    ...(cvcToken === null ? {} : { payment_method_options: { card: { cvc_token: cvcToken } } }),
    ...presenceOf(request),
    ...WITH_CHARGE,
  } satisfies Stripe.PaymentIntentConfirmParams;
  const path = `${pathOf(intent.id)}/confirm`;
  const confirmed = await api.send(
    { method: 'POST', path, params, idempotencyKey: `${attemptId}:confirm` },
    intentSchema,
    signal,
  );
  if (!isRefused(confirmed)) return authorizationOutcomeOf(requireOutcome(ofAttempt(confirmed, attemptId)));
  // An earlier confirmation, or a closure, was faster.
  if (isOfAnotherState(confirmed)) {
    return authorizationOutcomeOf(requireOutcome(await retrieve(api, request, intent.id, signal)));
  }
  return refusedOutcomeOf(confirmed, request, intent.id);
}

/** Whether the customer can be sent to the bank: not without an address to return to, and not when the merchant charges. */
function presenceOf({
  method,
  returnUrl,
}: AuthorizationRequest): Pick<
  Stripe.PaymentIntentConfirmParams,
  'off_session' | 'error_on_requires_action' | 'return_url'
> {
  const use = 'saved' in method && method.saved !== undefined ? method.saved.use : 'on_session';
  if (use !== 'on_session') return { off_session: OFF_SESSION[use], error_on_requires_action: true };
  return returnUrl === null ? { error_on_requires_action: true } : { return_url: returnUrl };
}

/** A token of the CVC that the customer has entered for a kept card; null without one. Stripe takes no CVC in a confirmation. */
async function cvcTokenOf(
  api: StripeApi,
  { attemptId, method }: AuthorizationRequest,
  signal: AbortSignal,
): Promise<string | null | Refused> {
  if (method.type !== 'saved_card_token' || method.cvc === null) return null;
  const params = { cvc_update: { cvc: method.cvc } } satisfies Stripe.TokenCreateParams;
  const request = { method: 'POST', path: '/v1/tokens', params, idempotencyKey: `${attemptId}:cvc` } as const;
  const token = await api.send(request, methodSchema, signal);
  return isRefused(token) ? token : token.id;
}

/** A repeat whose payment was canceled meanwhile counts as an outage, so that an inquiry resolves it. */
function authorizationOutcomeOf(outcome: InquiryOutcome): AuthorizationOutcome {
  if (outcome.kind !== 'not_charged') return outcome;
  throw new ProviderOutageError('TSP_ERROR', 'the payment has been canceled');
}

function requireOutcome(intent: StripeIntent): InquiryOutcome {
  const outcome = outcomeOf(intent);
  if (outcome !== null) return outcome;
  throw new ProviderOutageError('TSP_ERROR', 'the payment is still not confirmed');
}

function refusedOutcomeOf(
  { error, providerResponse }: Refused,
  { method }: AuthorizationRequest,
  providerPaymentId: string | null,
): AuthorizationOutcome {
  // Stripe takes fewer currencies from some accounts than from others.
  if (error?.param === 'currency') return { ...UNSUPPORTED, providerPaymentId };
  if (error !== null && refusalOf(error) !== null) return declineOf(error, providerPaymentId);
  const isAboutToken = TOKEN_PARAMS.has(error?.param ?? '');
  if (isAboutToken && method.type === 'card_token') return { ...NO_SUCH_TOKEN, providerPaymentId };
  if (isAboutToken && method.type === 'saved_card_token') return unknownToken(providerPaymentId);
  return { kind: 'unrecognised', providerResponse };
}

function isOfAnotherState({ error }: Refused): boolean {
  return error?.code === 'payment_intent_unexpected_state';
}

async function inquire(api: StripeApi, request: AttemptReference, signal: AbortSignal): Promise<InquiryOutcome> {
  const { providerPaymentId } = request;
  if (providerPaymentId === null) return closeUnstored(api, request, signal);
  const outcome = outcomeOf(await retrieve(api, request, providerPaymentId, signal));
  // A confirmation may still be on its way: canceled, the payment cannot charge any more.
  return outcome ?? cancel(api, request, providerPaymentId, signal);
}

function close(api: StripeApi, request: AttemptReference, signal: AbortSignal): Promise<InquiryOutcome> {
  const { providerPaymentId } = request;
  if (providerPaymentId === null) return closeUnstored(api, request, signal);
  return cancel(api, request, providerPaymentId, signal);
}

/**
 * Closes an attempt whose payment was never stored. Such a payment cannot charge, because the confirmation follows the store,
 * which fails once the attempt has ended. What is found is canceled all the same: the adapter's earlier call may be just about
 * to store it. Lists are up to date as soon as a payment exists, whereas Stripe's search lags behind.
 */
async function closeUnstored(api: StripeApi, request: AttemptReference, signal: AbortSignal): Promise<InquiryOutcome> {
  for (const id of await listIntentIds(api, request, signal)) {
    const outcome = await cancel(api, request, id, signal);
    if (outcome.kind !== 'not_charged' || outcome.voided !== undefined) return outcome;
  }
  return { kind: 'not_charged' };
}

async function listIntentIds(
  api: StripeApi,
  { attemptId, startedAt }: AttemptReference,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const startedMs = Date.parse(startedAt);
  const created = {
    gte: Math.floor((startedMs - CLOCK_SKEW_MS) / SECOND_MS),
    lte: Math.ceil((startedMs + CREATION_WINDOW_MS + CLOCK_SKEW_MS) / SECOND_MS),
  };
  const found: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const params = {
      created,
      limit: PAGE_SIZE,
      ...(after === undefined ? {} : { starting_after: after }),
    } satisfies Stripe.PaymentIntentListParams;
    const listed = await api.send({ method: 'GET', path: '/v1/payment_intents', params }, intentListSchema, signal);
    if (isRefused(listed)) throw refusedRead(listed);
    found.push(...listed.data.filter(({ metadata }) => metadata.attempt_id === attemptId).map(({ id }) => id));
    after = listed.data.at(-1)?.id;
    if (!listed.has_more || after === undefined) return found;
  }
  throw new ProviderOutageError('TSP_ERROR', 'too many payments were created at the time of the attempt');
}

/** Cancels a payment for good, unless it has ended: then its state is the outcome. */
async function cancel(
  api: StripeApi,
  request: AttemptReference,
  intentId: string,
  signal: AbortSignal,
): Promise<InquiryOutcome> {
  const params = { ...WITH_CHARGE } satisfies Stripe.PaymentIntentCancelParams;
  // Without a key: Stripe would store a 500 and answer every repeat with it, and a second cancellation does no harm.
  const canceled = await api.send({ method: 'POST', path: `${pathOf(intentId)}/cancel`, params }, intentSchema, signal);
  if (!isRefused(canceled)) return requireOutcome(ofAttempt(canceled, request.attemptId));
  if (!isOfAnotherState(canceled)) throw refusedRead(canceled);
  return requireOutcome(await retrieve(api, request, intentId, signal));
}

async function retrieve(
  api: StripeApi,
  { attemptId }: AttemptReference,
  intentId: string,
  signal: AbortSignal,
): Promise<StripeIntent> {
  const params = { ...WITH_CHARGE } satisfies Stripe.PaymentIntentRetrieveParams;
  const intent = await api.send({ method: 'GET', path: pathOf(intentId), params }, intentSchema, signal);
  if (isRefused(intent)) throw refusedRead(intent);
  return ofAttempt(intent, attemptId);
}

async function capture(api: StripeApi, request: CaptureRequest, signal: AbortSignal): Promise<CaptureOutcome> {
  const { providerPaymentId, attemptId, amountMinor, currency } = request;
  const amount = toStripeAmount(amountMinor, currency);
  if (providerPaymentId === null) throw new ProviderOutageError('TSP_ERROR', 'the payment to capture is not known');
  if (amount === null) return { kind: 'unrecognised', providerResponse: NOT_COUNTED.providerResponse };
  const params = { amount_to_capture: amount, ...WITH_CHARGE } satisfies Stripe.PaymentIntentCaptureParams;
  const path = `${pathOf(providerPaymentId)}/capture`;
  // Without a key, as a cancellation: a payment is captured once.
  const captured = await api.send({ method: 'POST', path, params }, intentSchema, signal);
  if (!isRefused(captured)) return captureOutcomeOf(ofAttempt(captured, attemptId));
  const intent = await retrieve(api, request, providerPaymentId, signal);
  if (intent.status === 'requires_capture') {
    return { kind: 'unrecognised', providerResponse: captured.providerResponse };
  }
  return captureOutcomeOf(intent);
}

function captureOutcomeOf(intent: StripeIntent): CaptureOutcome {
  const { id: providerPaymentId, status, amount_received: amount, currency: stripeCurrency } = intent;
  if (status === 'canceled') return { kind: 'not_held' };
  if (status !== 'succeeded') throw new ProviderOutageError('TSP_ERROR', 'the payment was not captured');
  const { amountMinor: capturedMinor, currency } = reportedMoney({ amount, currency: stripeCurrency });
  return { kind: 'captured', providerPaymentId, capturedMinor, currency };
}

async function refund(api: StripeApi, request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
  const made = await makeRefund(api, request, signal);
  if (!isRefused(made)) return refundOutcomeOf(made);
  return refusedRefundOf(made) ?? { kind: 'unrecognised', providerResponse: made.providerResponse };
}

/** A refusal that every repeat of the refund would get; null where it may have another reason. */
function refusedRefundOf({ error, providerResponse }: Refused): Extract<RefundOutcome, { kind: 'refused' }> | null {
  if (!REFUND_REFUSALS.has(error?.code ?? '') && error?.param !== 'amount') return null;
  return { kind: 'refused', providerRefundId: null, details: { providerResponse } };
}

/**
 * The outcome of a refund. A key cannot be closed at Stripe: a refund that is not there yet may still be on its way. So the
 * refund is sent again under its key: Stripe either makes it, or refuses it, now and whenever the earlier request arrives.
 */
async function inquireRefund(
  api: StripeApi,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundInquiryOutcome> {
  const made = await makeRefund(api, request, signal);
  if (!isRefused(made)) return refundOutcomeOf(made);
  // Nobody knows such an answer, or another account than the payment's gave it: the refund may be there all the same.
  if (made.error === null || made.status === 404) throw refusedRead(made);
  return refusedRefundOf(made) ?? { kind: 'not_refunded' };
}

/**
 * Makes a refund, unless it is there. Looks first, because a repeat may come when Stripe has forgotten the key: the list of a
 * payment's refunds is up to date, and never forgets.
 */
async function makeRefund(
  api: StripeApi,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<StripeRefund | Refused> {
  const found = await findRefund(api, request, signal);
  if (found !== null) return found;
  const { refundId, attemptId, providerPaymentId, amountMinor, currency, reference = null } = request;
  const amount = toStripeAmount(amountMinor, currency);
  if (amount === null) return NOT_COUNTED;
  const params = {
    payment_intent: providerPaymentId,
    amount,
    metadata: { refund_id: refundId, attempt_id: attemptId, ...(reference === null ? {} : { reference }) },
  } satisfies Stripe.RefundCreateParams;
  return api.send({ method: 'POST', path: '/v1/refunds', params, idempotencyKey: refundId }, refundSchema, signal);
}

async function findRefund(
  api: StripeApi,
  { refundId, providerPaymentId }: RefundRequest,
  signal: AbortSignal,
): Promise<StripeRefund | null> {
  for await (const refund of refundsOf(api, providerPaymentId, signal)) {
    if (refund.metadata?.refund_id === refundId) return refund;
  }
  return null;
}

function ofAttempt(intent: StripeIntent, attemptId: string): StripeIntent {
  if (intent.metadata.attempt_id === attemptId) return intent;
  throw new ProviderOutageError('TSP_ERROR', 'the provider answered about something else');
}
