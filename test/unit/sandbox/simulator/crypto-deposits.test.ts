import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import type { SimulatorTuning } from '../../../../sandbox/simulator/server.ts';
import { assertContains } from '../../../support/assert-contains.ts';
import {
  capture,
  cryptoPayment,
  keptMinor,
  pay,
  postToSimulator,
  readLedger,
  refund,
} from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';
import type { ReceivedRequest } from '../../../support/simulator-harness.ts';

const NEVER_MS = 60_000;

const eventSchema = z.object({ type: z.literal('payment.updated'), data: z.looseObject({ status: z.string() }) });
const actionSchema = z.object({ action: z.object({ address: z.string(), amount: z.string() }) });

const deliveredEvents = (received: readonly ReceivedRequest[]) =>
  received.map(({ body }) => eventSchema.parse(JSON.parse(body.toString('utf8'))).data);

describe('crypto deposits at the simulator', () => {
  const simulator = useSimulator();
  const restart = async (tuning: Partial<SimulatorTuning> = {}) => {
    await simulator.close();
    await simulator.start(tuning);
  };

  const deposit = (asset: string, network: string, changes: object = {}) =>
    pay(simulator.url, cryptoPayment('paid', asset, network, changes), 'paid');
  const close = () => postToSimulator(simulator.url, '/v1/closures', { idempotencyKey: 'paid' });
  const inquire = () => postToSimulator(simulator.url, '/v1/inquiries', { idempotencyKey: 'paid' });
  const settle = (outcome: string) =>
    postToSimulator(simulator.url, '/simulate/settle', { reference: 'paid', outcome });
  const chargesOf = async () =>
    (await readLedger(simulator.url, { idempotencyKey: 'paid' })).data.flatMap(({ charges }) =>
      charges.map(({ type, amount }) => `${type} ${amount}`),
    );

  const quotes = [
    { asset: 'BTC', network: 'bitcoin', amount: '0.00019282', confirmationsRequired: 3, address: /^tb1q[a-z0-9]{38}$/ },
    {
      asset: 'ETH',
      network: 'ethereum',
      amount: '0.003856250000000000',
      confirmationsRequired: 12,
      address: /^0x[0-9a-f]{40}$/,
    },
    { asset: 'USDC', network: 'polygon', amount: '12.340000', confirmationsRequired: 128, address: /^0x[0-9a-f]{40}$/ },
    {
      asset: 'USDT',
      network: 'tron',
      amount: '12.340000',
      confirmationsRequired: 19,
      address: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
    },
  ];
  for (const { asset, network, amount, confirmationsRequired, address } of quotes) {
    it(`of ${asset} on ${network} are requested, seen and confirmed`, async () => {
      const first = await deposit(asset, network);
      assert.equal(first.status, 201);
      assertContains(first.body, {
        status: 'requires_action',
        action: { type: 'crypto_deposit', asset, network, amount, confirmationsRequired },
      });
      assert.match(actionSchema.parse(first.body).action.address, address);
      const [seen, confirmed] = deliveredEvents(await simulator.receiver.waitFor(2));
      assertContains(seen, { status: 'pending', amountCaptured: 0 });
      assert.equal(seen !== undefined && 'action' in seen, false);
      assertContains(confirmed, { status: 'captured', amount: 1234, amountCaptured: 1234 });
      assert.deepEqual(await chargesOf(), ['capture 1234']);
    });
  }

  const failures = [
    { scenario: 'reorg', reason: 'chain_reorganization', receivedAmount: '0.00000000' },
    { scenario: 'mismatch', reason: 'address_mismatch', receivedAmount: '0.00000000' },
    { scenario: 'wrong_asset', reason: 'wrong_asset', receivedAmount: '0.00000000' },
    { scenario: 'underpaid', reason: 'underpaid', receivedAmount: '0.00017353' },
    { scenario: 'overpaid', reason: 'overpaid', receivedAmount: '0.00021211' },
  ];
  for (const { scenario, reason, receivedAmount } of failures) {
    it(`fail after they were seen in the scenario "${scenario}", with the transaction's hash`, async () => {
      await deposit('BTC', 'bitcoin', { scenario });
      const [seen, failed] = deliveredEvents(await simulator.receiver.waitFor(2));
      assertContains(seen, { status: 'pending' });
      assertContains(failed, {
        status: 'failed',
        failureReason: 'deposit_failed',
        deposit: { reason, asset: 'BTC', network: 'bitcoin', expectedAmount: '0.00019282', receivedAmount },
      });
      const { transactionHash } = z
        .object({ deposit: z.object({ transactionHash: z.string() }) })
        .parse(failed).deposit;
      assert.match(transactionHash, /^[0-9a-f]{64}$/);
      assert.deepEqual(await chargesOf(), []);
    });
  }

  for (const [what, asset, network, changes] of [
    ['scripted', 'BTC', 'bitcoin', { scenario: 'unsupported_pair' }],
    ['on another network', 'BTC', 'tron', {}],
    ['of an unknown asset', 'DOGE', 'bitcoin', {}],
    ['for another currency', 'BTC', 'bitcoin', { currency: 'GBP' }],
  ] as const) {
    it(`are declined where the pair is ${what}`, async () => {
      const { status, body } = await deposit(asset, network, changes);
      assert.equal(status, 201);
      assertContains(body, { status: 'declined', declineCode: 'unsupported_pair' });
    });
  }

  it('are confirmed in an unknown scenario, and a change of the scenario is another request', async () => {
    await deposit('BTC', 'bitcoin', { scenario: 'sunny' });
    assertContains(deliveredEvents(await simulator.receiver.waitFor(2))[1], { status: 'captured' });
    assert.equal((await deposit('BTC', 'bitcoin', { scenario: 'reorg' })).status, 409);
    assert.equal((await deposit('BTC', 'bitcoin')).status, 201);
  });

  it('have the same address at each repeat, and a new one for each payment', async () => {
    await restart({ depositDelayMs: NEVER_MS });
    const addressOf = ({ body }: { readonly body: unknown }) => actionSchema.parse(body).action.address;
    const first = await deposit('USDC', 'ethereum');
    assert.deepEqual(await deposit('USDC', 'ethereum'), first);
    const other = await pay(simulator.url, cryptoPayment('other', 'USDC', 'ethereum'), 'other');
    assert.notEqual(addressOf(other), addressOf(first));
  });

  it('advance after a restart', async () => {
    await restart({ depositDelayMs: NEVER_MS });
    await deposit('BTC', 'bitcoin', { scenario: 'unpaid' });
    await pay(simulator.url, cryptoPayment('late', 'BTC', 'bitcoin', { scenario: 'reorg' }), 'late');
    await restart();
    assertContains(await inquire(), { body: { payment: { status: 'requires_action' } } });
    assert.equal((await settle('approved')).status, 200);
    assertContains(await inquire(), { body: { payment: { status: 'captured', amountCaptured: 1234 } } });
  });

  it('are confirmed after a restart between seen and confirmed', async () => {
    await restart({ confirmationDelayMs: 300 });
    await deposit('BTC', 'bitcoin');
    await simulator.receiver.waitFor(1);
    await restart();
    assertContains(deliveredEvents(await simulator.receiver.waitFor(2))[1], { status: 'captured' });
  });

  it('are voided by a closure before they are seen, and not afterwards', async () => {
    await deposit('BTC', 'bitcoin', { scenario: 'unpaid' });
    assertContains(await close(), { body: { result: 'found', payment: { status: 'voided' } } });
    assert.equal((await settle('approved')).status, 409);
    await restart({ confirmationDelayMs: NEVER_MS });
    await pay(simulator.url, cryptoPayment('seen', 'BTC', 'bitcoin'), 'seen');
    await simulator.receiver.waitFor(2);
    const closed = await postToSimulator(simulator.url, '/v1/closures', { idempotencyKey: 'seen' });
    assertContains(closed.body, { result: 'found', payment: { status: 'pending' } });
  });

  for (const [outcome, payment] of [
    ['approved', { status: 'captured', amountCaptured: 1234 }],
    ['declined', { status: 'declined', declineCode: 'do_not_honor' }],
    ['failed', { status: 'failed', failureReason: 'deposit_failed', deposit: { reason: 'chain_reorganization' } }],
  ] as const) {
    it(`can be settled as ${outcome}, seen or not`, async () => {
      await deposit('BTC', 'bitcoin', { scenario: 'unpaid' });
      assertContains(await settle(outcome), { status: 200, body: payment });
      await restart({ confirmationDelayMs: NEVER_MS });
      await pay(simulator.url, cryptoPayment('seen', 'BTC', 'bitcoin'), 'seen');
      await simulator.receiver.waitFor(2);
      const body = { paymentIntentId: 'pi_of_seen', outcome };
      assertContains(await postToSimulator(simulator.url, '/simulate/settle', body), { status: 200, body: payment });
      assertContains(deliveredEvents(await simulator.receiver.waitFor(3))[2], payment);
    });
  }

  it('are captured at once also without capture, and can be refunded', async () => {
    await deposit('BTC', 'bitcoin', { capture: false });
    await simulator.receiver.waitFor(2);
    assertContains(await capture(simulator.url, 'paid', 1234), { status: 200, body: { status: 'captured' } });
    assert.equal((await refund(simulator.url, 're_1', 'paid', 1000)).status, 201);
    assert.equal(await keptMinor(simulator.url, 'paid'), 234);
  });
});
