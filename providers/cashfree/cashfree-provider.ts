import type { OrderCreateRefundRequest } from 'cashfree-pg';
import { formatMoney } from '../../domain/money.ts';
import { CAPTURE_METHODS } from '../../domain/payment.ts';
import type { CaptureOutcome, Declined, InquiryOutcome, RefundInquiryOutcome } from '../../domain/provider-outcome.ts';
import {
  type AuthorizationRequest,
  isWithoutCustomer,
  type PaymentProvider,
  type ProviderCapabilities,
  type RefundRequest,
} from '../payment-provider.ts';
import type { PaymentProblem, PaymentToTake } from '../../domain/routing.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../provider-errors.ts';
import type { ProviderAccountSettings, ProviderKind } from '../provider-kind.ts';
import { type CashfreeClient, createCashfreeClient, doneOf, type Refusal } from './client.ts';
import { CASHFREE_CREDENTIALS, type CashfreeCredentials, cashfreeCredentialsSchema } from './credentials.ts';
import { acceptDispute, findDisputes, inquireDispute, problemWithEvidence, submitEvidence } from './dispute-answers.ts';
import { findPayment } from './listed-payment.ts';
import { CASHFREE_CURRENCY, MINIMUM_MINOR, rupeesOf } from './money.ts';
import { chargeOf, isOpenOrder, refundOutcomeOf } from './outcomes.ts';
import { createOrders } from './orders.ts';
import { cashfreeRefundIdOf } from './references.ts';
import { readCredential, removeCredential } from './saved-cards.ts';
import { createSettlementPages } from './settlements.ts';
import { readEvent, verifySignature } from './webhook.ts';

/** The notes that Cashfree accepts. */
const NOTE = /^.{3,100}$/;

/** The capture methods of an account with preauthorization. */
const CAPABILITIES: ProviderCapabilities = {
  methods: ['upi', 'card'],
  captureMethods: CAPTURE_METHODS,
  providerTokens: false,
  problemWith,
  partialCapture: true,
  inquiry: 'exact',
  closing: 'by_webhook',
  capturing: 'at_once',
  references: 'ours',
  requestsPerSecond: null,
  // India's rules want the customer's second factor for each payment with a card that Cashfree keeps.
  storedCredentials: { tokens: true, offSession: false, networkTransactionIds: false },
};

/** Cashfree Payments: UPI by link, and cards by redirect. */
export const CASHFREE: ProviderKind<CashfreeCredentials> = {
  label: 'Cashfree Payments',
  description: 'UPI and cards in Indian rupees at your own Cashfree account',
  schema: cashfreeCredentialsSchema,
  credentials: CASHFREE_CREDENTIALS,
  capabilities: CAPABILITIES,
  capabilitiesOf: ({ preauthorization }) => cashfreeCapabilities(preauthorization === 'true'),
  disputeAnswers: { problemWith: problemWithEvidence },
  create: createCashfreeProvider,
  async check(settings, signal) {
    const reply = await createCashfreeClient(settings)
      .getOrder('credentials-check', signal)
      .catch((error: unknown) => {
        if (error instanceof CredentialsRefusedError) return null;
        throw error;
      });
    const isAllowed = reply !== null && (reply.kind === 'done' || reply.meaning === 'not_found');
    return isAllowed ? null : 'Cashfree refuses the client id or the client secret in this environment.';
  },
};

/** What an account offers. @param isPreauthorized whether Cashfree has enabled preauthorization for it */
function cashfreeCapabilities(isPreauthorized: boolean): ProviderCapabilities {
  return isPreauthorized ? CAPABILITIES : { ...CAPABILITIES, captureMethods: ['automatic'], partialCapture: false };
}

/** What every account refuses, whatever it offers besides. */
function problemWith({ method, captureMethod, amountMinor, currency }: PaymentToTake): PaymentProblem | null {
  if (currency !== CASHFREE_CURRENCY) return { reason: 'currency_not_offered', takes: CASHFREE_CURRENCY };
  if (amountMinor < MINIMUM_MINOR) {
    return { reason: 'amount_outside_limits', takes: `amounts from ${formatMoney(MINIMUM_MINOR, currency)}` };
  }
  // UPI holds money by collect requests only.
  if (captureMethod === 'manual' && method === 'upi') {
    return { reason: 'capture_method_not_offered', takes: 'UPI with automatic capture only' };
  }
  return null;
}

