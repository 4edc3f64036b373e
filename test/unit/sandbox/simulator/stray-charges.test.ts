import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { z } from 'zod';
import { paymentRequestSchema } from '../../../../sandbox/simulator/protocol.ts';
import { assertContains } from '../../../support/assert-contains.ts';
import {
  capture,
  cardPayment,
  close,
  cryptoPayment,
  inquire,
  keptMinor,
  pay,
  readLedger,
  refund,
  setFaults,
  settle,
  upiPayment,
} from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

const CARD = '4242424242424242';
const SILENT_CARD = '4000000000000259';
const NOT_FOUND = { status: 200, body: { result: 'not_found' } };
/** A late charge after the end of the test. */
const MUCH_LATER = '600';

const eventSchema = z.object({ data: z.object({ reference: z.string(), status: z.string() }) });

describe('stray charges of the simulator', () => {
  const simulator = useSimulator({ holdMs: 20, depositDelayMs: 1_000 });

  const deliveredEvents = async (count: number) =>
    (await simulator.receiver.waitFor(count))
      .map(({ body }) => eventSchema.parse(JSON.parse(body.toString('utf8'))))
      .map(({ data }) => `${data.reference} ${data.status}`);
  const entry = async (idempotencyKey: string) => (await readLedger(simulator.url, { idempotencyKey })).data[0];
  const chargesOf = async (idempotencyKey: string) =>
    (await entry(idempotencyKey))?.charges.map(({ type, amount }) => `${type} ${amount}`);

  describe('in the scenario late_charge', () => {
    const payLate = (lateChargeSeconds: string, changes: object = {}, card = CARD) =>
      pay(simulator.url, cardPayment('late', card, { scenario: 'late_charge', lateChargeSeconds, ...changes }), 'late');

    it('sends no reply, answers that there is no payment, then charges it and sends a webhook', async () => {
      await assert.rejects(payLate('1'));
      await assert.rejects(payLate('1'));
      assert.equal(await keptMinor(simulator.url, 'late'), 0);
      assert.deepEqual(await inquire(simulator.url, 'late'), NOT_FOUND);
      assert.deepEqual(await close(simulator.url, 'late'), NOT_FOUND);
      assert.deepEqual(await deliveredEvents(1), ['late captured']);
      assertContains(await entry('late'), { closed: true, requests: 2, payment: { status: 'captured' } });
      assert.deepEqual(await chargesOf('late'), ['capture 1234']);
      assertContains((await inquire(simulator.url, 'late')).body, { payment: { status: 'captured' } });
    });

    it('does not charge before an inquiry or a closure found no payment', async () => {
      await assert.rejects(payLate('0'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(await chargesOf('late'), []);
      assert.deepEqual(await close(simulator.url, 'late'), NOT_FOUND);
      assert.deepEqual(await deliveredEvents(1), ['late captured']);
    });

    it('rejects repeats, captures and refunds as long as it answers that there is no payment', async () => {
      await assert.rejects(payLate(MUCH_LATER));
      assert.deepEqual(await inquire(simulator.url, 'late'), NOT_FOUND);
      assertContains(await payLate(MUCH_LATER), { status: 409, body: { error: { code: 'key_closed' } } });
      assert.equal((await capture(simulator.url, 'late', 1)).status, 404);
      assert.equal((await refund(simulator.url, 're_1', 'late', 1)).status, 404);
    });

    it('charges at the planned time after a restart', async () => {
      await assert.rejects(payLate('0.2'));
      assert.deepEqual(await inquire(simulator.url, 'late'), NOT_FOUND);
      await simulator.close();
      await simulator.start();
      assert.deepEqual(await deliveredEvents(1), ['late captured']);
    });

    it('charges at once when it is settled as approved, never when it is settled as declined', async () => {
      await assert.rejects(payLate(MUCH_LATER));
      assert.deepEqual(await close(simulator.url, 'late'), NOT_FOUND);
      assertContains(await settle(simulator.url, 'late', 'approved'), { status: 200, body: { status: 'captured' } });
      assert.deepEqual(await chargesOf('late'), ['capture 1234']);
      await assert.rejects(
        pay(simulator.url, cardPayment('never', CARD, { scenario: 'late_charge', lateChargeSeconds: '0.1' }), 'never'),
      );
      await settle(simulator.url, 'never', 'declined');
      assertContains((await inquire(simulator.url, 'never')).body, { payment: { status: 'declined' } });
    });

    it('refunds under the key of the refund', async () => {
      await assert.rejects(payLate('0'));
      assert.deepEqual(await close(simulator.url, 'late'), NOT_FOUND);
      await deliveredEvents(1);
      const first = await refund(simulator.url, 'reverse_1', 'late', 1234);
      assertContains(first, { status: 201, body: { status: 'succeeded', amount: 1234, currency: 'USD' } });
      assert.deepEqual(await refund(simulator.url, 'reverse_1', 'late', 1234), first);
      assert.equal(await keptMinor(simulator.url, 'late'), 0);
    });

    it('voids a late authorization when it is closed again', async () => {
      await assert.rejects(payLate('0', { capture: false }));
      assert.deepEqual(await close(simulator.url, 'late'), NOT_FOUND);
      assert.deepEqual(await deliveredEvents(1), ['late authorized']);
      assertContains((await close(simulator.url, 'late')).body, {
        result: 'found',
        payment: { status: 'voided', amountVoided: 1234 },
      });
      assert.deepEqual(await chargesOf('late'), ['authorization 1234', 'void 1234']);
      assert.deepEqual(await deliveredEvents(2), ['late authorized', 'late voided']);
    });

    it('does not change cards that are not approved', async () => {
      assertContains((await payLate('0', {}, '4000000000000002')).body, { status: 'declined' });
    });

    it('waits 5 seconds where the delay is invalid', () => {
      const delays = ['soon', '-1', undefined, '2.5'].map((lateChargeSeconds) => {
        const request = cardPayment('late', CARD, { scenario: 'late_charge', lateChargeSeconds });
        return paymentRequestSchema.parse(request).lateChargeSeconds;
      });
      assert.deepEqual(delays, [5, 5, 5, 2.5]);
    });
  });

  describe('under the fault that ignores closures', () => {
    beforeEach(() => setFaults(simulator.url, { ignoresClosures: true }));

    for (const [name, ask] of [
      ['inquiry', inquire],
      ['closure', close],
    ] as const) {
      it(`charges a request after the ${name} once, and sends a webhook`, async () => {
        assert.deepEqual(await ask(simulator.url, 'stray'), NOT_FOUND);
        const first = await pay(simulator.url, cardPayment('stray', CARD), 'stray');
        assertContains(first, { status: 201, body: { status: 'captured' } });
        assert.deepEqual(await pay(simulator.url, cardPayment('stray', CARD), 'stray'), first);
        assert.deepEqual(await chargesOf('stray'), ['capture 1234']);
        assert.deepEqual(await deliveredEvents(1), ['stray captured']);
        assertContains(await entry('stray'), { closed: true });
        assertContains(await refund(simulator.url, 'reverse_1', 'stray', 1234), { body: { status: 'succeeded' } });
        assert.equal(await keptMinor(simulator.url, 'stray'), 0);
      });
    }

    it('charges a request that was in progress when its key was closed', async () => {
      await setFaults(simulator.url, { ignoresClosures: true, latencyMs: 2_000, operations: ['payments'] });
      const slow = pay(simulator.url, cardPayment('slow', CARD, { capture: false }), 'slow');
      assert.deepEqual(await close(simulator.url, 'slow'), NOT_FOUND);
      assertContains(await slow, { status: 201, body: { status: 'authorized' } });
      assert.deepEqual(await deliveredEvents(1), ['slow authorized']);
      assertContains((await close(simulator.url, 'slow')).body, { payment: { status: 'voided', amountVoided: 1234 } });
    });

    it('answers that a closed open payment does not exist, and charges it when it is settled', async () => {
      await pay(simulator.url, cardPayment('open', SILENT_CARD), 'open');
      assertContains((await inquire(simulator.url, 'open')).body, { payment: { status: 'pending' } });
      assert.deepEqual(await close(simulator.url, 'open'), NOT_FOUND);
      assert.deepEqual(await inquire(simulator.url, 'open'), NOT_FOUND);
      await settle(simulator.url, 'open', 'approved');
      assert.deepEqual(await deliveredEvents(1), ['open captured']);
      assert.equal(await keptMinor(simulator.url, 'open'), 1234);
    });

    it('lets a customer approve a closed payment in the app', async () => {
      await pay(simulator.url, upiPayment('upi', 'pending@upi'), 'upi');
      assert.deepEqual(await close(simulator.url, 'upi'), NOT_FOUND);
      await settle(simulator.url, 'upi', 'approved');
      assert.deepEqual(await deliveredEvents(1), ['upi captured']);
    });

    it('accepts the deposit of a closed payment', async () => {
      await pay(simulator.url, cryptoPayment('deposit', 'BTC', 'bitcoin'), 'deposit');
      assert.deepEqual(await close(simulator.url, 'deposit'), NOT_FOUND);
      assert.equal((await deliveredEvents(2)).at(-1), 'deposit captured');
    });

    it('still voids authorized payments and keeps captured ones', async () => {
      await pay(simulator.url, cardPayment('held', CARD, { capture: false }), 'held');
      assertContains((await close(simulator.url, 'held')).body, { payment: { status: 'voided' } });
      await pay(simulator.url, cardPayment('taken', CARD), 'taken');
      assertContains((await close(simulator.url, 'taken')).body, { payment: { status: 'captured' } });
    });

    it('respects closures again once it is turned off', async () => {
      await setFaults(simulator.url, {});
      await close(simulator.url, 'kept');
      assert.equal((await pay(simulator.url, cardPayment('kept', CARD), 'kept')).status, 409);
      await pay(simulator.url, cardPayment('open', SILENT_CARD), 'open');
      assertContains((await close(simulator.url, 'open')).body, { payment: { status: 'voided', amountVoided: 0 } });
    });
  });
});
