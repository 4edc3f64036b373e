import { KESTREL, KESTREL_ABILITIES } from '../../../../providers/kestrel/kestrel-provider.ts';
import { signedHeaders, startFakeKestrel } from '../../../../sandbox/fakes/kestrel/fake-kestrel.ts';
import { KestrelError, TEST_CARDS } from '../../../../sandbox/fakes/kestrel/store.ts';
import {
  cardOf,
  describeProviderContract,
  type ProviderUnderContract,
  type SignedWebhook,
  startFaultProxy,
} from '../../../support/provider-contract.ts';

const CREDENTIALS = { apiKey: 'kt_test_abcdefgh', webhookSecret: 'a secret of sixteen or more' };

const CARDS = {
  approved: '4242424242424242',
  declined: TEST_CARDS.declined,
  waiting: TEST_CARDS.waiting,
  other_amount: TEST_CARDS.otherAmount,
  other_currency: TEST_CARDS.otherCurrency,
  refund_refused: TEST_CARDS.refundRefused,
  refund_waiting: TEST_CARDS.refundWaiting,
} as const;

const signed = (body: Buffer, secret = CREDENTIALS.webhookSecret, at = new Date()): SignedWebhook => ({
  body,
  headers: signedHeaders(body, secret, at),
});

describeProviderContract({
  name: 'the Kestrel adapter',
  abilities: KESTREL_ABILITIES,
  async start(): Promise<ProviderUnderContract> {
    const fake = await startFakeKestrel(CREDENTIALS);
    const faults = await startFaultProxy(fake.url);
    const adapterTo = (apiUrl: string, timeoutMs: number) =>
      KESTREL.create({ name: 'kestrel', environment: 'sandbox', credentials: CREDENTIALS, apiUrl, timeoutMs });
    /** Null where the reference is unknown or blocked. */
    const find = (attemptId: string) => {
      try {
        return fake.store.payment(attemptId);
      } catch (error) {
        if (error instanceof KestrelError) return null;
        throw error;
      }
    };
    return {
      provider: adapterTo(faults.url, 10_000),
      impatient: adapterTo(faults.url, 200),
      unreachable: adapterTo('http://127.0.0.1:9', 1_000),
      faults,
      webhooks: {
        sent: () => fake.sent,
        forged: ({ body }) => signed(body, 'another secret of any length'),
        tampered: ({ body, headers }) => ({ body: Buffer.from(body.toString().replace('12.34', '92.34')), headers }),
        foreign: () => signed(Buffer.from(JSON.stringify({ id: 'evt_1', type: 'payment.updated', payment: {} }))),
        sentAt: ({ body }, at) => signed(body, CREDENTIALS.webhookSecret, at),
      },
      prepare: (scenario, request) => ({ ...request, method: cardOf(CARDS[scenario]) }),
      customerActs({ attemptId }, decision) {
        const payment = find(attemptId);
        if (payment !== null) fake.store.decide(payment, decision === 'approve');
        return Promise.resolve();
      },
      settleRefund(refundId, end) {
        fake.store.settle(refundId, end === 'refunded');
        return Promise.resolve();
      },
      countCharges: (attemptId) => Promise.resolve(find(attemptId)?.charges ?? 0),
      keptMinor(attemptId) {
        const payment = find(attemptId);
        return Promise.resolve(payment === null ? 0 : fake.store.kept(payment));
      },
      async stop() {
        await faults.close();
        await fake.close();
      },
    };
  },
});
