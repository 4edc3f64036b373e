import { ADYEN } from '../../../../providers/adyen/adyen-provider.ts';
import type { AdyenBehaviour } from '../../../../sandbox/fakes/adyen/fake-adyen.ts';
import { signAdyenWebhook, startFakeAdyen } from '../../../../sandbox/fakes/adyen/fake-adyen.ts';
import { type ContractSettings, type SignedWebhook, startFaultProxy } from '../../../support/provider-contract.ts';
import { behaviourOfCard } from '../../../../sandbox/fakes/adyen/test-cards.ts';
import type { PaymentScenario } from '../../../support/provider-contract/subject.ts';
import { EVIDENCE } from '../../../support/provider-contract/dispute-cases.ts';
import { UNREACHABLE_URL } from '../../../support/simulator-harness.ts';
import { ADYEN_CREDENTIALS, adyenAdapterTo } from './adyen-fixture.ts';

const BEHAVIOURS: Readonly<Record<PaymentScenario, AdyenBehaviour>> = {
  approved: {},
  declined: { resultCode: 'Refused', refusalReasonCode: '2', refusalReason: 'Refused' },
  authentication_demanded: { demandsAuthentication: true },
  waiting: { resultCode: 'RedirectShopper' },
  other_amount: { authorized: { value: 12_35 } },
  other_currency: { authorized: { currency: 'EUR' } },
  refund_refused: { refund: 'refused' },
  refund_waiting: { refund: 'waiting' },
  capture_refused: { capture: 'refused' },
};

const ENCRYPTED_CARD = {
  type: 'scheme',
  encryptedCardNumber: 'adyenjs_0_1_25$number',
  encryptedExpiryMonth: 'adyenjs_0_1_25$month',
  encryptedExpiryYear: 'adyenjs_0_1_25$year',
  encryptedSecurityCode: 'adyenjs_0_1_25$code',
};
const STORED_CARD = { storedPaymentMethodId: '8415718415172204', shopperReference: 'shopper-7731' };

/** Adyen under the contract. */
export const ADYEN_CONTRACT: ContractSettings = {
  name: 'the Adyen adapter',
  capabilities: ADYEN.capabilities,
  tokenKinds: ['encrypted card', 'stored card'],
  async start() {
    const fake = await startFakeAdyen({ ...ADYEN_CREDENTIALS, behaviourOfCard });
    const { storedPaymentMethodId: id, shopperReference } = STORED_CARD;
    const first = { number: null, expiryMonth: '12', expiryYear: '2039', firstPspReference: 'PSPFIRST' };
    fake.store.storedCards.put({ id, shopperReference, ...first });
    const faults = await startFaultProxy(fake.url);
    return {
      provider: adyenAdapterTo(faults.url),
      impatient: adyenAdapterTo(faults.url, 200),
      unreachable: adyenAdapterTo(UNREACHABLE_URL),
      faults,
      webhooks: {
        sent: () => fake.webhooks().map(webhookOf),
        forged: ({ body }) => webhookOf(replaceIn(body, /"hmacSignature":"[^"]+"/, otherSignature())),
        tampered: ({ body }) => webhookOf(replaceIn(body, '"value":1234', '"value":9999')),
        foreign: () => webhookOf(sign('Order-77:2 \\ of 3')),
        refundedByHand: ({ providerPaymentId, amountMinor: value, currency }) => {
          const refund = { eventCode: 'REFUND', success: true, pspReference: 'BYHAND', merchantReference: 'Order 77' };
          const { merchantAccount: merchantAccountCode, hmacKey } = ADYEN_CREDENTIALS;
          const of = { originalReference: providerPaymentId, merchantAccountCode, amount: { value, currency } };
          return webhookOf(signAdyenWebhook({ ...refund, ...of }, hmacKey));
        },
      },
      prepare(scenario, request) {
        if (scenario !== 'approved') fake.setBehaviour(request.attemptId, BEHAVIOURS[scenario]);
        return scenario === 'authentication_demanded'
          ? { ...request, returnUrl: 'https://shop.example/return' }
          : request;
      },
      storedCredentials: {
        numberThatAsks: '4000002760003184',
        tokensOf: (customerId) => Promise.resolve(fake.store.storedCards.of(customerId).map((card) => card.id)),
        marksOf(attemptId) {
          const [payment] = fake.store.paymentsOf(attemptId);
          const { token = '', shopperInteraction, recurringProcessingModel = '' } = payment?.onFile ?? {};
          const isWithout = shopperInteraction === 'ContAuth';
          const without = recurringProcessingModel === 'Subscription' ? 'recurring' : 'unscheduled';
          return Promise.resolve({ use: isWithout ? without : 'on_session', token });
        },
      },
      disputes: {
        evidence: { evidence: {}, files: EVIDENCE.files },
        open: ({ attemptId, amountMinor: value, currency }) =>
          Promise.resolve(fake.openDispute(attemptId, { value, currency })),
        decide: (reference, end) => Promise.resolve(fake.decideDispute(reference, end === 'won')),
        answersTo: (reference) => Promise.resolve(fake.store.disputes.answersTo(reference)),
      },
      newToken: (kind) => JSON.stringify(kind === 'stored card' ? STORED_CARD : ENCRYPTED_CARD),
      async customerActs({ attemptId, customerReturn }, decision) {
        const [payment] = fake.store.paymentsOf(attemptId);
        if (payment === undefined) throw new Error(`${attemptId} is not known`);
        const challenge = `${fake.url}/checkoutshopper/threeDS/redirect/${payment.pspReference}?decision=${decision}`;
        const { headers } = await fetch(challenge, { redirect: 'manual' });
        customerReturn.comeBack(new URL(headers.get('location') ?? '').searchParams.get('redirectResult') ?? '');
      },
      settleRefund: (refundId, end) => {
        fake.settleRefund(refundId, end === 'refunded');
        return Promise.resolve();
      },
      countCharges: (attemptId) => Promise.resolve(fake.countCharges(attemptId)),
      keptMinor: (attemptId) => Promise.resolve(fake.keptValue(attemptId)),
      async stop() {
        await faults.close();
        await fake.close();
      },
    };
  },
};

function webhookOf(body: Buffer): SignedWebhook {
  return { body, headers: { 'content-type': 'application/json' } };
}

function replaceIn(body: Buffer, search: string | RegExp, replacement: string): Buffer {
  return Buffer.from(body.toString('utf8').replace(search, replacement));
}

function sign(merchantReference: string, hmacKey = ADYEN_CREDENTIALS.hmacKey): Buffer {
  const { merchantAccount: merchantAccountCode } = ADYEN_CREDENTIALS;
  const amount = { value: 1234, currency: 'USD' };
  const event = { eventCode: 'AUTHORISATION', success: true, pspReference: 'PSP1', merchantAccountCode, amount };
  return signAdyenWebhook({ ...event, merchantReference }, hmacKey);
}

function otherSignature(): string {
  return /"hmacSignature":"[^"]+"/.exec(sign('x', '9'.repeat(64)).toString('utf8'))?.[0] ?? '';
}
