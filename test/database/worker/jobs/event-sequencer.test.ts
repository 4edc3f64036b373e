import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sequenceEvents } from '../../../../worker/jobs/event-sequencer.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertEvent, insertMerchantAccount, insertPaymentIntent } from '../../../support/payment-rows.ts';

const ACCOUNTS = 3;
const INTENTS_PER_ACCOUNT = 4;
const EVENTS_PER_INTENT = 12;
const TOTAL = ACCOUNTS * INTENTS_PER_ACCOUNT * EVENTS_PER_INTENT;

describe('event sequencer', function () {
  this.timeout(60_000);
  const test = useTestDatabase();

  const numberUntilNoneIsLeft = async (batchSize: number, isWriting: () => boolean): Promise<void> => {
    while (isWriting() || (await test.database.event.count({ where: { position: null } })) > 0) {
      await sequenceEvents(test.database, batchSize);
    }
  };

  it('numbers without gap or repetition with several writers and several sequencers', async () => {
    const { database } = test;
    const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => insertMerchantAccount(database)));
    const intents: { account: string; intent: string }[] = [];
    for (const account of accounts) {
      for (let count = 0; count < INTENTS_PER_ACCOUNT; count += 1) {
        intents.push({ account, intent: await insertPaymentIntent(database, account) });
      }
    }
    let writing = true;
    const sequencers = [7, 5, 50].map((batchSize) => numberUntilNoneIsLeft(batchSize, () => writing));
    await Promise.all(intents.map(({ account, intent }, index) => writeEvents(account, intent, index)));
    writing = false;
    await Promise.all(sequencers);

    const events = await database.event.findMany({ orderBy: { position: 'asc' } });
    assert.deepEqual(
      events.map(({ position }) => Number(position)),
      Array.from({ length: TOTAL }, (_, index) => index + 1),
    );
    for (const account of accounts) {
      assert.deepEqual(
        events.filter((event) => event.merchantAccountId === account).map(({ sequence }) => Number(sequence)),
        Array.from({ length: TOTAL / ACCOUNTS }, (_, index) => index + 1),
      );
    }
    for (const { intent } of intents) {
      assert.deepEqual(
        events.filter((event) => event.paymentIntentId === intent).map(({ version }) => version),
        Array.from({ length: EVENTS_PER_INTENT }, (_, index) => index),
      );
    }
  });

  /** Every second writer holds its transaction open after the insertion, so that commits overtake each other. */
  async function writeEvents(merchantAccountId: string, paymentIntentId: string, writer: number): Promise<void> {
    for (let version = 0; version < EVENTS_PER_INTENT; version += 1) {
      await test.database.$transaction(
        async (transaction) => {
          await insertEvent(transaction, { merchantAccountId, paymentIntentId, version });
          if (writer % 2 === 0) await transaction.$queryRaw`SELECT pg_sleep(0.01)::text`;
        },
        { maxWait: 30_000, timeout: 30_000 },
      );
    }
  }

  it('gives an event that commits late a later number', async () => {
    const { database } = test;
    const account = await insertMerchantAccount(database);
    const intent = await insertPaymentIntent(database, account);
    const row = { merchantAccountId: account, paymentIntentId: intent };
    const late = await database.$transaction(async (transaction) => {
      const id = await insertEvent(transaction, row);
      const early = await insertEvent(database, row);
      assert.equal(await sequenceEvents(database), 1);
      assert.equal((await database.event.findUniqueOrThrow({ where: { id: early } })).sequence, 1n);
      return id;
    });
    assert.equal(await sequenceEvents(database), 1);
    assert.equal((await database.event.findUniqueOrThrow({ where: { id: late } })).sequence, 2n);
  });

  it('does nothing while another sequencer holds the lock', async () => {
    const { database } = test;
    const account = await insertMerchantAccount(database);
    const intent = await insertPaymentIntent(database, account);
    await insertEvent(database, { merchantAccountId: account, paymentIntentId: intent });
    const results = await Promise.all([1, 2, 3].map(() => sequenceEvents(database)));
    assert.equal(
      results.reduce((sum, numbered) => sum + numbered, 0),
      1,
    );
    assert.equal(await sequenceEvents(database), 0);
  });

  it('blocks no payment while it holds its locks', async () => {
    const { database } = test;
    const account = await insertMerchantAccount(database);
    const intent = await insertPaymentIntent(database, account);
    await database.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE event_counter IN ACCESS EXCLUSIVE MODE`;
      await transaction.$queryRaw`SELECT pg_advisory_xact_lock(4120937211)::text`;
      await insertEvent(database, { merchantAccountId: account, paymentIntentId: intent });
    });
    assert.equal(await sequenceEvents(database), 1);
  });
});
