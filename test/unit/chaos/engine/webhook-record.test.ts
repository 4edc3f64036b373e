import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readWebhookRecord } from '../../../../chaos/engine/webhook-record.ts';

const event = (data: object): string =>
  JSON.stringify({ id: 'evt_1', type: 'refund.created', sequence: 3, merchantId: 'mer_1', data });

describe('the record of the webhook receiver', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'webhook-record-'));
    file = path.join(folder, 'webhooks.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is empty before the first webhook', async () => {
    assert.deepEqual(await readWebhookRecord(file), { received: [], rejections: [] });
  });

  it('contains the payment of each event, and skips an incomplete line', async () => {
    const lines = [
      { payload: event({ id: 're_1', paymentIntentId: 'pi_1' }) },
      { payload: event({ id: 'pi_2' }) },
      { payload: event({ id: 'whe_1' }) },
      { refused: 'no signature' },
    ].map((line) => JSON.stringify(line));
    await writeFile(file, [...lines, '{"payload": "{\\"id'].join('\n'));
    const { received, rejections } = await readWebhookRecord(file);
    assert.deepEqual(
      received.map(({ paymentIntentId }) => paymentIntentId),
      ['pi_1', 'pi_2', null],
    );
    assert.deepEqual(rejections, ['no signature']);
  });
});
