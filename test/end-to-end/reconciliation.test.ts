import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ScheduleNotFoundError } from '@temporalio/client';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { reconciliationReportResource, reconciliationRunResource } from '../../contract/schemas/reconciliation.ts';
import { attemptIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { RECONCILIATION_FAILURES } from '../../domain/reconciliation.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { createReconciliations } from '../../workflow-client/reconciliations.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf, readLedger, setFaults, settle } from '../support/ledger.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { runReconcile } from '../support/reconcile-now.ts';
import { clientOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import { queryStack } from '../support/stack-database.ts';
import { getDataDir, getStack } from '../support/stack.ts';
import { withTemporal } from '../support/temporal-view.ts';

const reportSchema = z.array(
  z.object({
    runId: z.string(),
    provider: z.string(),
    status: z.string(),
    reported: z.number(),
    differences: z.array(
      z.object({
        action: z.string(),
        kind: z.string(),
        attemptId: z.string().nullable(),
        providerPaymentId: z.string(),
      }),
    ),
  }),
);

/** Alpha tells nothing by itself, and cannot be asked what became of a payment. */
const SILENT = { operations: ['inquiries'], errorRate: 1, webhookDropRate: 1, ignoresClosures: true };

type Report = z.output<typeof reportSchema>[number];

describe('reconciliation with the list of a provider', function () {
  this.timeout(3 * MINUTE_MS);
  let merchant: TestMerchant;
  let late: Payment;
  let stray: Payment;
  let other: Payment;
  let unknownId: string;
  let exitCode: number;
  const reports: Report[] = [];
  /** The run that has found the other amount. */
  let reporting: Report;

  before(async () => {
    merchant = await createMerchant();
    const from = new Date();
    await setFaults('alpha', SILENT);
    late = await begin({}, 'lostReply');
    stray = await chargedAfterCancel();
    other = await begin({ metadata: { scenario: 'other_amount' } }, 'approved');
    unknownId = await chargeElsewhere();
    await eventually(() => reconcileFrom(from));
  });
  after(async () => {
    await setFaults('alpha', {});
    await settle('alpha', other.id, 'approved');
    await other.reach('succeeded');
  });

  /** A payment that alpha has taken, which the engine does not know. */
  async function begin(terms: object, number: 'lostReply' | 'approved'): Promise<Payment> {
    const payment = await createPayment(terms, merchant.credentials);
    await payment.confirm(card(number), PREFER_ASYNC);
    await eventually(async () => assert.equal((await chargesAtAlpha(payment)).length, 1));
    return payment;
  }

  async function chargedAfterCancel(): Promise<Payment> {
    const payment = await createPayment({}, merchant.credentials);
    await payment.confirm(card('threeDSecure'), PREFER_ASYNC);
    await payment.reach('requires_action');
    const send = clientOf(merchant.credentials);
    assert.equal((await send('POST', `/payment-intents/${payment.id}/cancel`, {})).status, 200);
    await settle('alpha', payment.id, 'approved');
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
    return payment;
  }

  const chargesAtAlpha = async ({ id }: Payment): Promise<readonly object[]> =>
    (await readLedger('alpha', id)).flatMap(({ charges }) => charges);

  /** Charges at alpha as another system would, and returns the id of the payment there. */
  async function chargeElsewhere(): Promise<string> {
    const { simulators } = await provideSecrets(getDataDir());
    const alpha = getStack().sandbox.simulators.find(({ name }) => name === 'alpha');
    const response = await fetch(`${alpha?.url}/v1/payments`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${simulators.alpha.apiKey}`,
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({
        reference: 'invoice-7',
        paymentIntentId: 'invoice-7',
        amount: 700,
        currency: 'USD',
        capture: true,
        returnUrl: null,
        method: { ...card('approved').card, type: 'card' },
      }),
    });
    return z.object({ id: z.string() }).parse(await response.json()).id;
  }

  /** What changes while it runs is left to the next run. */
  async function reconcileFrom(from: Date): Promise<void> {
    const window = ['--from', from.toISOString(), '--to', new Date().toISOString()];
    const ended = await runReconcile(getDataDir(), ['--provider', 'alpha', ...window]);
    exitCode = ended.exitCode;
    reports.push(...reportSchema.parse(JSON.parse(ended.stdout)));
    for (const payment of [late, stray, other]) assert.ok(differencesOf(payment).length > 0, ended.stdout);
    reporting = reports.find(({ differences }) => differences.some(isAbout(other))) ?? assert.fail();
  }

  const isAbout =
    ({ id }: Payment) =>
    ({ attemptId }: Report['differences'][number]): boolean =>
      attemptId === attemptIdOf(id, 1);

  /** What the runs have found about a payment, without repeats. */
  function differencesOf(payment: Payment): readonly string[] {
    const own = reports.flatMap(({ differences }) => differences).filter(isAbout(payment));
    return [...new Set(own.map(({ action, kind }) => `${action} ${kind}`))];
  }

  it('tells the payment of a charge whose reply was lost', async () => {
    assert.deepEqual(differencesOf(late), ['repaired outcome_not_recorded']);
    await late.reach('succeeded');
    assert.deepEqual(await chargesOf(late.id), ['alpha capture 1999']);
  });

  it('has a charge returned that came after the end of its attempt', async () => {
    assert.deepEqual(differencesOf(stray), ['repaired stray_charge']);
    await setFaults('alpha', {});
    await eventually(async () =>
      assert.deepEqual(await chargesOf(stray.id), ['alpha capture 1999', 'alpha refund 1999']),
    );
  });

  it('reports a payment that it does not know, and another amount, and ends with exit code 1', () => {
    assert.deepEqual(differencesOf(other), ['reported amount_differs']);
    const unknown = reports[0]?.differences.filter(({ providerPaymentId }) => providerPaymentId === unknownId);
    assert.deepEqual(
      unknown?.map(({ kind, attemptId }) => [kind, attemptId]),
      [['unknown_payment', null]],
    );
    assert.deepEqual([exitCode, reports.at(-1)?.status], [1, 'completed']);
  });

  it('shows a merchant the differences about its own payments, and tells it of what was only reported', async () => {
    const send = clientOf(merchant.credentials);
    const runPath = `/reconciliation-runs/${reporting.runId}`;
    const own = resourceOf(await send('GET', runPath), reconciliationReportResource);
    // A payment that changes while a run compares it is left to the next one.
    const different = new Set(own.differences.map(({ paymentIntentId }) => paymentIntentId)).size;
    assert.ok(different <= own.compared && own.compared <= 3, `${own.compared} payments were compared`);
    assert.equal(own.repaired + own.reported, own.differences.length);
    assert.ok(own.differences.every(({ paymentIntentId }) => paymentIntentId !== null));
    const listPath = '/reconciliation-runs?provider=alpha&status=completed';
    const { data: listed } = resourcePageOf(await send('GET', listPath), reconciliationRunResource);
    // Other runs may have compared none of the merchant's payments.
    const runIds = reports.map(({ runId }) => runId);
    assert.ok(listed.length > 0 && listed.every(({ id }) => runIds.includes(id)));
    assert.ok(listed.some(({ id }) => id === reporting.runId));
    const difference = own.differences.find(({ action }) => action === 'reported');
    assert.deepEqual([difference?.ours?.amount, difference?.theirs?.amount], [1_999, 2_000]);
    const event = await eventually(async () => {
      const page = z.object({ data: z.array(z.object({ data: z.unknown() })) });
      const [found] = page.parse((await send('GET', '/events?type=reconciliation.difference_found')).body).data;
      return found ?? assert.fail('no event');
    });
    assert.deepEqual(Object(event.data).paymentIntentId, other.id);

    const foreign = clientOf((await createMerchant()).credentials);
    assert.equal((await foreign('GET', runPath)).status, 404);
  });

  it('says why a run failed, and nothing of the text that operators get', async () => {
    const runId = newId('reconciliationRun');
    await queryStack(
      `WITH run AS (
         INSERT INTO reconciliation_run (id, provider, window_from, window_to, is_continuous, status, error, failure_code,
           finished_at)
         VALUES ($1, 'alpha', now() - interval '1 hour', now(), false, 'failed', 'connect 10.0.0.7:443', 'TSP_TIMEOUT',
           now()) RETURNING id
       )
       INSERT INTO reconciliation_account (run_id, merchant_account_id, environment, compared, repaired, reported, created_at)
       SELECT run.id, a.id, a.environment, 1, 0, 0, now() FROM run, merchant_account a WHERE a.id = $2`,
      [runId, merchant.merchantAccountId],
    );
    const send = clientOf(merchant.credentials);
    const answer = await send('GET', `/reconciliation-runs/${runId}`);
    const { failure } = resourceOf(answer, reconciliationReportResource);
    assert.deepEqual(failure, { code: 'TSP_TIMEOUT', message: RECONCILIATION_FAILURES.TSP_TIMEOUT });
    assert.doesNotMatch(JSON.stringify(answer.body), /10\.0\.0\.7/);
    const listed = resourcePageOf(await send('GET', '/reconciliation-runs?status=failed'), reconciliationRunResource);
    assert.deepEqual(
      listed.data.map((run) => [run.id, run.failure?.code]),
      [[runId, 'TSP_TIMEOUT']],
    );
  });

  it('is scheduled at the latest interval until its schedule is removed', async () => {
    await withTemporal(async (client) => {
      const { schedule, scheduled, unschedule } = createReconciliations(client);
      const handle = client.schedule.getHandle('reconciliation-nobody');
      // The worker's own job removes schedules of providers that it does not know, now and then.
      for (const everyMs of [7 * DAY_MS, 14 * DAY_MS]) {
        await eventually(async () => {
          await schedule('nobody', everyMs);
          const { intervals = [] } = (await handle.describe()).spec;
          assert.deepEqual(
            intervals.map(({ every }) => every),
            [everyMs],
          );
        });
      }
      await eventually(async () => {
        await schedule('nobody', 7 * DAY_MS);
        const names = await scheduled();
        assert.ok(names.includes('nobody'), names.join());
      });
      for (let times = 0; times < 2; times += 1) await unschedule('nobody');
      await assert.rejects(handle.describe(), ScheduleNotFoundError);
    });
  });
});
