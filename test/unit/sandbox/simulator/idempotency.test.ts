import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { assertContains } from '../../../support/assert-contains.ts';
import { cardPayment, countCaptures, pay, postToSimulator, readLedger } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

const CARD = '4242424242424242';

describe('idempotency keys of the simulator', () => {
  const simulator = useSimulator();

  it('charges once for requests at the same time, and counts them', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => pay(simulator.url, cardPayment('same', CARD), 'same')),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(await countCaptures(simulator.url, 'same'), 1);
    assert.equal((await readLedger(simulator.url, { idempotencyKey: 'same' })).data[0]?.requests, 20);
  });

  const changes: Readonly<Record<string, object>> = {
    amount: { amount: 1 },
    currency: { currency: 'EUR' },
    capture: { capture: false },
    card: { method: { type: 'card', number: '5555555555554444', expiryMonth: 12, expiryYear: 2039, cvc: '123' } },
    method: { method: { type: 'upi', vpa: 'success@upi' } },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`rejects another ${what} under the same key`, async () => {
      const key = `conflict_${what}`;
      await pay(simulator.url, cardPayment(key, CARD), key);
      const { status, body } = await pay(simulator.url, cardPayment(key, CARD, change), key);
      assert.equal(status, 409);
      assertContains(body, { error: { code: 'idempotency_conflict' } });
      assert.equal(await countCaptures(simulator.url, key), 1);
    });
  }

  it('treats a repeat without the CVC as the same request', async () => {
    const method = { type: 'card', number: CARD, expiryMonth: 12, expiryYear: 2039 };
    const first = await pay(
      simulator.url,
      cardPayment('no_code', CARD, { method: { ...method, cvc: '123' } }),
      'no_code',
    );
    const second = await pay(
      simulator.url,
      cardPayment('no_code', CARD, { method: { ...method, cvc: null } }),
      'no_code',
    );
    assert.deepEqual(second, first);
  });

  it('rejects calls without the API key and without an idempotency key', async () => {
    const unnamed = await pay(simulator.url, cardPayment('x', CARD), '');
    assert.equal(unnamed.status, 400);
    const { status } = await postToSimulator(
      simulator.url,
      '/v1/inquiries',
      { idempotencyKey: 'x' },
      { authorization: 'Bearer wrong' },
    );
    assert.equal(status, 401);
  });

  it('answers malformed JSON with 400', async () => {
    const response = await fetch(new URL('/simulate/settle', simulator.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"reference":',
    });
    assert.equal(response.status, 400);
  });

  it('writes no card data to its journal', async () => {
    await pay(simulator.url, cardPayment('pci', CARD), 'pci');
    const journal = await readFile(simulator.dataFile, 'utf8');
    assert.match(journal, /"pci"/);
    assert.doesNotMatch(journal, /4242424242|"cvc"|"123"/);
  });
});
