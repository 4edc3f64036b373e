import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { assertContains } from '../../../support/assert-contains.ts';
import { capture, cardPayment, close, inquire, pay, readLedger, settle } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

const CARD = '4242424242424242';
const SILENT_CARD = '4000000000000259';
const DECLINED_CARD = '4000000000000002';

const REPORTS = [
  { scenario: 'other_amount', reported: { amount: 1235, currency: 'USD' }, captured: 1235 },
  { scenario: 'other_currency', reported: { amount: 1234, currency: 'EUR' }, captured: 1234 },
] as const;

const CORRECT = { amount: 1234, currency: 'USD' };
const eventSchema = z.object({ data: z.looseObject({ status: z.string() }) });

describe('a simulator that reports another amount or currency', () => {
  const simulator = useSimulator();

  const payWith = (changes: object, card = CARD) => pay(simulator.url, cardPayment('paid', card, changes), 'paid');
  const deliveredEvents = async (count: number) => {
    const last = (await simulator.receiver.waitFor(count))[count - 1];
    return eventSchema.parse(JSON.parse(last?.body.toString('utf8') ?? '')).data;
  };
  const charges = async () =>
    (await readLedger(simulator.url)).data.flatMap(({ charges }) => charges.map(({ type, amount }) => [type, amount]));

  for (const { scenario, reported, captured } of REPORTS) {
    it(`misreports in the approval, its repeat, inquiries, closures and the webhook (${scenario})`, async () => {
      const first = await payWith({ scenario });
      assert.equal(first.status, 201);
      assertContains(first.body, { status: 'captured', ...reported, amountCaptured: captured });
      assert.deepEqual(await payWith({ scenario }), first);
      const found = { status: 200, body: { result: 'found', payment: first.body } };
      assert.deepEqual(await inquire(simulator.url, 'paid'), found);
      assert.deepEqual(await close(simulator.url, 'paid'), found);
      assert.deepEqual(await deliveredEvents(1), first.body);
    });

    it(`captures the requested amount, and reports it once the payment is settled as approved (${scenario})`, async () => {
      await payWith({ scenario });
      assert.deepEqual(await charges(), [['capture', 1234]]);
      assertContains((await readLedger(simulator.url)).data[0], { payment: CORRECT });
      assert.equal((await settle(simulator.url, 'paid', 'declined')).status, 409);
      const settled = await settle(simulator.url, 'paid', 'approved');
      assertContains(settled, { status: 200, body: { status: 'captured', ...CORRECT, amountCaptured: 1234 } });
      assert.deepEqual((await inquire(simulator.url, 'paid')).body, { result: 'found', payment: settled.body });
      assert.deepEqual(await deliveredEvents(2), settled.body);
      assert.equal((await settle(simulator.url, 'paid', 'approved')).status, 409);
      assert.deepEqual(await charges(), [['capture', 1234]]);
    });

    it(`still misreports after a restart (${scenario})`, async () => {
      const { body } = await payWith({ scenario });
      await simulator.close();
      await simulator.start();
      assert.deepEqual((await inquire(simulator.url, 'paid')).body, { result: 'found', payment: body });
    });

    it(`misreports an authorization and its void (${scenario})`, async () => {
      assertContains((await payWith({ scenario, capture: false })).body, { status: 'authorized', ...reported });
      assertContains((await close(simulator.url, 'paid')).body, {
        payment: { status: 'voided', ...reported, amountVoided: captured },
      });
      assert.deepEqual(await charges(), [
        ['authorization', 1234],
        ['void', 1234],
      ]);
    });

    it(`misreports a capture (${scenario})`, async () => {
      await payWith({ scenario, capture: false });
      const first = await capture(simulator.url, 'paid', 1000);
      assertContains(first.body, { status: 'captured', ...reported, amountCaptured: captured - 234 });
      assert.deepEqual(await capture(simulator.url, 'paid', 1000), first);
      assert.deepEqual(await charges(), [
        ['authorization', 1234],
        ['capture', 1000],
      ]);
    });

    it(`reports an open payment correctly once it is settled as approved (${scenario})`, async () => {
      await payWith({ scenario }, SILENT_CARD);
      assertContains((await settle(simulator.url, 'paid', 'approved')).body, { status: 'captured', ...CORRECT });
      assertContains((await inquire(simulator.url, 'paid')).body, { payment: CORRECT });
    });
  }

  it('rejects a settlement instruction for a declined payment', async () => {
    await payWith({ scenario: 'other_amount' }, DECLINED_CARD);
    assert.equal((await settle(simulator.url, 'paid', 'approved')).status, 409);
  });

  it('reports a payment in euros in another currency too, and ignores unknown scenarios', async () => {
    assertContains((await payWith({ scenario: 'other_currency', currency: 'EUR' })).body, { currency: 'USD' });
    const { body } = await pay(simulator.url, cardPayment('other', CARD, { scenario: 'unheard_of' }), 'other');
    assertContains(body, { status: 'captured', ...CORRECT });
  });
});