/** The adapter to one account at Cashfree. */
function createCashfreeProvider(settings: ProviderAccountSettings<CashfreeCredentials>): PaymentProvider {
  const { credentials, name } = settings;
  const { clientSecret, preauthorization: isPreauthorized } = credentials;
  const client = createCashfreeClient(settings);
  const orders = createOrders(client, credentials);
  const capabilities = cashfreeCapabilities(isPreauthorized);

  return {
    name,
    capabilities,

    authorize: async (request, signal) => impossibilityOf(request, capabilities) ?? orders.authorize(request, signal),

    inquire: (request, signal) => orders.inquire(request, signal),

    close: (request, signal) => orders.close(request, signal),

    async capture({ attemptId, amountMinor }, signal) {
      const found = await orders.find(attemptId, signal);
      if (isOpenOrder(found)) throw new ProviderOutageError('TSP_ERROR', 'the order is not paid');
      const known = captureOutcomeOf(found);
      if (known !== null) return known;
      const reply = await client.authorize(attemptId, { action: 'CAPTURE', amount: rupeesOf(amountMinor) }, signal);
      if (reply.kind === 'refused' && reply.meaning === 'already_exists') return doneOf(reply);
      if (reply.kind === 'refused') return { kind: 'unrecognised', providerResponse: reply.providerResponse };
      return captureOutcomeOf(chargeOf(reply.value, isPreauthorized)) ?? { kind: 'pending' };
    },

    async refund(request, signal) {
      const outcome = await requestRefund(client, request, signal);
      if (!('meaning' in outcome)) return outcome;
      const { meaning, providerResponse } = outcome;
      return meaning === 'refund_refused' ? refusedRefund(outcome) : { kind: 'unrecognised', providerResponse };
    },

    async inquireRefund(request, signal) {
      const found = await client.getRefund(request.attemptId, cashfreeRefundIdOf(request.refundId), signal);
      if (found.kind === 'done') return refundOutcomeOf(found.value);
      if (found.meaning !== 'not_found') return doneOf(found);
      // An earlier request may still arrive, and nothing can prevent that. Cashfree makes the same refund once, even if it is
      // requested again.
      const outcome = await requestRefund(client, request, signal);
      if (!('meaning' in outcome)) return outcome;
      // The order was paid, so it exists. The credentials may be those of another account, and the refund may have been made at the
      // right one. Somebody else than Cashfree may have given an answer of another form.
      if (outcome.meaning === 'not_found' || outcome.meaning === 'unknown_form')
        throw new ProviderOutageError('TSP_ERROR', `Cashfree does not have the order: ${outcome.meaning}`);
      return refusedRefund(outcome);
    },

    findPayment: ({ attemptId }, signal) => findPayment(client, { attemptId, isPreauthorized }, signal),

    readCredential: (reference, signal) => readCredential(client, reference, signal),
    removeCredential: (removal, signal) => removeCredential(client, removal, signal),

    ...createSettlementPages(client),

    submitEvidence: (answer, signal) => submitEvidence(client, answer, signal),
    acceptDispute: (answer, signal) => acceptDispute(client, answer, signal),
    inquireDispute: (reference, signal) => inquireDispute(client, reference, signal),
    findDisputes: (reference, signal) => findDisputes(client, reference, signal),

    parseWebhook(rawBody, headers) {
      const { isRecent } = verifySignature(rawBody, headers, clientSecret);
      return readEvent(rawBody, { provider: name, isPreauthorized, isRecent });
    },
  };
}

/** Why an account cannot take a payment at all; null where it can. */
function impossibilityOf(
  { method: charged, ...payment }: AuthorizationRequest,
  { methods, captureMethods }: ProviderCapabilities,
): Declined | null {
  const decline = (code: Declined['code']): Declined => ({
    kind: 'declined',
    providerPaymentId: null,
    code,
    advice: 'elsewhere',
  });
  const type = charged.type === 'saved_card_token' ? 'card' : charged.type;
  const method = isWithoutCustomer(charged) ? undefined : methods.find((each) => each === type);
  if (method === undefined) return decline('PAYMENT_DECLINED');
  const problem = problemWith({ ...payment, method });
  if (problem !== null) return decline(DECLINES[problem.reason]);
  return captureMethods.includes(payment.captureMethod) ? null : decline('PAYMENT_DECLINED');
}

const DECLINES: Readonly<Record<PaymentProblem['reason'], Declined['code']>> = {
  capture_method_not_offered: 'PAYMENT_DECLINED',
  currency_not_offered: 'UNSUPPORTED_CURRENCY_PAIR',
  asset_not_offered: 'UNSUPPORTED_CURRENCY_PAIR',
  amount_not_offered: 'UNSUPPORTED_CURRENCY_PAIR',
  amount_outside_limits: 'LIMIT_EXCEEDED',
};

/** The answer to a capture, as far as the state of the payment says it; null while money is held. */
function captureOutcomeOf(outcome: InquiryOutcome): CaptureOutcome | null {
  switch (outcome.kind) {
    case 'approved': {
      const { providerPaymentId, amountMinor, capturedMinor = amountMinor, currency, captured } = outcome;
      return captured ? { kind: 'captured', providerPaymentId, capturedMinor, currency } : null;
    }
    case 'pending':
    case 'requires_action':
      return { kind: 'pending' };
    default:
      return { kind: 'not_held' };
  }
}

type RequestedRefund = Exclude<RefundInquiryOutcome, { kind: 'not_refunded' }>;

/** Requests a refund; where Cashfree refuses, an earlier request under the same id may be why, and counts. */
async function requestRefund(
  client: CashfreeClient,
  { refundId, attemptId, amountMinor, reference = null }: RefundRequest,
  signal: AbortSignal,
): Promise<RequestedRefund | Refusal> {
  const id = cashfreeRefundIdOf(refundId);
  const body: OrderCreateRefundRequest = {
    refund_id: id,
    refund_amount: rupeesOf(amountMinor),
    ...(reference === null || !NOTE.test(reference) ? {} : { refund_note: reference }),
  };
  const reply = await client.refund(attemptId, body, signal);
  if (reply.kind === 'done') return refundOutcomeOf(reply.value);
  const found = await client.getRefund(attemptId, id, signal);
  if (found.kind === 'done') return refundOutcomeOf(found.value);
  if (found.meaning === 'not_found' && reply.meaning !== 'already_exists') return reply;
  throw new ProviderOutageError('TSP_ERROR', 'Cashfree neither makes nor shows the refund');
}

function refusedRefund({ providerResponse }: Refusal): RequestedRefund {
  return { kind: 'refused', providerRefundId: null, details: { providerResponse } };
}
