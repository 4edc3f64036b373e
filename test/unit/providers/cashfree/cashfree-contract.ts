import { cashfreeRefundIdOf, customerIdOf } from '../../../../providers/cashfree/references.ts';
import { CASHFREE } from '../../../../providers/cashfree/cashfree-provider.ts';
import type { PaymentMethodDetails } from '../../../../providers/payment-provider.ts';
import { startFakeCashfree } from '../../../../sandbox/fakes/cashfree/fake-cashfree.ts';
import type { OrderTreatment } from '../../../../sandbox/fakes/cashfree/ledger.ts';
import { signWebhook } from '../../../../sandbox/fakes/cashfree/webhooks.ts';
import {
  cardOf,
  type ContractSettings,
  type ProviderUnderContract,
  startFaultProxy,
} from '../../../support/provider-contract.ts';
import { EVIDENCE } from '../../../support/provider-contract/dispute-cases.ts';
import { UNREACHABLE_URL } from '../../../support/simulator-harness.ts';
import { adapterTo, CLIENT_ID, CLIENT_SECRET } from './harness.ts';

const TREATMENTS: Partial<Record<string, OrderTreatment>> = {
  other_amount: { paysMore: true },
  other_currency: { paysDollars: true },
  refund_refused: { refunds: 'refused' },
  refund_waiting: { refunds: 'waiting' },
  waiting: { termination: 'requested' },
};

interface Account {
  readonly preauthorization: boolean;
  readonly method: PaymentMethodDetails;
}

async function startAccount({ preauthorization, method }: Account): Promise<ProviderUnderContract> {
  const fake = await startFakeCashfree({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, preauthorization });
  const faults = await startFaultProxy(fake.url);
  const { ledger } = fake;
  return {
    provider: adapterTo(faults.url, { preauthorization }),
    impatient: adapterTo(faults.url, { preauthorization, timeoutMs: 200 }),
    unreachable: adapterTo(UNREACHABLE_URL, { preauthorization }),
    faults,
    webhooks: {
      sent: () => fake.webhooks,
      forged: ({ body }) => signWebhook(body, 'another secret'),
      tampered: ({ body, headers }) => ({ headers, body: Buffer.from(body.toString().replace('12.34', '12.35')) }),
      foreign: () => {
        const payment = { cf_payment_id: '1', payment_status: 'SUCCESS', payment_amount: 1, payment_currency: 'INR' };
        const data = { order: { order_id: 'order_of_another_shop' }, payment };
        return signWebhook(Buffer.from(JSON.stringify({ data, type: 'PAYMENT_SUCCESS_WEBHOOK' })), CLIENT_SECRET);
      },
      refundedByHand: ({ attemptId, providerPaymentId, amountMinor, currency }) => {
        const refund = {
          cf_refund_id: 77,
          cf_payment_id: providerPaymentId,
          refund_id: 'BY-HAND-77',
          order_id: attemptId,
          refund_amount: amountMinor / 100,
          refund_currency: currency,
          refund_status: 'SUCCESS',
        };
        const event = { data: { refund }, type: 'REFUND_STATUS_WEBHOOK' };
        return signWebhook(Buffer.from(JSON.stringify(event)), CLIENT_SECRET);
      },
      sentAt: ({ body }, at) => signWebhook(body, CLIENT_SECRET, at),
    },
    prepare(scenario, request) {
      ledger.treat(request.attemptId, TREATMENTS[scenario] ?? {});
      return { ...request, method };
    },
    storedCredentials: {
      numberThatAsks: '4000002760003184',
      tokensOf: (customerId) =>
        Promise.resolve(ledger.instruments(customerIdOf(customerId)).map((each) => each.instrument_id)),
      marksOf: (attemptId) => Promise.resolve({ use: 'on_session', token: ledger.instrumentOf(attemptId) ?? '' }),
    },
    disputes: {
      evidence: EVIDENCE,
      open: ({ attemptId, amountMinor }) =>
        Promise.resolve(String(ledger.disputes.open(attemptId, amountMinor / 100).dispute_id)),
      decide: (reference, end) => Promise.resolve(void ledger.disputes.decide(Number(reference), end === 'won')),
      answersTo: (reference) => Promise.resolve(ledger.disputes.answersTo(Number(reference))),
    },
    customerActs: ({ attemptId }, decision) => {
      ledger.decide(attemptId, decision === 'approve' ? 'SUCCESS' : 'FAILED');
      return Promise.resolve();
    },
    settleRefund: (refundId, end) => {
      ledger.settleRefund(cashfreeRefundIdOf(refundId), end === 'refunded' ? 'SUCCESS' : 'CANCELLED');
      return Promise.resolve();
    },
    countCharges: (attemptId) => Promise.resolve(ledger.countCharges(attemptId)),
    keptMinor: (attemptId) => Promise.resolve(ledger.keptMinor(attemptId)),
    async stop() {
      await faults.close();
      await fake.close();
    },
  };
}

/** Cashfree with UPI under the contract. */
export const CASHFREE_UPI_CONTRACT: ContractSettings = {
  name: 'the Cashfree adapter, with UPI,',
  capabilities: { ...CASHFREE.capabilities, captureMethods: ['automatic'], partialCapture: false },
  // Nothing is declined before the customer has acted, and only cards are kept.
  lacks: ['declined', 'authentication_demanded', 'stored credentials'],
  currency: 'INR',
  start: () => startAccount({ preauthorization: false, method: { type: 'upi', vpa: null } }),
};

/** Cashfree with cards under the contract. */
export const CASHFREE_CARD_CONTRACT: ContractSettings = {
  name: 'the Cashfree adapter, with cards that are held first,',
  capabilities: CASHFREE.capabilities,
  // Webhooks do not report captures.
  lacks: ['declined', 'authentication_demanded', 'webhooks'],
  currency: 'INR',
  start: () => startAccount({ preauthorization: true, method: cardOf('4111111111111111') }),
};
