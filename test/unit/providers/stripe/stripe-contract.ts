import type { AuthorizationRequest } from '../../../../providers/payment-provider.ts';
import { STRIPE_CAPABILITIES } from '../../../../providers/stripe/stripe-provider.ts';
import {
  cardOf,
  type ContractSettings,
  type ProviderUnderContract,
  startFaultProxy,
} from '../../../support/provider-contract.ts';
import { EVIDENCE } from '../../../support/provider-contract/dispute-cases.ts';
import { UNREACHABLE_URL } from '../../../support/simulator-harness.ts';
import { adapterTo, startFake } from '../../../support/stripe-harness.ts';

const APPROVED = { method: cardOf('4242424242424242') };
const SCENARIOS = {
  approved: APPROVED,
  declined: { method: cardOf('4000000000000002') },
  authentication_demanded: { method: cardOf('4000000000003188'), returnUrl: 'https://shop.example/return' },
  waiting: { method: cardOf('4000000000003220'), returnUrl: 'https://shop.example/return' },
  other_amount: APPROVED,
  other_currency: APPROVED,
  refund_refused: { method: cardOf('4000000000005126') },
  refund_waiting: { method: cardOf('4000000000007726') },
  capture_refused: APPROVED,
} as const satisfies Record<string, Partial<AuthorizationRequest>>;

const MISREPORTS = { other_amount: { additional: 1 }, other_currency: { currency: 'eur' } } as const;

/** Stripe under the contract. */
export const STRIPE_CONTRACT: ContractSettings = {
  name: 'the Stripe adapter',
  capabilities: STRIPE_CAPABILITIES,
  tokenKinds: ['payment method', 'confirmation token'],
  async start(): Promise<ProviderUnderContract> {
    const stripe = await startFake();
    const faults = await startFaultProxy(stripe.url);
    const { payments } = stripe;
    const ofAttempt = (attemptId: string) =>
      payments.intents().filter(({ metadata }) => metadata.attempt_id === attemptId);
    return {
      provider: adapterTo(faults.url),
      impatient: adapterTo(faults.url, { timeoutMs: 200 }),
      unreachable: adapterTo(UNREACHABLE_URL),
      faults,
      webhooks: {
        sent: stripe.sentWebhooks,
        forged: ({ body }) => stripe.sign(body, { secret: 'whsec_of_another_endpoint' }),
        tampered: ({ body, headers }) => ({
          headers,
          body: Buffer.from(body.toString('utf8').replace('1234', '9999')),
        }),
        foreign: () => stripe.sign(Buffer.from(JSON.stringify(FOREIGN_EVENT))),
        refundedByHand: ({ providerPaymentId, amountMinor, currency }) => {
          const object = {
            id: 're_by_hand',
            object: 'refund',
            amount: amountMinor,
            currency: currency.toLowerCase(),
            created: 1_795_000_000,
            status: 'succeeded',
            payment_intent: providerPaymentId,
            metadata: {},
          };
          const event = {
            id: 'evt_by_hand',
            object: 'event',
            type: 'refund.created',
            livemode: false,
            data: { object },
          };
          return stripe.sign(Buffer.from(JSON.stringify(event)));
        },
        sentAt: ({ body }, at) => stripe.sign(body, { at }),
      },
      prepare(scenario, request) {
        if (scenario === 'other_amount' || scenario === 'other_currency') {
          stripe.misreport(request.attemptId, MISREPORTS[scenario]);
        }
        return { ...request, ...SCENARIOS[scenario] };
      },
      storedCredentials: {
        numberThatAsks: '4000002760003184',
        tokensOf: (customerId) =>
          Promise.resolve(
            payments
              .customers()
              .filter(({ metadata }) => metadata.customer_id === customerId)
              .flatMap(({ id }) => payments.methodsOf(id).map((method) => method.id)),
          ),
        marksOf(attemptId) {
          const [intent] = ofAttempt(attemptId);
          const { payment_method: token } = intent ?? {};
          const use = payments.offSessionOf(intent?.id ?? '') ?? 'on_session';
          return Promise.resolve({
            use: use === 'one_off' ? 'unscheduled' : use,
            token: typeof token === 'string' ? token : '',
          });
        },
      },
      disputes: {
        evidence: EVIDENCE,
        open: ({ providerPaymentId, amountMinor: amount }) =>
          Promise.resolve(stripe.disputes.open(providerPaymentId, { amount }).id),
        decide: (reference, end) => Promise.resolve(void stripe.disputes.decide(reference, end)),
        answersTo: (reference) => Promise.resolve(stripe.disputes.answersTo(reference)),
      },
      newToken: (kind) =>
        kind === 'payment method'
          ? payments.createMethod({ card: { number: '4242424242424242' } }).id
          : payments.createConfirmationToken('4242424242424242'),
      customerActs({ providerPaymentId }, decision) {
        payments.completeAuthentication(providerPaymentId ?? '', decision === 'approve');
        return Promise.resolve();
      },
      settleRefund(refundId, end) {
        const refund = payments.refunds().find(({ metadata }) => metadata?.refund_id === refundId);
        payments.settleRefund(refund?.id ?? '', end === 'refunded' ? 'succeeded' : 'failed');
        return Promise.resolve();
      },
      countCharges: (attemptId) =>
        Promise.resolve(ofAttempt(attemptId).filter(({ status }) => status === 'succeeded').length),
      keptMinor: (attemptId) =>
        Promise.resolve(
          ofAttempt(attemptId).reduce(
            (sum, { id, amount_received: received }) => sum + received - payments.refundedMinor(id),
            0,
          ),
        ),
      async stop() {
        await faults.close();
        await stripe.close();
      },
    };
  },
};

const FOREIGN_EVENT = {
  id: 'evt_foreign',
  object: 'event',
  type: 'payment_intent.succeeded',
  livemode: false,
  data: { object: { id: 'pi_of_another_system', object: 'payment_intent', metadata: { attempt_id: 'order-17' } } },
};
