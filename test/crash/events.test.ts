import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { createDatabase, type Database } from '../../prisma/connection/client.ts';
import { createMerchant } from '../../scripts/manage-merchants.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import type { StackProcess } from '../../sandbox/stack/stack-options.ts';
import type { TemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { createClient } from '../../sdk/server/index.ts';
import { assertEventsInOrder, assertRefundEventsMatch } from '../support/consistency-checks.ts';
import {
  assertDeliveredToReceiver,
  assertDeliveredOnRecord,
  assertDeliveredToPage,
  readEvents,
  readOvertaken,
} from '../support/event-delivery/delivery-checks.ts';
import {
  type ObservedPayment,
  type Merchant,
  untilAnswered,
  runPayment,
} from '../support/event-delivery/payment-flows.ts';
import { startProcessKiller, type Victim } from '../support/event-delivery/process-killer.ts';
import type { ObservingPage } from '../support/event-delivery/page.ts';
import { createRandom } from '../support/event-delivery/random.ts';
import { createReceiverProcess, type ReceiverProcess } from '../support/event-delivery/receiver-process.ts';
import { startTestStack } from '../support/stack.ts';
import { VERSION_1 } from '../support/signature-version.ts';

const PAYMENTS = Number(process.env.CRASH_PAYMENTS ?? 50);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
/** Concurrent payments: a killed process delays all of them. */
const AT_ONCE = Math.max(30, PAYMENTS / 3);
/** The share of webhooks that the receiver answers with 500 during the faults. */
const FAILURE_RATE = 0.1;

describe(`the events of ${PAYMENTS} payments while API, worker and webhook receiver are killed (CRASH_SEED=${SEED})`, function () {
  this.timeout(MINUTE_MS + PAYMENTS * 3 * SECOND_MS);

  const random = createRandom(SEED);
  const pages = new Set<ObservingPage>();
  const payments: ObservedPayment[] = [];
  let temporary: TemporaryStack;
  let folder: string;
  let database: Database;
  let merchants: readonly Merchant[];
  let receiver: ReceiverProcess;

  before(async function () {
    this.timeout(15 * MINUTE_MS);
    temporary = await startTestStack();
    folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-events-'));
    database = createDatabase({ url: temporary.stack.sandbox.databaseUrl, poolSize: 2 });
    merchants = await Promise.all(['first', 'second'].map(makeMerchant));
    const [port = 0] = await findFreePorts(1);
    const secrets = await Promise.all(
      merchants.map(async ({ client }, endpoint) => {
        const url = `http://127.0.0.1:${port}/${endpoint}`;
        const { secret } = await client.webhookEndpoints.create({ url });
        assert.ok(secret !== null);
        return secret;
      }),
    );
    receiver = createReceiverProcess({ port, record: path.join(folder, 'record'), secrets, seed: SEED });
    await receiver.start(FAILURE_RATE);
  });

  after(async function () {
    this.timeout(2 * MINUTE_MS);
    await receiver.kill();
    await database.$disconnect();
    await temporary.end();
    await rm(folder, { recursive: true, force: true });
  });

  it('reach each page before its payment continues', async () => {
    const startedAt = Date.now();
    const problems: string[] = [];
    const killing = startProcessKiller(victims(), random, () => payments.length);
    let next = 0;
    const buy = async (): Promise<void> => {
      while (next < PAYMENTS) {
        const number = next;
        next += 1;
        const merchant = merchants[number % 4 === 3 ? 1 : 0];
        assert.ok(merchant);
        await runPayment(merchant, number, (page) => pages.add(page)).then(
          (payment) => {
            payments.push(payment);
            pages.delete(payment.page);
          },
          (error: unknown) => problems.push(String(error)),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, buy));
    const kills = await killing.stop();
    assert.deepEqual(problems, []);
    for (const { name } of victims()) assert.ok((kills.get(name) ?? 0) > 0, `${name} was never killed`);
    const seconds = Math.round((Date.now() - startedAt) / SECOND_MS);
    const times = [...kills].map(([name, count]) => `${name} ${count}×`).join(', ');
    console.log(`      ${payments.length} payments in ${seconds} s; killed: ${times}`);
  });

  it('are all delivered to the receiver once it stays up, without waiting for the next scheduled attempt', async () => {
    await receiver.kill();
    await receiver.start(0);
    const redelivered = await redeliverWaiting();
    console.log(`      ${redelivered} deliveries were redelivered at once`);
  });

  it('have reached each page once and in order', async () => {
    const events = (await Promise.all(merchants.map((each) => readEvents(database, each.merchantAccountId)))).flat();
    for (const payment of payments) assertDeliveredToPage(payment, events);
    const losses = payments.reduce((sum, { page }) => sum + page.losses, 0);
    const delivered = payments.reduce((sum, { page }) => sum + page.events.length, 0);
    console.log(
      `      ${delivered} events delivered to ${payments.length} pages, which lost their connection ${losses} times`,
    );
  });

  it('have all reached the receiver, in order for each payment, and none of another account', async () => {
    const record = receiver.readWebhooks();
    const mayOvertake = await readOvertaken(database);
    for (const [endpoint, { merchantAccountId }] of merchants.entries()) {
      const events = await readEvents(database, merchantAccountId);
      const received = record.filter((webhook) => webhook.endpoint === endpoint);
      assertDeliveredToReceiver(merchantAccountId, received, events, mayOvertake);
      await assertDeliveredOnRecord(database, merchantAccountId, events);
      console.log(
        `      ${events.length} events of account ${endpoint + 1}, written down ${received.length} times; ` +
          `of ${mayOvertake.size} payments an event had failed too often to be waited for`,
      );
    }
  });

  it('are numbered without gaps, and cover each payment from its creation to its end', async () => {
    await assertEventsInOrder(database);
    await assertRefundEventsMatch(database);
  });

  async function makeMerchant(name: string): Promise<Merchant> {
    const { baseUrl } = temporary.stack.sandbox;
    const terms = { name, account: name, environment: 'sandbox', withSandboxRoutes: true } as const;
    const made = await createMerchant(database, terms, VERSION_1);
    const client = createClient({ baseUrl, signatureVersion: 1, ...made });
    return { merchantAccountId: made.merchantAccountId, baseUrl, client };
  }

  function victims(): readonly Victim[] {
    const { stack } = temporary;
    // Restarts at once, without the backoff for a process that crashes repeatedly.
    const ofStack = (name: StackProcess): Victim['killAndRestart'] => {
      return () => {
        const pid = stack.pidOf(name);
        assert.ok(pid !== undefined, `${name} runs`);
        process.kill(pid, 'SIGKILL');
        return stack.restart(name);
      };
    };
    return [
      { name: 'api', everyPayments: [25, 60], killAndRestart: ofStack('api') },
      { name: 'worker', everyPayments: [30, 70], killAndRestart: ofStack('worker') },
      { name: 'receiver', everyPayments: [3, 10], killAndRestart: restartReceiver },
      { name: 'connection', everyPayments: [0, 3], killAndRestart: cutOnePage },
    ];
  }

  async function restartReceiver(): Promise<void> {
    await receiver.kill();
    await sleep(random.between(200, 3_000));
    await receiver.start(FAILURE_RATE);
  }

  async function cutOnePage(): Promise<void> {
    random.pick([...pages])?.cut();
  }

  /** Redelivers at once each event whose next attempt is not due yet. @returns how many */
  async function redeliverWaiting(): Promise<number> {
    const redelivered = new Set<string>();
    const deadline = Date.now() + 2 * MINUTE_MS + PAYMENTS * SECOND_MS;
    while ((await countUndelivered()) > 0) {
      assert.ok(Date.now() < deadline, `${await countUndelivered()} events have not been delivered`);
      const waiting = await database.webhookDelivery.findMany({
        where: {
          status: 'pending',
          nextAttemptAt: { gt: new Date(Date.now() + 2 * SECOND_MS) },
          id: { notIn: [...redelivered] },
        },
      });
      for (const { id, eventId, merchantAccountId } of waiting) {
        const merchant = merchants.find((each) => each.merchantAccountId === merchantAccountId);
        await untilAnswered((idempotencyKey) => {
          assert.ok(merchant);
          return merchant.client.events.redeliver(eventId, {}, { idempotencyKey });
        });
        redelivered.add(id);
      }
      await sleep(SECOND_MS / 4);
    }
    return redelivered.size;
  }

  /** Counts events without a delivery yet, and pending deliveries. Events come last: none that is written meanwhile goes uncounted. */
  async function countUndelivered(): Promise<number> {
    const planned = await database.webhookDelivery.count({ where: { round: 1 } });
    const open = await database.webhookDelivery.count({ where: { status: 'pending' } });
    return (await database.event.count()) - planned + open;
  }
});
