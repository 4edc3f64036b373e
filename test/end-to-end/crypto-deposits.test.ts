import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { paymentIntentResource } from '../../contract/schemas/payment-intent-resource.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertContains } from '../support/assert-contains.ts';
import {
  assertRefused,
  type Failure,
  type Intent,
  intentInFailure,
  intentOf,
  timelineOf,
} from '../support/envelopes.ts';
import { chargesOf } from '../support/ledger.ts';
import { createPayment, INTENTS, type Payment } from '../support/payments.ts';
import { card, crypto } from '../../sandbox/test-payment-methods.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { type Frame, describeFrame, watch } from '../support/socket-watch.ts';

interface Deposit {
  readonly scenario: string;
  readonly asset: string;
  readonly network: string;
  readonly currency: 'USD' | 'EUR';
  /** The quote for 19.99 of the currency, with all digits of the asset. */
  readonly quote: string;
  readonly confirmationsRequired: number;
  readonly address: RegExp;
  /** The failure and the received amount, if the deposit fails. */
  readonly fails?: { readonly reason: string; readonly receivedAmount: string };
}

const BITCOIN = { asset: 'BTC', network: 'bitcoin', confirmationsRequired: 3, address: /^tb1q[a-z0-9]{38}$/ } as const;
const ETHEREUM = { network: 'ethereum', confirmationsRequired: 12, address: /^0x[0-9a-f]{40}$/ } as const;

const DEPOSITS: readonly Deposit[] = [
  { scenario: 'confirmed', ...BITCOIN, currency: 'USD', quote: '0.00031235' },
  { scenario: 'confirmed', asset: 'ETH', ...ETHEREUM, currency: 'USD', quote: '0.006246875000000000' },
  {
    scenario: 'underpaid',
    ...BITCOIN,
    currency: 'USD',
    quote: '0.00031235',
    fails: { reason: 'underpaid', receivedAmount: '0.00028111' },
  },
  {
    scenario: 'overpaid',
    ...BITCOIN,
    currency: 'EUR',
    quote: '0.00033882',
    fails: { reason: 'overpaid', receivedAmount: '0.00037271' },
  },
  {
    scenario: 'wrong_asset',
    asset: 'USDC',
    network: 'polygon',
    confirmationsRequired: 128,
    address: /^0x[0-9a-f]{40}$/,
    currency: 'USD',
    quote: '19.990000',
    fails: { reason: 'wrong_asset', receivedAmount: '0.000000' },
  },
  {
    scenario: 'mismatch',
    asset: 'USDT',
    network: 'tron',
    confirmationsRequired: 19,
    address: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
    currency: 'EUR',
    quote: '21.728261',
    fails: { reason: 'address_mismatch', receivedAmount: '0.000000' },
  },
  {
    scenario: 'reorg',
    asset: 'ETH',
    ...ETHEREUM,
    currency: 'EUR',
    quote: '0.006776271186440678',
    fails: { reason: 'chain_reorganization', receivedAmount: '0.000000000000000000' },
  },
];

interface Flow {
  readonly payment: Payment;
  readonly confirmed: Answer;
  readonly frames: readonly Frame[];
  readonly ended: Intent;
}

const BEGUN = ['payment-processing', 'payment-requires-action', 'payment-processing'];
const TIMELINE_START = [
  'Routes chosen: alpha, then beta',
  'Attempt 1 goes to alpha',
  'payment_intent.processing',
  'alpha asks the customer to act (crypto_deposit)',
  'payment_intent.requires_action',
  'The customer has acted; alpha works on the payment',
  'payment_intent.processing',
];

/** Runs a payment through its deposit, with a page that watches it from the start. */
async function runScenario({ scenario, asset, network, currency, fails }: Deposit): Promise<Flow> {
  const payment = await createPayment({ currency, metadata: { scenario } });
  const page = await watch(payment.created.clientSecret);
  const confirmed = await payment.confirm(crypto(asset, network));
  const frames = await page.take(BEGUN.length + 1);
  await page.end();
  return { payment, confirmed, frames, ended: await payment.reach(fails === undefined ? 'succeeded' : 'failed') };
}

async function summariesOf({ id }: Payment): Promise<readonly string[]> {
  const lines = timelineOf(await request({ method: 'GET', path: `${INTENTS}/${id}/timeline` }));
  return lines.map(({ summary }) => summary);
}

