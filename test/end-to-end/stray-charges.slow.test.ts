import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, before, describe, it } from 'mocha';
import { attemptIdOf, strayChargeIdOf } from '../../domain/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { assertContains } from '../support/assert-contains.ts';
import { assertRefused, timelineOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { readLedger, setFaults, settle } from '../support/ledger.ts';
import { listEvents } from '../support/money.ts';
import { createPayment, INTENTS, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { card, type CardName } from '../../sandbox/test-payment-methods.ts';
import { request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { findWorkflows, withTemporal } from '../support/temporal-view.ts';

/** The late charge comes after the test, unless a settlement instruction makes it. */
const METADATA = { scenario: 'late_charge', lateChargeSeconds: '600' };
const EVENT = 'payment_intent.stray_charge_reversed';

interface Row {
  readonly status: string;
  readonly amount_minor: string | null;
  readonly currency: string | null;
}

describe('stray charges', function () {
  this.timeout(3 * MINUTE_MS);
  let captured: Payment;
  let held: Payment;
  let notRefundable: Payment;

  before('pay without a reply, and wait until both providers say that nothing was charged', async () => {
    [captured, held, notRefundable] = await Promise.all([
      denied(),
      denied('approved', { captureMethod: 'manual' }),
      denied('refundRefused'),
    ]);
  });
  afterEach(() => setFaults('alpha', {}));

  /** A payment whose attempts all ended as "not charged", after lost replies. */
  async function denied(number: CardName = 'approved', terms: object = {}): Promise<Payment> {
    const payment = await createPayment({ metadata: METADATA, ...terms });
    await payment.confirm(card(number), PREFER_ASYNC);
    await eventually(async () => assert.equal((await payment.read()).attempts.length, 2));
    await payment.reach('requires_payment_method');
    return payment;
  }

  /** Makes alpha charge the first attempt after all, and waits until the engine has recorded it. */
  async function chargeLate(payment: Payment): Promise<void> {
    await settle('alpha', payment.id, 'approved');
    await eventually(async () => assert.ok(await strayCharge(payment)));
  }

  const strayIdOf = ({ id }: Payment): string => strayChargeIdOf(attemptIdOf(id, 1));

  const strayCharge = async ({ id }: Payment): Promise<Row | undefined> =>
    (
      await queryStack<Row>('SELECT status, amount_minor, currency FROM stray_charge WHERE payment_intent_id = $1', [
        id,
      ])
    )[0];

  const ended = (payment: Payment, status: string): Promise<void> =>
    eventually(async () => assert.equal((await strayCharge(payment))?.status, status));

  const entriesAtAlpha = async ({ id }: Payment): Promise<readonly string[]> =>
    (await readLedger('alpha', id)).flatMap(({ charges }) => charges.map(({ type, amount }) => `${type} ${amount}`));

  const confirmAgain = (payment: Payment) => payment.confirm(card('approved'));

  async function assertConfirmRefused(payment: Payment): Promise<void> {
    const { message } = assertRefused(await confirmAgain(payment), 409, 'STATE_CONFLICT');
    assert.match(message, /confirm again once that charge has been reversed/);
    assert.equal((await payment.read()).status, 'requires_payment_method');
  }

  /** The timeline entries about the stray charge, without repeated inquiries and refused confirms. */
  async function summariesOf({ id }: Payment): Promise<readonly (readonly [string, string])[]> {
    const lines = timelineOf(await request({ method: 'GET', path: `${INTENTS}/${id}/timeline` }));
    const from = lines.findIndex(({ kind }) => kind === 'provider_event');
    const own = lines.slice(from).filter(({ summary }) => !/Not attempted|payment_failed|no answer/.test(summary));
    return own.map(({ kind, summary }) => [kind, summary] as const);
  }

  async function assertReported(payment: Payment, expected: object): Promise<void> {
    const [event, ...others] = await eventually(async () => {
      const events = await listEvents(`resourceId=${payment.id}&type=${EVENT}`);
      assert.ok(events.length > 0);
      return events;
    });
    assert.deepEqual(others, []);
    assertContains(event?.data, { id: payment.id, status: 'requires_payment_method', amountCaptured: 0 });
    assert.deepEqual(event?.strayCharge, { attemptId: attemptIdOf(payment.id, 1), provider: 'alpha', ...expected });
  }

  /** Turns the scenario off, and confirms again. */
  async function payNow(payment: Payment): Promise<void> {
    const changed = await request({ method: 'PATCH', path: `${INTENTS}/${payment.id}`, body: { metadata: {} } });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.equal((await confirmAgain(payment)).status, 200);
  }

  it('of a captured payment are refunded, reported, and block a confirm only until then', async () => {
    const payment = captured;
    await setFaults('alpha', { errorRate: 1, operations: ['refunds'] });
    await chargeLate(payment);
    await eventually(async () =>
      assert.deepEqual(await withTemporal((client) => findWorkflows(client, `WorkflowId = '${strayIdOf(payment)}'`)), [
        strayIdOf(payment),
      ]),
    );
    await assertConfirmRefused(payment);
    await withTemporal((client) => client.workflow.getHandle(strayIdOf(payment)).cancel());
    await wait(SECOND_MS);
    assert.deepEqual(await entriesAtAlpha(payment), ['capture 1999']);
    await setFaults('alpha', {});

    await ended(payment, 'reversed');
    assert.deepEqual(await entriesAtAlpha(payment), ['capture 1999', 'refund 1999']);
    assert.deepEqual(await strayCharge(payment), { status: 'reversed', amount_minor: '1999', currency: 'USD' });
    await assertReported(payment, { amount: 1_999, currency: 'USD', reversedBy: 'refund' });
    assert.deepEqual(await summariesOf(payment), [
      ['provider_event', 'Stray charge: alpha reports that it charged attempt 1, which had ended without a charge'],
      ['inquiry', 'alpha, asked what became of attempt 1: USD 19.99 captured'],
      ['decision', 'Stray charge reversed: USD 19.99 of attempt 1 is refunded at alpha'],
      ['event', EVENT],
    ]);
    await payNow(payment);
    assertContains(await payment.read(), { status: 'succeeded', amountCaptured: 1_999, amountRefunded: 0 });
    assert.equal((await readLedger('alpha', payment.id)).length, 2);
  });

  it('of a hold are voided, even if their workflow is terminated', async () => {
    const payment = held;
    await setFaults('alpha', { errorRate: 1, operations: ['closures'] });
    await chargeLate(payment);
    await eventually(() =>
      withTemporal((client) => client.workflow.getHandle(strayIdOf(payment)).terminate('by the test')),
    );
    await assertConfirmRefused(payment);
    await setFaults('alpha', {});

    await ended(payment, 'reversed');
    assert.deepEqual(await entriesAtAlpha(payment), ['authorization 1999', 'void 1999']);
    await assertReported(payment, { amount: 1_999, currency: 'USD', reversedBy: 'void' });
    const summaries = await summariesOf(payment);
    assert.ok(
      summaries.some(
        ([, line]) => line === 'Stray charge reversed: the hold of USD 19.99 of attempt 1 is voided at alpha',
      ),
      JSON.stringify(summaries),
    );
    await payNow(payment);
    assert.equal((await payment.read()).status, 'requires_capture');
  });

  it('whose refund the provider refuses can be found by support staff, and nothing else is charged', async () => {
    const payment = notRefundable;
    await chargeLate(payment);
    await ended(payment, 'failed');
    assert.deepEqual(await entriesAtAlpha(payment), ['capture 1999']);
    const [, line] = (await summariesOf(payment)).at(-1) ?? [];
    assert.match(line ?? '', /not reversed: alpha refuses to refund USD 19.99 .*STRAY_CHARGE_NOT_REVERSED/);
    assert.deepEqual(await listEvents(`resourceId=${payment.id}&type=${EVENT}`), []);
    const query = `PaymentErrorCode = "STRAY_CHARGE_NOT_REVERSED" AND PaymentIntent = "${payment.id}"`;
    await eventually(async () =>
      assert.deepEqual(await withTemporal((client) => findWorkflows(client, query)), [strayIdOf(payment)]),
    );
    await assertConfirmRefused(payment);
  });
});
