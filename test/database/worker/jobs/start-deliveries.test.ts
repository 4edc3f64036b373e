import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { pino } from 'pino';
import {
  createDeliverySweeper,
  DELIVERY_SWEEP_SIZE,
  startDeliveries,
} from '../../../../worker/jobs/start-deliveries.ts';
import { newId } from '../../../../domain/new-id.ts';
import { SECOND_MS } from '../../../../domain/time.ts';
import type { Prisma } from '../../../../prisma/generated/client.ts';
import { TemporalUnavailableError } from '../../../../workflow-client/temporal-errors.ts';
import type { WorkflowState } from '../../../../workflow-client/workflow-states.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { insertWebhookEndpoint } from '../../../support/webhook-rows.ts';

const { signal } = new AbortController();
const running: WorkflowState = { kind: 'running', runId: 'run_1' };
const terminated: WorkflowState = { kind: 'ended', as: 'terminated' };

describe('deliveries whose workflow was terminated', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  let account: string;
  let endpoint: string;

  before(async () => {
    account = await insertMerchantAccount(test.database);
    endpoint = await insertWebhookEndpoint(test.database, account);
  });
  beforeEach(() => test.database.webhookDelivery.deleteMany());

  const ago = (seconds: number): Date => new Date(Date.now() - seconds * SECOND_MS);

  /** One whose workflow was started an hour ago and has made two attempts, with the next one a minute overdue. */
  const insertDelivery = async (
    overrides: Partial<Prisma.WebhookDeliveryUncheckedCreateInput> = {},
  ): Promise<string> => {
    const id = newId('webhookDelivery');
    await test.database.webhookDelivery.create({
      data: {
        id,
        eventId: newId('event'),
        webhookEndpointId: endpoint,
        merchantAccountId: account,
        environment: 'sandbox',
        eventType: 'payment_intent.succeeded',
        position: 1n,
        attemptCount: 2,
        claimedAt: ago(3_600),
        workflowStartedAt: ago(3_600),
        nextAttemptAt: ago(60),
        ...overrides,
      },
    });
    return id;
  };
  /** Runs one sweep. @returns the ids for which it called Temporal */
  const sweepAs = async (state: WorkflowState): Promise<string[]> => {
    const asked: string[] = [];
    const stateOf = async (id: string): Promise<WorkflowState> => {
      asked.push(id);
      return state;
    };
    const logger = pino({ level: 'silent' });
    await createDeliverySweeper({ database: test.database, states: { stateOf }, logger })(signal);
    return asked;
  };
  const restart = async (): Promise<(readonly [string, number | undefined])[]> => {
    const started: (readonly [string, number | undefined])[] = [];
    const start = async ({ deliveryId, attemptsMade }: { deliveryId: string; attemptsMade?: number }) => {
      started.push([deliveryId, attemptsMade]);
    };
    await startDeliveries({ database: test.database, webhookWorkflows: { start } }, signal);
    return started;
  };

  it('are started again, after the attempts that were made', async () => {
    const overdue = await insertDelivery();
    const neverTried = await insertDelivery({ attemptCount: 0, nextAttemptAt: null });
    assert.deepEqual((await sweepAs(terminated)).sort(), [overdue, neverTried].sort());
    assert.deepEqual(
      new Map(await restart()),
      new Map([
        [overdue, 2],
        [neverTried, 0],
      ]),
    );
  });

  it('are left alone while their workflow runs, and not checked again at once', async () => {
    const overdue = await insertDelivery();
    assert.deepEqual(await sweepAs(running), [overdue]);
    assert.deepEqual(await sweepAs(terminated), []);
    assert.deepEqual(await restart(), []);
    await test.database.webhookDelivery.updateMany({ data: { claimedAt: ago(31) } });
    assert.deepEqual(await sweepAs(running), [overdue]);
  });

  it('are not checked if no attempt is overdue, they are blocked, or they have ended', async () => {
    await insertDelivery({ nextAttemptAt: new Date(Date.now() + 60 * SECOND_MS) });
    await insertDelivery({ nextAttemptAt: ago(20) });
    await insertDelivery({ nextAttemptAt: null, attemptCount: 0, workflowStartedAt: ago(20), claimedAt: ago(20) });
    await insertDelivery({ nextAttemptAt: null, workflowStartedAt: null });
    await insertDelivery({ status: 'delivered' });
    await insertDelivery({ status: 'failed' });
    assert.deepEqual(await sweepAs(terminated), []);
  });

  it('are left alone if they ended while Temporal was asked', async () => {
    const overdue = await insertDelivery();
    const stateOf = async (): Promise<WorkflowState> => {
      await test.database.webhookDelivery.update({ where: { id: overdue }, data: { status: 'delivered' } });
      return { kind: 'completed' };
    };
    const logger = pino({ level: 'silent' });
    await createDeliverySweeper({ database: test.database, states: { stateOf }, logger })(signal);
    const { workflowStartedAt } = await test.database.webhookDelivery.findUniqueOrThrow({ where: { id: overdue } });
    assert.notEqual(workflowStartedAt, null);
  });

  it('are claimed in small batches, each by one worker, until all were checked', async () => {
    const all = await Promise.all(Array.from({ length: 2 * DELIVERY_SWEEP_SIZE + 1 }, () => insertDelivery()));
    const portions = await Promise.all([sweepAs(terminated), sweepAs(terminated)]);
    for (const portion of portions) assert.ok(portion.length <= DELIVERY_SWEEP_SIZE);
    const asked = [...portions.flat(), ...(await sweepAs(terminated)), ...(await sweepAs(terminated))];
    assert.deepEqual(asked.sort(), all.sort());
  });

  it('stay due while Temporal is unavailable', async () => {
    const overdue = await insertDelivery();
    const stateOf = () => Promise.reject(new TemporalUnavailableError('away'));
    const dependencies = { database: test.database, states: { stateOf }, logger: pino({ level: 'silent' }) };
    await assert.rejects(createDeliverySweeper(dependencies)(signal), TemporalUnavailableError);
    await test.database.webhookDelivery.updateMany({ data: { claimedAt: ago(31) } });
    assert.deepEqual(await sweepAs(terminated), [overdue]);
  });

  it('are found by an index', async () => {
    const [, plan] = await test.database.$transaction([
      test.database.$executeRaw`SET LOCAL enable_seqscan = off`,
      test.database.$queryRaw`
        EXPLAIN SELECT id FROM webhook_delivery
        WHERE status = 'pending' AND workflow_started_at IS NOT NULL
          AND GREATEST(claimed_at, COALESCE(next_attempt_at, workflow_started_at)) < now()
        ORDER BY GREATEST(claimed_at, COALESCE(next_attempt_at, workflow_started_at)) LIMIT 20`,
    ]);
    assert.match(JSON.stringify(plan), /webhook_delivery_overdue_idx/);
  });
});