describe('crypto deposits', function () {
  this.timeout(2 * MINUTE_MS);
  const flows = new Map<Deposit, Promise<Flow>>();

  before('run all scenarios concurrently', async () => {
    for (const deposit of DEPOSITS) flows.set(deposit, runScenario(deposit));
    await Promise.allSettled(flows.values());
  });

  for (const deposit of DEPOSITS) {
    const { scenario, asset, network, currency, quote, confirmationsRequired, address, fails } = deposit;
    const courseOf = async (): Promise<Flow> => {
      const flow = await flows.get(deposit);
      assert.ok(flow);
      return flow;
    };

    describe(`of ${asset} on ${network}, ${scenario}`, () => {
      it('returns an address and a quote in the precision of the asset', async () => {
        const { confirmed, frames } = await courseOf();
        // The simulated customer makes the deposit after a second; on a busy machine the response may take that long too.
        const intent = confirmed.status === 200 ? intentOf(confirmed) : intentInFailure(confirmed);
        assertContains(intent, { amount: 1_999, currency });
        assert.deepEqual(intent.paymentMethod, { type: 'crypto', asset, network });
        const nextAction = paymentIntentResource.shape.nextAction.parse(frames[1]?.details?.['nextAction']);
        assert.equal(nextAction?.type, 'crypto_deposit');
        if (intent.status === 'requires_action') assert.deepEqual(intent.nextAction, nextAction);
        assertContains(nextAction, { asset, network, amount: quote, confirmationsRequired });
        assert.match(nextAction.address, address);
      });

      it('notifies its page when it was seen, and of its outcome', async () => {
        const { frames } = await courseOf();
        const end =
          fails === undefined ? 'payment-succeeded, terminal' : 'payment-failed CRYPTO_DEPOSIT_FAILED, terminal';
        assert.deepEqual(frames.map(describeFrame), [...BEGUN, end]);
        if (fails !== undefined) assertDeposit(frames.at(-1)?.details, deposit);
      });

      it(fails === undefined ? 'is taken' : 'fails with what is known of it', async () => {
        const { ended, payment } = await courseOf();
        assert.equal(ended.nextAction, null);
        assert.equal(ended.amountCaptured, fails === undefined ? 1_999 : 0);
        if (fails === undefined) assert.equal(ended.lastError, null);
        else assertDeposit(ended.lastError?.details, deposit);
        assert.deepEqual(await chargesOf(payment.id), fails === undefined ? ['alpha capture 1999'] : []);
      });

      it('has timeline entries for each step', async () => {
        const { payment } = await courseOf();
        const end =
          fails === undefined
            ? [
                'alpha reported attempt 1: approved',
                'Attempt 1: alpha said approved',
                `${currency} 19.99 captured at alpha`,
                'transaction.created',
              ]
            : [
                'alpha reported attempt 1: failed',
                'Attempt 1: alpha said failed (CRYPTO_DEPOSIT_FAILED)',
                'CRYPTO_DEPOSIT_FAILED: the payment has failed',
                'payment_intent.payment_failed',
              ];
        const timeline = await summariesOf(payment);
        const expected = [...TIMELINE_START, ...end];
        assert.deepEqual(
          timeline.slice(timeline.indexOf('Routes chosen: alpha, then beta')).slice(0, expected.length),
          expected,
        );
      });
    });
  }

  it('of a pair that the provider does not support are declined, and another method can be used', async () => {
    const payment = await createPayment({ metadata: { scenario: 'unsupported_pair' } });
    const page = await watch(payment.created.clientSecret);
    const answer = await payment.confirm(crypto());
    assertRefused(answer, 400, 'UNSUPPORTED_CURRENCY_PAIR');
    assertContains(intentInFailure(answer), {
      status: 'requires_payment_method',
      lastError: { code: 'UNSUPPORTED_CURRENCY_PAIR' },
      attempts: Object.fromEntries(
        ['alpha', 'beta'].map((provider, index) => [
          index,
          { provider, outcome: 'declined', code: 'UNSUPPORTED_CURRENCY_PAIR' },
        ]),
      ),
    });
    assert.deepEqual((await page.take(2)).map(describeFrame), [
      'payment-processing',
      'payment-failed UNSUPPORTED_CURRENCY_PAIR',
    ]);
    await page.end();
    assert.deepEqual(await chargesOf(payment.id), []);
    assert.equal(intentOf(await payment.confirm(card('approved'))).status, 'succeeded');
  });

  it('that were not made can be canceled', async () => {
    const payment = await createPayment({ metadata: { scenario: 'unpaid' } });
    assert.equal(intentOf(await payment.confirm(crypto())).status, 'requires_action');
    assertContains(intentOf(await payment.cancel()), { status: 'canceled', nextAction: null });
    assert.deepEqual(await chargesOf(payment.id), []);
  });

  it('require a supported asset, on a network that supports it', async () => {
    const payment = await createPayment();
    for (const [asset, network, field] of [
      ['DOGE', 'bitcoin', 'paymentMethod.crypto.asset'],
      ['BTC', 'ethereum', 'paymentMethod.crypto.network'],
    ] as const) {
      const { details } = assertRefused(await payment.confirm(crypto(asset, network)), 422, 'VALIDATION_ERROR');
      assertContains(details, { fields: { 0: { field, code: 'invalid' } } });
    }
    const { status, attempts } = await payment.read();
    assert.deepEqual([status, attempts], ['requires_payment_method', []]);
  });

  it('have limits for the amount, and are available in some currencies only', async () => {
    const small = await createPayment({ amount: 499 });
    assertRefused(await small.confirm(crypto()), 422, 'CHANNEL_LIMIT_MIN_EXCEEDED');
    const elsewhere = await createPayment({ currency: 'GBP' });
    assertRefused(await elsewhere.confirm(crypto()), 503, 'NO_TSP_AVAILABLE');
  });
});

function assertDeposit(details: Failure['details'] | null, { fails, quote, asset, network }: Deposit): void {
  const { transactionHash, ...rest } = details ?? {};
  assert.match(String(transactionHash), /^(?:0x)?[0-9a-f]{64}$/);
  assert.deepEqual(rest, { ...fails, asset, network, expectedAmount: quote });
}
