import type { z } from 'zod';
import type { DisputeReport } from '../../domain/dispute.ts';
import { isId } from '../../domain/ids.ts';
import { type JsonObject, parseJson } from '../../domain/json.ts';
import type {
  AuthorizationOutcome,
  CaptureOutcome,
  InquiryOutcome,
  IdentifiedEvent,
  OutageCode,
  ProviderEventReference,
  RefundInquiryOutcome,
  RefundOutcome,
} from '../../domain/provider-outcome.ts';
import { CAPTURE_METHODS, PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import { redactProviderResponse } from '../../domain/redaction.ts';
import type { ReportedSettlement, ReportedSettlementEntry } from '../../domain/settlement.ts';
import type {
  AttemptReference,
  AuthorizationRequest,
  CaptureRequest,
  CredentialReference,
  DisputeAnswer,
  DisputeAnswerOutcome,
  DisputeListPage,
  DisputeReference,
  CredentialRemoval,
  PaymentListPage,
  ListedPage,
  PaymentListRequest,
  MethodToCharge,
  PaymentProvider,
  ProviderCapabilities,
  RefundInquiryRequest,
  RefundRequest,
  SettlementEntryListRequest,
  SettlementListRequest,
  StoredCredential,
} from '../payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError, WebhookVerificationError } from '../provider-errors.ts';
import { createProviderHttp, type ProviderAnswer } from '../provider-http.ts';
import {
  credentialLookupSchema,
  disputeListSchema,
  disputeStepsSchema,
  lookupSchema,
  paymentListSchema,
  refundLookupSchema,
  refusalSchema,
  type SimulatorDispute,
  simulatorDisputeSchema,
  simulatorEventSchema,
  simulatorPaymentSchema,
  simulatorRefundSchema,
  simulatorWarningSchema,
} from './messages.ts';
import { captureOutcomeOf, disputeReportOf, listedPaymentOf, outcomeOf, refundOutcomeOf } from './outcomes.ts';
import { withEventIds } from '../dispute-reports.ts';
import { reportedEntryOf, reportedSettlementOf, settlementLinesSchema, settlementListSchema } from './settlements.ts';
import { createSignatureVerifier } from './webhook-signature.ts';

export interface SimulatorProviderSettings {
  readonly name: string;
  /** Where the instance listens, without a path. */
  readonly url: string;
  readonly apiKey: string;
  /** `whsec_` and base64. */
  readonly webhookSecret: string;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
}

/**
 * HTTP statuses after which the outcome is unknown. A 409 means that the key is in use by another request, or closed: only an
 * inquiry returns the outcome. For refunds a closed key is no outage, because the caller makes inquiries only after an answer.
 */
const OUTAGE_BY_STATUS: Readonly<Record<number, OutageCode>> = {
  408: 'TSP_TIMEOUT',
  409: 'TSP_ERROR',
  425: 'TSP_UNAVAILABLE',
  429: 'TSP_UNAVAILABLE',
  503: 'TSP_UNAVAILABLE',
};

/** What the simulator offers. */
export const SIMULATOR_CAPABILITIES: ProviderCapabilities = {
  methods: PAYMENT_METHOD_TYPES,
  captureMethods: CAPTURE_METHODS,
  providerTokens: true,
  storedCredentials: { tokens: true, offSession: true, networkTransactionIds: false },
  partialCapture: true,
  inquiry: 'exact',
  closing: 'at_once',
  capturing: 'at_once',
  references: 'ours',
  requestsPerSecond: null,
};

/** The adapter to one instance of the sandbox simulator. */
export function createSimulatorProvider(settings: SimulatorProviderSettings): PaymentProvider {
  const { name } = settings;
  const verifySignature = createSignatureVerifier(settings.webhookSecret);
  const post = createPost(settings);
  return {
    name,
    capabilities: SIMULATOR_CAPABILITIES,
    authorize: (request, signal) => authorize(post, request, signal),
    canAuthenticate: ({ returnUrl }) => returnUrl !== null,
    inquire: (reference, signal) => lookUp(post, '/v1/inquiries', reference, signal),
    close: (reference, signal) => lookUp(post, '/v1/closures', reference, signal),
    capture: (request, signal) => capture(post, request, signal),
    refund: (request, signal) => refund(post, request, signal),
    inquireRefund: (request, signal) => inquireRefund(post, request, signal),
    listPayments: (request, signal) => listPayments(post, request, signal),
    readCredential: (reference, signal) => readCredential(post, reference, signal),
    removeCredential: (removal, signal) => removeCredential(post, removal, signal),
    submitEvidence: (answer, signal) => answerDispute(post, answer, false, signal),
    acceptDispute: (answer, signal) => answerDispute(post, answer, true, signal),
    inquireDispute: (reference, signal) => inquireDispute(post, reference, signal),
    listDisputes: (request, signal) => listDisputes(post, request, signal),
    listSettlements: (request, signal) => listSettlements(post, request, signal),
    listSettlementEntries: (request, signal) => listSettlementEntries(post, request, signal),
    parseWebhook(rawBody, headers) {
      verifySignature(rawBody, headers);
      const event = eventOf(name, rawBody);
      if (event !== null) return { events: [event], skipped: [] };
      return { events: [], skipped: [{ eventType: 'unknown', reason: 'about nothing of this engine' }] };
    },
  };
}

interface SimulatorRequest {
  readonly path: string;
  readonly body: JsonObject;
  readonly idempotencyKey?: string;
}

/** Sends a request to the instance. */
type Post = (request: SimulatorRequest, signal: AbortSignal) => Promise<ProviderAnswer>;

function createPost({ url, timeoutMs, apiKey }: SimulatorProviderSettings): Post {
  const http = createProviderHttp(url, timeoutMs);
  const commonHeaders = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return ({ path, body, idempotencyKey }, signal) => {
    const keyHeader = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return http.post(path, { ...commonHeaders, ...keyHeader }, JSON.stringify(body), signal);
  };
}

async function authorize(
  post: Post,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<AuthorizationOutcome> {
  const { attemptId, method } = request;
  const answer = await post({ path: '/v1/payments', body: paymentBody(request), idempotencyKey: attemptId }, signal);
  if (isRefusal(answer)) {
    return { kind: 'unrecognised', providerResponse: describeAnswer(withoutToken(answer, method)) };
  }
  if (!isSuccess(answer)) throw outageOf(answer);
  return authorizationOutcomeOf(outcomeOf(ofReference(readAnswer(answer, simulatorPaymentSchema), attemptId)));
}

/** Inquires about an attempt, or closes it: the answer has the same form. */
async function lookUp(
  post: Post,
  path: '/v1/inquiries' | '/v1/closures',
  { attemptId }: AttemptReference,
  signal: AbortSignal,
): Promise<InquiryOutcome> {
  const answer = await post({ path, body: { idempotencyKey: attemptId } }, signal);
  if (answer.status !== 200) throw outageOf(answer);
  const lookup = readAnswer(answer, lookupSchema);
  if (lookup.result === 'not_found') return { kind: 'not_charged' };
  return outcomeOf(ofReference(lookup.payment, attemptId));
}

async function capture(
  post: Post,
  { attemptId, amountMinor }: CaptureRequest,
  signal: AbortSignal,
): Promise<CaptureOutcome> {
  const body = { idempotencyKey: attemptId, amount: amountMinor };
  const answer = await post({ path: '/v1/captures', body }, signal);
  if (isRefusal(answer)) return { kind: 'unrecognised', providerResponse: describeAnswer(answer) };
  if (!isSuccess(answer)) throw outageOf(answer);
  const outcome = captureOutcomeOf(ofReference(readAnswer(answer, simulatorPaymentSchema), attemptId));
  if (outcome === null) throw new ProviderOutageError('TSP_ERROR', 'the payment was not captured');
  return outcome;
}

async function refund(
  post: Post,
  { refundId, attemptId, amountMinor, currency, reference = null }: RefundRequest,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const body = {
    reference: refundId,
    paymentKey: attemptId,
    amount: amountMinor,
    currency,
    ...statementFields(reference),
  };
  const answer = await post({ path: '/v1/refunds', body, idempotencyKey: refundId }, signal);
  if (isRefusal(answer) || isKeyClosed(answer))
    return { kind: 'unrecognised', providerResponse: describeAnswer(answer) };
  if (!isSuccess(answer)) throw outageOf(answer);
  return refundOutcomeOf(ofReference(readAnswer(answer, simulatorRefundSchema), refundId));
}

async function inquireRefund(
  post: Post,
  { refundId }: RefundInquiryRequest,
  signal: AbortSignal,
): Promise<RefundInquiryOutcome> {
  const answer = await post({ path: '/v1/refund-inquiries', body: { idempotencyKey: refundId } }, signal);
  if (answer.status !== 200) throw outageOf(answer);
  const lookup = readAnswer(answer, refundLookupSchema);
  if (lookup.result === 'not_found') return { kind: 'not_refunded' };
  return refundOutcomeOf(ofReference(lookup.refund, refundId));
}

async function listPayments(
  post: Post,
  { window: { from, to }, cursor }: PaymentListRequest,
  signal: AbortSignal,
): Promise<PaymentListPage> {
  const body = { from: from.toISOString(), to: to.toISOString(), cursor };
  const answer = await post({ path: '/v1/listings', body }, signal);
  if (answer.status !== 200) throw outageOf(answer);
  const { payments, nextCursor } = readAnswer(answer, paymentListSchema);
  return { payments: payments.map(listedPaymentOf), nextCursor };
}

async function readCredential(
  post: Post,
  { attemptId }: CredentialReference,
  signal: AbortSignal,
): Promise<StoredCredential | null> {
  const answer = await post({ path: '/v1/credentials', body: { idempotencyKey: attemptId } }, signal);
  if (answer.status !== 200) throw outageOf(answer);
  const lookup = readAnswer(answer, credentialLookupSchema);
  if (lookup.result === 'not_found') return null;
  const { storedToken: token, networkTransactionId: id } = lookup;
  return { token, providerCustomerId: null, networkTransaction: id === null ? null : { id, linkId: null } };
}

async function removeCredential(post: Post, { token }: CredentialRemoval, signal: AbortSignal): Promise<void> {
  const answer = await post({ path: '/v1/token-removals', body: { token } }, signal);
  if (answer.status !== 200 && answer.status !== 404) throw outageOf(answer);
}

/** The simulator looks at the texts; of the files it gets the names. */
async function answerDispute(
  post: Post,
  { providerReference: disputeId, operationId, evidence, files, begin }: DisputeAnswer,
  accept: boolean,
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome> {
  await begin();
  const named = files.map(({ kind, contentType, content }) => ({ kind, contentType, size: content.length }));
  const body = { disputeId, accept, evidence: { ...evidence }, files: named };
  const answer = await post({ path: '/v1/dispute-answers', body, idempotencyKey: operationId }, signal);
  if (isRefusal(answer)) return { kind: 'refused', providerResponse: describeAnswer(answer) };
  if (!isSuccess(answer)) throw outageOf(answer);
  return { kind: 'answered', reports: readAnswer(answer, disputeStepsSchema).steps.map(disputeReportOf) };
}

async function inquireDispute(
  post: Post,
  { providerReference: disputeId }: DisputeReference,
  signal: AbortSignal,
): Promise<readonly DisputeReport[]> {
  const answer = await post({ path: '/v1/dispute-inquiries', body: { disputeId } }, signal);
  if (answer.status !== 200) throw outageOf(answer);
  return readAnswer(answer, disputeStepsSchema).steps.map(disputeReportOf);
}

async function listDisputes(
  post: Post,
  { window: { from, to }, cursor }: PaymentListRequest,
  signal: AbortSignal,
): Promise<DisputeListPage> {
  const body = { from: from.toISOString(), to: to.toISOString(), cursor };
  const answer = await post({ path: '/v1/dispute-listings', body }, signal);
  if (answer.status !== 200) throw outageOf(answer);
  const { disputes, nextCursor } = readAnswer(answer, disputeListSchema);
  return { disputes: disputes.map(({ steps }) => listedDisputeOf(steps)), nextCursor };
}

async function listSettlements(
  post: Post,
  { since, cursor }: SettlementListRequest,
  signal: AbortSignal,
): Promise<ListedPage<ReportedSettlement>> {
  const answer = await post({ path: '/v1/settlement-listings', body: { since: since.toISOString(), cursor } }, signal);
  if (answer.status !== 200) throw outageOf(answer);
  const { settlements, nextCursor } = readAnswer(answer, settlementListSchema);
  return { items: settlements.map(reportedSettlementOf), nextCursor };
}

async function listSettlementEntries(
  post: Post,
  { settlementReference: settlementId, cursor }: SettlementEntryListRequest,
  signal: AbortSignal,
): Promise<ListedPage<ReportedSettlementEntry>> {
  const body = { settlementId, cursor: cursor === null ? null : Number(cursor) };
  const answer = await post({ path: '/v1/settlement-entry-listings', body }, signal);
  if (answer.status !== 200) throw outageOf(answer);
  const { lines, nextCursor } = readAnswer(answer, settlementLinesSchema);
  return { items: lines.map(reportedEntryOf), nextCursor: nextCursor === null ? null : String(nextCursor) };
}

function listedDisputeOf(steps: readonly SimulatorDispute[]): DisputeListPage['disputes'][number] {
  const reports = withEventIds(steps.map(disputeReportOf));
  return { attemptId: steps[0]?.reference ?? null, providerPaymentId: null, reports };
}

function paymentBody(request: AuthorizationRequest): JsonObject {
  return {
    reference: request.attemptId,
    paymentIntentId: request.paymentIntentId,
    amount: request.amountMinor,
    currency: request.currency,
    capture: request.captureMethod === 'automatic',
    returnUrl: request.returnUrl,
    method: methodBody(request.method),
    ...statementFields(request.reference),
    ...scenarioFields(request.metadata),
    ...savingFields(request.method),
    ...(request.mustAuthenticate === true ? { authenticate: true } : {}),
    ...savedFields(request.method),
  };
}

/** Asks the simulator to store the card for a customer. */
function savingFields(method: MethodToCharge): JsonObject {
  if (method.type !== 'card' || method.saving === undefined) return {};
  const { customerId, usage } = method.saving;
  return { storeFor: { customerId, usage } };
}

/** Says who makes a payment with a saved card, and why. */
function savedFields(method: MethodToCharge): JsonObject {
  if (method.type !== 'saved_card_token' && (method.type !== 'card' || method.saved === undefined)) return {};
  const use = method.saved?.use ?? 'on_session';
  return {
    credential:
      use === 'on_session' ? { initiator: 'customer', reason: 'card_on_file' } : { initiator: 'merchant', reason: use },
  };
}

/** The reference on the simulator's statement; its own field `reference` holds the id of the attempt or refund. */
function statementFields(reference: string | null): JsonObject {
  return reference === null ? {} : { merchantReference: reference };
}

/** The metadata fields that select a scenario. */
function scenarioFields({ scenario, lateChargeSeconds }: AuthorizationRequest['metadata']): JsonObject {
  return {
    ...(scenario === undefined ? {} : { scenario }),
    ...(lateChargeSeconds === undefined ? {} : { lateChargeSeconds }),
  };
}

function methodBody(method: MethodToCharge): JsonObject {
  if (method.type === 'card_token') return { type: 'card_token', token: method.token };
  if (method.type === 'saved_card_token') return { type: 'stored_card', token: method.token, cvc: method.cvc };
  if (method.type !== 'card') return { ...method };
  const { number, expiryMonth, expiryYear, cvc } = method;
  return { type: 'card', number, expiryMonth, expiryYear, cvc };
}

function isSuccess({ status }: ProviderAnswer): boolean {
  return status === 200 || status === 201;
}

function isRefusal({ status }: ProviderAnswer): boolean {
  return status >= 400 && status < 500 && OUTAGE_BY_STATUS[status] === undefined && !isAboutCredentials(status);
}

function isAboutCredentials(status: number): boolean {
  return status === 401 || status === 403;
}

function isKeyClosed({ status, text }: ProviderAnswer): boolean {
  return status === 409 && refusalSchema.safeParse(parseJson(text)).data?.error.code === 'key_closed';
}

function outageOf({ status }: ProviderAnswer): ProviderOutageError {
  if (isAboutCredentials(status)) return new CredentialsRefusedError(`the simulator refuses the API key (${status})`);
  return new ProviderOutageError(
    OUTAGE_BY_STATUS[status] ?? 'TSP_ERROR',
    `the provider answered with status ${status}`,
  );
}

function readAnswer<Schema extends z.ZodType>(answer: ProviderAnswer, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(answer.text));
  if (parsed.success) return parsed.data;
  throw new ProviderOutageError('TSP_ERROR', `the provider's answer with status ${answer.status} cannot be read`);
}

function ofReference<Answer extends { readonly reference: string }>(answer: Answer, reference: string): Answer {
  if (answer.reference === reference) return answer;
  throw new ProviderOutageError('TSP_ERROR', 'the provider answered about something else');
}

/** A repeat whose payment was voided meanwhile counts as an outage, so that an inquiry resolves it. */
function authorizationOutcomeOf(outcome: InquiryOutcome): AuthorizationOutcome {
  if (outcome.kind !== 'not_charged') return outcome;
  throw new ProviderOutageError('TSP_ERROR', 'the payment has been voided');
}

function withoutToken(answer: ProviderAnswer, method: MethodToCharge): ProviderAnswer {
  if (method.type !== 'card_token' && method.type !== 'saved_card_token') return answer;
  return { ...answer, text: answer.text.replaceAll(method.token, '[redacted]') };
}

function describeAnswer({ status, text }: ProviderAnswer): JsonObject {
  return redactProviderResponse({ status, body: parseJson(text) ?? text });
}

function eventOf(provider: string, rawBody: Buffer): IdentifiedEvent | null {
  const event = simulatorEventSchema.safeParse(parseJson(rawBody.toString('utf8')));
  if (!event.success) throw new WebhookVerificationError('the event has no known form');
  const { id: eventId, type, data } = event.data;
  return EVENT_READERS[type]?.(data, { provider, eventId }) ?? null;
}

const EVENT_READERS: Readonly<
  Record<string, (data: unknown, reference: ProviderEventReference) => IdentifiedEvent | null>
> = {
  'payment.updated': (data, reference) => {
    const payment = readEvent(simulatorPaymentSchema, data);
    const { reference: attemptId } = payment;
    return isId('attempt', attemptId) ? { ...reference, attemptId, outcome: outcomeOf(payment) } : null;
  },
  'refund.updated': (data, reference) => {
    const refund = readEvent(simulatorRefundSchema, data);
    return { ...reference, refundId: refund.reference, refundOutcome: refundOutcomeOf(refund) };
  },
  'dispute.updated': (data, reference) => {
    const dispute = readEvent(simulatorDisputeSchema, data);
    const { reference: attemptId } = dispute;
    return isId('attempt', attemptId) ? { ...reference, dispute: { attemptId, ...disputeReportOf(dispute) } } : null;
  },
  'payment.fraud_warning': (data, reference) => {
    const { id: providerReference, reference: attemptId } = readEvent(simulatorWarningSchema, data);
    if (!isId('attempt', attemptId)) return null;
    return { ...reference, fraudWarning: { attemptId, providerEvent: 'payment.fraud_warning', providerReference } };
  },
};

function readEvent<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new WebhookVerificationError('the content of the event has no known form');
}
