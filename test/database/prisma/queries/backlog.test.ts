import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { attemptIdOf } from '../../../../domain/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../domain/time.ts';
import { Prisma } from '../../../../prisma/generated/client.ts';
import { BACKLOG_NAMES, type BacklogName, selectBacklog } from '../../../../prisma/queries/backlog.ts';
import { readBacklogs } from '../../../../worker/jobs/read-backlogs.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertOpenDeposit } from '../../../support/payment-rows.ts';
import { opening, record } from '../../../support/payment-steps.ts';

const ago = (ms: number): Date => new Date(Date.now() - ms);

/** The index that each backlog is read from; null where its table is always small. */
const INDEXES: Readonly<Record<BacklogName, string | null>> = {
  stuck_payments: 'payment_intent_processing_idx',
  unknown_outcomes: 'payment_intent_processing_idx',
  waiting_payments: 'payment_intent_waiting_idx',
  waiting_refunds: 'refund_waiting_idx',
  unreturned_stray_charges: 'stray_charge_unresolved_idx',
  overdue_payments: 'payment_intent_due_idx',
  overdue_refunds: 'refund_due_idx',
  overdue_stray_charges: 'stray_charge_due_idx',
  unnumbered_events: 'event_unnumbered_idx',
  unplanned_events: 'event_position_key',
  unstarted_deliveries: 'webhook_delivery_to_start_idx',
  held_deliveries: 'webhook_delivery_held_idx',
  failing_endpoints: 'webhook_endpoint_failing_idx',
  overdue_deliveries: 'webhook_delivery_overdue_idx',
  // Both have only what is pending.
  pending_deliveries: 'webhook_delivery_(?:pending|under_way)_idx',
  undelivered_provider_events: 'provider_event_undelivered_idx',
  card_data_to_erase: 'payment_method_ciphertext_idx',
  security_codes_to_erase: null,
  partition_problems: null,
};

describe('backlogs', function () {
  this.timeout(60_000);
  const test = useAccount();

  beforeEach(async () => {
    await test.database.event.deleteMany();
    await test.database.webhookDelivery.deleteMany();
    await test.database.paymentIntent.deleteMany();
  });

  const read = async (backlog: BacklogName) => {
    const [row] = await test.database.direct.rows(selectBacklog(backlog));
    return row === undefined ? null : { ...row, oldestSeconds: Math.round(row.oldestSeconds / 10) * 10 };
  };

  it('of stuck payments have those in processing for more than 90 s, without deposits that are being confirmed', async () => {
    const processing = { status: 'processing' } as const;
    await test.insertIntent({ ...processing, statusSince: ago(100 * SECOND_MS) });
    await test.insertIntent({ ...processing, statusSince: ago(300 * SECOND_MS) });
    await test.insertIntent({ ...processing, statusSince: ago(50 * SECOND_MS) });
    await test.insertIntent({ status: 'requires_action', statusSince: ago(300 * SECOND_MS) });
    const confirming = await test.insertIntent({ ...processing, statusSince: ago(400 * SECOND_MS) });
    await insertOpenDeposit(test.database, confirming);
    assert.deepEqual(await read('stuck_payments'), { environment: 'sandbox', count: 2, oldestSeconds: 300 });
    const advisory = { code: 'PAYMENT_STUCK', since: new Date().toISOString() };
    await test.database.paymentIntent.update({ where: { id: confirming }, data: { advisory } });
    assert.deepEqual(await read('stuck_payments'), { environment: 'sandbox', count: 3, oldestSeconds: 400 });
  });

  it('of unknown outcomes have attempts of which the provider has said nothing', async () => {
    const since = ago(2 * MINUTE_MS);
    const [silent, pending] = [await test.insertIntent(), await test.insertIntent()];
    for (const id of [silent, pending]) await record(test.database, id, opening(id), { at: since.toISOString() });
    const answered = { providerPaymentId: 'sim_1' };
    await test.database.paymentAttempt.update({ where: { id: attemptIdOf(pending, 1) }, data: answered });
    await test.database.paymentAttempt.updateMany({ data: { startedAt: since } });
    assert.deepEqual(await read('unknown_outcomes'), { environment: 'sandbox', count: 1, oldestSeconds: 120 });
  });

  it('of events have those without a number', async () => {
    const id = await test.insertIntent();
    await record(test.database, id, opening(id), { at: ago(MINUTE_MS).toISOString() });
    const backlog = await read('unnumbered_events');
    assert.deepEqual(backlog, { environment: 'sandbox', count: 1, oldestSeconds: 60 });
  });

  it('of overdue deliveries count those whose attempt is late, even if the sweeper has just checked them', async () => {
    const late = { nextAttemptAt: ago(10 * MINUTE_MS) };
    await insertDelivery('looked at', { ...late, claimedAt: ago(10 * SECOND_MS) });
    await insertDelivery('waits for its time', { nextAttemptAt: new Date(Date.now() + MINUTE_MS) });
    await insertDelivery('was due a moment ago', { nextAttemptAt: ago(20 * SECOND_MS) });
    await insertDelivery('has ended', { ...late, status: 'failed' });
    assert.deepEqual(await read('overdue_deliveries'), { environment: 'sandbox', count: 1, oldestSeconds: 600 });
  });

  const insertDelivery = (id: string, row: Partial<Prisma.WebhookDeliveryUncheckedCreateInput>) =>
    test.database.webhookDelivery.create({
      data: {
        id,
        eventId: id,
        webhookEndpointId: 'whe_1',
        merchantAccountId: test.account,
        environment: 'sandbox',
        eventType: 'refund.created',
        position: 1n,
        workflowStartedAt: ago(20 * MINUTE_MS),
        ...row,
      },
    });

  it('are shown for each environment, with 0 where nothing waits', async () => {
    await test.insertIntent({ nextDueAt: ago(2 * MINUTE_MS) });
    const backlogs = await readBacklogs(test.database);
    const shown = backlogs.filter(({ backlog }) => backlog === 'overdue_payments');
    assert.deepEqual(
      shown.map(({ environment, count }) => [environment, count]),
      [
        ['sandbox', 1],
        ['production', 0],
      ],
    );
    assert.deepEqual(
      backlogs.filter(({ count, backlog }) => count > 0 && backlog !== 'overdue_payments'),
      [],
    );
    assert.deepEqual([...new Set(backlogs.map(({ backlog }) => backlog))], BACKLOG_NAMES);
  });

  for (const [backlog, index] of Object.entries(INDEXES) as [BacklogName, string | null][]) {
    if (index === null) continue;
    it(`are read from an index, without sorting: ${backlog}`, async () => {
      const [, , plan] = await test.database.$transaction([
        test.database.$executeRaw`SET LOCAL enable_seqscan = off`,
        // The planner would sort, because it takes the tables for small.
        test.database.$executeRaw`SET LOCAL enable_bitmapscan = off`,
        test.database.$queryRaw(Prisma.sql`EXPLAIN (FORMAT JSON) ${selectBacklog(backlog).sql}`),
      ]);
      const text = JSON.stringify(plan);
      assert.match(text, new RegExp(`"Index Name":"${index}"`));
      const sortKeys = [...text.matchAll(/"Sort Key":\["([^\]]*)"\]/g)].map(([, key = '']) => key);
      assert.deepEqual(
        sortKeys.filter((key) => !/environment|any/.test(key)),
        [],
      );
    });
  }
});
