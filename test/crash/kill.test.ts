import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { after, before, describe, it } from 'mocha';
import { messageOf } from '../../domain/message-of.ts';
import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';
import { createDatabase, type Database } from '../../prisma/connection/client.ts';
import { sendSigned } from '../../sandbox/signed-request.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import type { StackProcess } from '../../sandbox/stack/stack-options.ts';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import {
  assertAttemptsMatch,
  assertChargedOnce,
  assertEventsInOrder,
  assertNothingPending,
  assertRefundEventsMatch,
  assertWorkflowsMatch,
  readAllLedgers,
} from '../support/consistency-checks.ts';
import {
  cancelIntent,
  confirmIntent,
  createIntent,
  FIFTY_PAYMENTS,
  type PaymentFlow,
  type Shop,
  waitForState,
} from '../support/payment-flows.ts';
import { startTestStack } from '../support/stack.ts';

const PATH = '/api/v1/payment-intents';
const START_EVERY_MS = 200;
/** The number of payments that have begun when each process is killed. */
const KILLS: readonly (readonly [number, StackProcess])[] = [
  [8, 'api'],
  [20, 'worker'],
  [32, 'temporal'],
  [44, 'postgres'],
];
const LOST_REPLY = {
  type: 'card',
  card: { number: '4000000000000341', expiryMonth: 12, expiryYear: new Date().getUTCFullYear() + 2, cvc: '123' },
};

const byExpiry = (one: { readonly expiresAt: Date }, other: { readonly expiresAt: Date }): number =>
  one.expiresAt.getTime() - other.expiresAt.getTime();

