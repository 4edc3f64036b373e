import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { MAXIMUM_LINES, readTimeline } from '../../../../../api/resources/payment-intents/timeline.ts';
import { timelineLine } from '../../../../../contract/schemas/payment-intent-resource.ts';
import { newId } from '../../../../../domain/new-id.ts';
import { useAccount } from '../../../../support/account-fixture.ts';
import { insertApiKey, insertEvent } from '../../../../support/payment-rows.ts';
import { principalWith } from '../../../../support/principal.ts';

describe('the timeline of a payment', () => {
  const test = useAccount();

  async function linesAfter(versions: number) {
    const paymentIntentId = await test.insertIntent();
    const at = new Date();
    await test.database.timelineEntry.createMany({
      data: Array.from({ length: versions }, (_, version) => ({
        paymentIntentId,
        version,
        ordinal: 0,
        kind: 'updated',
        summary: `Change ${version}`,
        at,
      })),
    });
    await insertEvent(test.database, { merchantAccountId: test.account, paymentIntentId, version: versions - 1 });
    return linesOf(paymentIntentId);
  }

  async function linesOf(id: string) {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: test.account } });
    const call = { principal: principalWith({ merchantId, merchantAccountId: test.account }), id };
    const { body } = await readTimeline({ database: test.database }, call);
    return z.object({ data: z.array(timelineLine) }).parse(JSON.parse(body)).data;
  }

  it('names the person or the key that has asked for a manual resolution', async () => {
    const paymentIntentId = await test.insertIntent();
    const personId = newId('person');
    await test.database.person.create({ data: { id: personId, name: 'Member', email: `${personId}@example.com` } });
    const apiKeyId = await insertApiKey(test.database, test.account);
    const gone = newId('person');
    const summaries = [
      ['request', `person ${personId} asks alpha`, 'Member asks alpha'],
      ['request', `api_key ${apiKeyId} asks alpha`, 'Key asks alpha'],
      ['request', `person ${gone} asks alpha`, `person ${gone} asks alpha`],
      ['request', `Support asks for person ${personId}`, `Support asks for person ${personId}`],
      ['decision', `person ${personId}`, `person ${personId}`],
    ] as const;
    await test.database.timelineEntry.createMany({
      data: summaries.map(([kind, summary], ordinal) => ({
        paymentIntentId,
        version: 0,
        ordinal,
        kind,
        summary,
        at: new Date(),
      })),
    });
    assert.deepEqual(
      (await linesOf(paymentIntentId)).map(({ summary }) => summary),
      summaries.map(([, , shown]) => shown),
    );
  });

  it('has every line, oldest first', async () => {
    const summaries = (await linesAfter(3)).map(({ summary }) => summary);
    assert.deepEqual(summaries, ['Change 0', 'Change 1', 'Change 2', 'payment_intent.processing']);
  });

  it('has the last lines of many, and says that earlier ones are left out', async () => {
    const full = await linesAfter(MAXIMUM_LINES - 1);
    assert.deepEqual([full.length, full[0]?.summary], [MAXIMUM_LINES, 'Change 0']);
    const [first, second, ...others] = await linesAfter(MAXIMUM_LINES);
    assert.deepEqual([first?.kind, first?.at, second?.summary], ['left_out', second?.at, 'Change 1']);
    assert.deepEqual([others.length, others.at(-1)?.kind], [MAXIMUM_LINES - 1, 'event']);
  });
});
