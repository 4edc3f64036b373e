import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { createPayment, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { queryStack } from '../support/stack-database.ts';
import { type SentEvent, type Signing, postSimulatorWebhook, simulatorReport } from '../support/simulator-webhooks.ts';
import { getDataDir } from '../support/stack.ts';

const STORM = 1_000;
const AT_ONCE = 50;

/** Everything about a payment that a repeated event must not change. */
interface Known {
  readonly version: number;
  readonly status: string;
  readonly events: number;
  readonly transactions: number;
  readonly reported: number;
}

describe('webhooks of providers', function () {
  this.timeout(3 * MINUTE_MS);
  let secret: string;

  before(async () => {
    secret = (await provideSecrets(getDataDir())).simulators.alpha.webhookSecret;
  });

  const post = async (event: SentEvent, signing: Pick<Signing, 'at' | 'signedBody'> = {}): Promise<number> =>
    (await postSimulatorWebhook(event, { provider: 'alpha', secret, ...signing })).status;

  const known = async ({ id }: Payment): Promise<Known> => {
    const [row] = await queryStack<{ known: Known }>(
      `SELECT jsonb_build_object('version', version, 'status', status,
         'events', (SELECT count(*) FROM event WHERE payment_intent_id = i.id),
         'transactions', (SELECT count(*) FROM transaction WHERE payment_intent_id = i.id),
         'reported', (SELECT count(*) FROM provider_event WHERE payment_intent_id = i.id)) AS known
       FROM payment_intent i WHERE id = $1`,
      [id],
    );
    assert.ok(row);
    return row.known;
  };

  const settledEverywhere = ({ id }: Payment): Promise<void> =>
    eventually(async () => {
      const waiting = await queryStack(
        'SELECT FROM provider_event WHERE payment_intent_id = $1 AND delivered_at IS NULL',
        [id],
      );
      assert.equal(waiting.length, 0);
    });

  const storm = async (event: SentEvent): Promise<void> => {
    for (let sent = 0; sent < STORM; sent += AT_ONCE) {
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => post(event)));
      assert.deepEqual(new Set(statuses), new Set([200]));
    }
  };

  /** A payment that its provider accepts without ever reporting an outcome. */
  const silentPayment = async (): Promise<Payment> => {
    const payment = await createPayment();
    await payment.confirm(card('silent'), PREFER_ASYNC);
    await eventually(async () => assert.equal((await payment.read()).attempts.length, 1));
    return payment;
  };

  it(`change a payment once, although one is sent ${STORM} times`, async () => {
    const payment = await silentPayment();
    const event = { id: `storm_${payment.id}`, payment: simulatorReport(payment, 'captured') };
    await storm(event);
    await payment.reach('succeeded');
    await settledEverywhere(payment);
    const before = await known(payment);
    assert.deepEqual([before.transactions, before.reported], [1, 1]);
    await storm(event);
    assert.deepEqual(await known(payment), before);
  });

  it('that arrive before their payment is under way are stored until it is', async () => {
    const payment = await createPayment();
    assert.equal(await post({ id: `early_${payment.id}`, payment: simulatorReport(payment, 'captured') }), 200);
    assert.equal((await known(payment)).reported, 1);
    assert.equal((await payment.read()).status, 'requires_payment_method');
    await payment.confirm(card('silent'), PREFER_ASYNC);
    await payment.reach('succeeded');
    assert.equal((await known(payment)).transactions, 1);
  });

  it('that arrive late and out of order do not change a payment that has ended', async () => {
    const payment = await silentPayment();
    await post({ id: `last_${payment.id}`, payment: simulatorReport(payment, 'captured') });
    await payment.reach('succeeded');
    await settledEverywhere(payment);
    const { version, status, events, transactions } = await known(payment);
    for (const [id, late] of [
      ['pending', simulatorReport(payment, 'pending')],
      ['declined', simulatorReport(payment, 'declined', { declineCode: 'card_declined' })],
      ['voided', simulatorReport(payment, 'voided')],
    ] as const) {
      assert.equal(await post({ id: `${id}_${payment.id}`, payment: late }), 200);
    }
    await settledEverywhere(payment);
    assert.deepEqual(await known(payment), { version, status, events, transactions, reported: 4 });
  });

  it('are rejected and not stored if a byte was changed, or the time is old', async () => {
    const payment = await silentPayment();
    const event = { id: `forged_${payment.id}`, payment: simulatorReport(payment, 'captured') };
    const signedBody = JSON.stringify({
      id: event.id,
      type: 'payment.updated',
      data: simulatorReport(payment, 'pending'),
    });
    assert.equal(await post(event, { signedBody }), 401);
    assert.equal(await post(event, { at: new Date(Date.now() - 6 * MINUTE_MS) }), 401);
    assert.equal((await known(payment)).reported, 0);
    assert.equal((await payment.read()).status, 'processing');
  });
});