describe('an engine whose processes die', function () {
  this.timeout(300_000);

  let stack: Stack;
  let dataDir: string;
  let database: Database;
  let temporal: Client;
  let shop: Shop;
  /** An abandoned intent, created while Temporal was down. */
  let forgottenId: string;

  before(async function () {
    this.timeout(900_000);
    ({ stack, dataDir } = await startTestStack());
    const { databaseUrl, temporalAddress: address } = stack.sandbox;
    database = createDatabase({ url: databaseUrl, poolSize: 2 });
    temporal = createTemporalClient({ address, namespace: 'default' });
    shop = { sandbox: stack.sandbox, onRetry: () => undefined };
  });

  after(async function () {
    this.timeout(120_000);
    await database.$disconnect();
    await temporal.connection.close();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('accepts a payment while Temporal is down, and starts its workflow once Temporal is back', async () => {
    const keys = { repeated: randomUUID(), canceled: randomUUID(), forgotten: randomUUID() };
    process.kill(pidOf('temporal'), 'SIGSTOP');
    const answers = await Promise.all(
      Object.values(keys).map((key) => createOnce(key, key === keys.forgotten ? { expiresInSeconds: 60 } : {})),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503, 503],
    );
    await stack.kill('temporal', 'SIGKILL');
    await stack.whenReady('temporal');

    const rows = await database.paymentIntent.findMany({ orderBy: { createdAt: 'asc' } });
    assert.equal(rows.length, 3, 'each creation has left its row');
    const repeated = await createIntent(shop, {}, keys.repeated);
    const again = await createIntent(shop, {}, keys.repeated);
    assert.equal(again.id, repeated.id);
    const others = rows.toSorted(byExpiry).flatMap(({ id }) => (id === repeated.id ? [] : [id]));
    assert.equal(others.length, 2, 'the repeat goes on with the row that was there');
    await waitUntil('the sweeper has started the others', async () => {
      const started = await Promise.allSettled(rows.map(({ id }) => temporal.workflow.getHandle(id).describe()));
      return started.every(({ status }) => status === 'fulfilled');
    });

    assert.equal((await confirmIntent(shop, repeated.id, LOST_REPLY)).code, null);
    const [leftId = '', canceledId = ''] = others;
    forgottenId = leftId;
    assert.equal((await cancelIntent(shop, canceledId)).intent?.status, 'canceled');
  });

  it('completes fifty payments while API, worker, Temporal and PostgreSQL are killed', async () => {
    const courses = FIFTY_PAYMENTS.flatMap(([count, flow]) => Array.from({ length: count }, () => flow));
    assert.equal(courses.length, 50);
    let open = 0;
    const kills: Promise<void>[] = [];
    const runs: Promise<string[]>[] = [];
    for (const [index, flow] of interleave(courses).entries()) {
      open += 1;
      runs.push(
        runFlow(flow).finally(() => {
          open -= 1;
        }),
      );
      const [, name] = KILLS.find(([begun]) => begun === index + 1) ?? [];
      if (name !== undefined) {
        assert.ok(open > 0, `payments are under way when ${name} is killed`);
        kills.push(stack.kill(name, 'SIGKILL').then(() => stack.whenReady(name)));
      }
      await sleep(START_EVERY_MS);
    }
    const problems = (await Promise.all(runs)).flat();
    await Promise.all(kills);
    assert.equal(kills.length, KILLS.length);
    assert.deepEqual(problems, []);
  });

  it('cuts off no request when worker and API shut down under load', async () => {
    const load = new AbortController();
    const clients = Array.from({ length: 4 }, () => createUntil(load.signal));
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await createIntent(shop)).id));
    const confirms = ids.map((id) => confirmOnce(id));
    // On a busy machine some may have been paid by then.
    await Promise.all(ids.map((id) => waitForState(shop, id, ['processing', 'succeeded'])));
    await stack.restart('worker');
    await stack.restart('api');
    load.abort();
    const answers = (await Promise.all(clients)).flat();
    const refused = answers.filter(({ status }) => status !== null && status !== 201);
    assert.deepEqual(refused, []);
    // The system resets a connection that the API has not accepted yet. That cuts off a request only if the API had begun it.
    const begun = await database.idempotencyRecord.findMany({
      where: { key: { in: answers.flatMap(({ key, status }) => (status === null ? [key] : [])) } },
    });
    assert.deepEqual(begun, []);
    for (const { status } of await Promise.all(confirms)) assert.equal(status, 200);
    for (const id of ids) await waitForState(shop, id, ['succeeded']);
  });

  it('expires an abandoned payment on time', async () => {
    await waitForState(shop, forgottenId, ['expired']);
  });

  describe('and whose workflows somebody ends by hand', () => {
    const APPROVED = { ...LOST_REPLY, card: { ...LOST_REPLY.card, number: '4242424242424242' } };
    /** So that no sweeper looks at the row by itself. */
    const postpone = (id: string, nextDueAt: Date | null) =>
      database.paymentIntent.update({ where: { id }, data: { nextDueAt } });

    it('takes over a payment whose workflow was terminated, long before its row is due', async () => {
      const { id } = await createIntent(shop, { captureMethod: 'manual' });
      assert.equal((await confirmIntent(shop, id, APPROVED)).intent?.status, 'requires_capture');
      await postpone(id, new Date(Date.now() + HOUR_MS));
      await temporal.workflow.getHandle(id).terminate('by hand');
      await waitUntil('another run has the payment', async () => (await statusOf(id)) === 'RUNNING');
      assert.equal((await cancelIntent(shop, id)).intent?.status, 'canceled');
    });

    it('ends a payment again that had succeeded, whose workflow was reset and then terminated', async () => {
      const { id } = await createIntent(shop);
      assert.equal((await confirmIntent(shop, id, APPROVED)).intent?.status, 'succeeded');
      await waitUntil('the workflow has ended', async () => (await statusOf(id)) === 'COMPLETED');
      await postpone(id, null);
      const { version } = await database.paymentIntent.findUniqueOrThrow({ where: { id } });
      // While no worker runs, the run that the reset starts cannot end by itself.
      process.kill(pidOf('worker'), 'SIGSTOP');
      try {
        await resetToFirstTask(id);
        await temporal.workflow.getHandle(id).terminate('by hand');
        assert.equal(await statusOf(id), 'TERMINATED');
      } finally {
        process.kill(pidOf('worker'), 'SIGCONT');
      }
      await waitUntil('Temporal says again what the row says', async () => (await statusOf(id)) === 'COMPLETED');
      const row = await database.paymentIntent.findUniqueOrThrow({ where: { id } });
      assert.equal(row.status, 'succeeded');
      // The takeover is the only step since.
      assert.equal(row.version, version + 1);
    });

    async function statusOf(id: string): Promise<string> {
      return (await temporal.workflow.getHandle(id).describe()).status.name;
    }

    async function resetToFirstTask(workflowId: string): Promise<void> {
      const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
      const first = events?.find((event) => event.workflowTaskCompletedEventAttributes);
      await temporal.workflowService.resetWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId },
        reason: 'by hand',
        requestId: randomUUID(),
        workflowTaskFinishEventId: first?.eventId ?? null,
      });
    }
  });

  it('has each success in the ledgers of the providers exactly once, and nothing else', async () => {
    const ledgers = await readAllLedgers(stack.sandbox);
    await assertChargedOnce(database, ledgers);
    await assertAttemptsMatch(database, ledgers);
  });

  it('has one workflow for each payment, and both have ended', () => assertWorkflowsMatch(database, temporal));

  it('has an event for each step and refund, in order and without a gap', async () => {
    await assertEventsInOrder(database);
    await assertRefundEventsMatch(database);
  });

  it('has delivered all provider events, and has erased the CVCs', () => assertNothingPending(database));

  function pidOf(name: StackProcess): number {
    const pid = stack.pidOf(name);
    assert.ok(pid !== undefined, `${name} runs`);
    return pid;
  }

  function createOnce(idempotencyKey: string, terms: object = {}): Promise<Response> {
    const body = { amount: 1_999, currency: 'USD', ...terms };
    const headers = { 'X-Idempotency-Key': idempotencyKey };
    return sendSigned(stack.sandbox, { method: 'POST', path: PATH, body, headers });
  }

  /** Does not retry, because an accepted request must be answered. */
  function confirmOnce(id: string): Promise<Response> {
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const body = { paymentMethod: LOST_REPLY };
    return sendSigned(stack.sandbox, { method: 'POST', path: `${PATH}/${id}/confirm`, body, headers });
  }

  /** @returns descriptions of what went wrong */
  async function runFlow({ name, ends, run }: PaymentFlow): Promise<string[]> {
    try {
      const id = await run(shop);
      await waitForState(shop, id, ends);
      return [];
    } catch (error) {
      return [`${name}: ${messageOf(error)}`];
    }
  }

  /** Creates intents repeatedly. @returns the status of each answer by its idempotency key; null for a request without an answer */
  async function createUntil(signal: AbortSignal): Promise<{ key: string; status: number | null }[]> {
    const answers: { key: string; status: number | null }[] = [];
    while (!signal.aborted) {
      const key = randomUUID();
      const response = await createOnce(key).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      answers.push({ key, status: text === undefined ? null : (response?.status ?? null) });
      await sleep(SECOND_MS / 10);
    }
    return answers;
  }

  async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 60 * SECOND_MS;
    while (!(await holds())) {
      assert.ok(Date.now() < deadline, `in time: ${what}`);
      await sleep(SECOND_MS / 5);
    }
  }
});

/** Interleaves the payments, so that all kinds are under way at any time. */
function interleave<Item>(items: readonly Item[]): readonly Item[] {
  const stride = 7;
  return items.map((_, index) => items[(index * stride) % items.length]).filter((item) => item !== undefined);
}
