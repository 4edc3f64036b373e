import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import pino from 'pino';
import { createStartMarks } from '../../api/payment-intents/start-marks.ts';
import { sweepCreations } from '../../background/creation-sweeper.ts';
import { createDatabase } from '../../prisma/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../support/payment-rows.ts';

const MINUTE_AGO = (): Date => new Date(Date.now() - 60_000);
const logger = pino({ enabled: false });

describe('marks of started workflows', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    account = await insertMerchantAccount(test.database);
  });
  after(() => test.close());

  const unmarkedOf = async (ids: readonly string[]): Promise<string[]> => {
    const rows = await test.database.paymentIntent.findMany({
      where: { id: { in: [...ids] }, workflowStartedAt: null },
    });
    return rows.map(({ id }) => id);
  };
  const insert = () => insertPaymentIntent(test.database, account, { createdAt: MINUTE_AGO() });

  it('are written for the intents that were noted, and for no others', async () => {
    const [noted, also, other] = [await insert(), await insert(), await insert()];
    const marks = createStartMarks(test.database, logger);
    marks.note(noted);
    marks.note(also);
    await eventually(async () => assert.deepEqual(await unmarkedOf([noted, also, other]), [other]));
    await marks.close();
  });

  it('leave the time alone that a payment has noted itself', async () => {
    const startedAt = new Date('2026-01-02T03:04:05.006Z');
    const id = await insertPaymentIntent(test.database, account, { workflowStartedAt: startedAt });
    const marks = createStartMarks(test.database, logger);
    marks.note(id);
    await marks.close();
    const row = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    assert.deepEqual(row.workflowStartedAt, startedAt);
  });

  it('are all written once their keeper is closed', async () => {
    const ids = await Promise.all([insert(), insert()]);
    const marks = createStartMarks(test.database, logger);
    ids.forEach((id) => marks.note(id));
    await marks.close();
    assert.deepEqual(await unmarkedOf(ids), []);
  });

  it('leave an intent to the sweeper whose mark could not be written', async () => {
    const id = await insert();
    const away = createDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', poolSize: 1 });
    const marks = createStartMarks(away, logger);
    marks.note(id);
    await marks.close();
    await away.$disconnect();
    const started: string[] = [];
    const start = (input: { readonly paymentIntentId: string }) =>
      Promise.resolve(void started.push(input.paymentIntentId));
    await sweepCreations({ database: test.database, workflows: { start } }, new AbortController().signal);
    assert.ok(started.includes(id));
  });
});
