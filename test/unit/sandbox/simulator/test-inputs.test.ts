import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { RunningSimulator } from '../../../../sandbox/simulator/server.ts';
import { assertContains } from '../../../support/assert-contains.ts';
import { cardPayment, pay, readLedger, upiPayment } from '../../../support/simulator-client.ts';
import { makeTemporaryFolder, startTestSimulator } from '../../../support/simulator-harness.ts';

interface TestInput {
  readonly input: string;
  readonly status: number;
  readonly body: object;
  readonly charges: readonly string[];
}

const CAPTURED = { status: 201, body: { status: 'captured' }, charges: ['capture'] };
const WAITS_FOR_APP = {
  status: 201,
  body: { status: 'requires_action', action: { type: 'approve_in_app', app: 'upi' } },
  charges: [],
};
const declined = (declineCode: string) => ({ status: 201, body: { status: 'declined', declineCode }, charges: [] });

const CARDS: readonly TestInput[] = [
  { input: '4242424242424242', ...CAPTURED },
  { input: '5555555555554444', ...CAPTURED },
  { input: '4000000000000002', ...declined('card_declined') },
  { input: '4000000000009987', ...declined('lost_card') },
  { input: '4000000000000127', ...declined('incorrect_cvc') },
  { input: '4000000000004012', ...declined('do_not_honor') },
  { input: '4000000000000135', ...declined('expired_card') },
  { input: '4000000000009995', ...declined('insufficient_funds') },
  { input: '4000000000006975', ...declined('limit_exceeded') },
  { input: '4000000000005126', ...CAPTURED },
  { input: '4000000000007726', ...CAPTURED },
  { input: '4000000000003063', ...CAPTURED },
  {
    input: '4000000000009979',
    status: 201,
    body: { status: 'failed', failureReason: 'fraud_suspected' },
    charges: [],
  },
  { input: '4000000000003220', status: 201, body: { status: 'requires_action' }, charges: [] },
  { input: '4000000000000259', status: 201, body: { status: 'pending' }, charges: [] },
  { input: '4000000000000069', status: 422, body: { fault: { kind: 'E-7731' } }, charges: [] },
  { input: '4242424242424241', status: 400, body: { error: { code: 'invalid_request' } }, charges: [] },
];

const VPAS: readonly TestInput[] = [
  { input: 'success@upi', ...WAITS_FOR_APP },
  { input: 'Success@UPI', ...WAITS_FOR_APP },
  { input: 'someone@bank', ...WAITS_FOR_APP },
  { input: 'decline@upi', ...declined('do_not_honor') },
  { input: 'pending@upi', ...WAITS_FOR_APP },
  { input: 'expire@upi', ...WAITS_FOR_APP },
];

const FAILING = { status: 500, body: { error: { code: 'server_error' } }, charges: [] };
const FAILOVER_CARD = '4000000000000119';
const BY_ISSUER = {
  status: 201,
  body: { status: 'declined', declineCode: 'do_not_honor', networkCode: '05' },
  charges: [],
};
const AUTHENTICATED_CARD = '4000000000003188';
const DEMANDED = {
  status: 201,
  body: { status: 'declined', declineCode: 'authentication_required', networkCode: '1A' },
  charges: [],
};
const CHALLENGED = { status: 201, body: { status: 'requires_action', action: { type: 'redirect' } }, charges: [] };

describe('test inputs of the simulator', () => {
  const simulators = new Map<string, RunningSimulator>();
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  before(async () => {
    temporary = await makeTemporaryFolder();
    for (const name of ['alpha', 'beta']) {
      const dataFile = path.join(temporary.folder, `${name}.jsonl`);
      simulators.set(name, await startTestSimulator({ name, dataFile, tuning: { approvalDelayMs: 60_000 } }));
    }
  });
  after(async () => {
    for (const simulator of simulators.values()) await simulator.close();
    await temporary.remove();
  });

  const withScenario = (reference: string, scenario: string): object =>
    cardPayment(reference, '4242424242424242', { scenario });
  const authenticated = (reference: string, number: string): object =>
    cardPayment(reference, number, { authenticate: true, returnUrl: 'https://shop.example/return' });
  const cases = [
    ...['alpha', 'beta'].flatMap((name) => [
      ...CARDS.map((testInput) => ({ name, ...testInput, paymentOf: cardPayment })),
      ...VPAS.map((testInput) => ({ name, ...testInput, paymentOf: upiPayment })),
    ]),
    { name: 'alpha', input: FAILOVER_CARD, ...FAILING, paymentOf: cardPayment },
    { name: 'beta', input: FAILOVER_CARD, ...CAPTURED, paymentOf: cardPayment },
    { name: 'alpha', input: '4000000000004954', ...BY_ISSUER, paymentOf: cardPayment },
    { name: 'beta', input: '4000000000004954', ...CAPTURED, paymentOf: cardPayment },
    { name: 'alpha', input: 'processing_error_alpha', ...declined('processing_error'), paymentOf: withScenario },
    { name: 'beta', input: 'processing_error_alpha', ...CAPTURED, paymentOf: withScenario },
    { name: 'alpha', input: AUTHENTICATED_CARD, ...DEMANDED, paymentOf: cardPayment },
    { name: 'beta', input: AUTHENTICATED_CARD, ...CHALLENGED, paymentOf: authenticated },
  ];
  for (const { name, input, status, body, charges, paymentOf } of cases) {
    it(`${input} at ${name} gives ${status} ${JSON.stringify(body)}, also for a repeat`, async () => {
      const url = simulators.get(name)?.url ?? '';
      const key = `key_${name}_${input}`;
      const first = await pay(url, paymentOf(key, input), key);
      const second = await pay(url, paymentOf(key, input), key);
      assert.equal(first.status, status);
      assertContains(first.body, body);
      assert.deepEqual(second, first);
      const { data } = await readLedger(url, { idempotencyKey: key });
      assert.deepEqual(
        data.flatMap((line) => line.charges.map(({ type }) => type)),
        charges,
      );
      if (status !== 400) assert.equal(data[0]?.requests, 2);
    });
  }
});
