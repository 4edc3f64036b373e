import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { PayloadCodec } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import type { TemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { createClient } from '../../sdk/server/index.ts';
import { parseKeyring } from '../../vault/keyring.ts';
import { createPayloadCodec } from '../../vault/payload-codec.ts';
import { workflowSource } from '../../worker/workflow-source.ts';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import { readCurrentDetails } from '../support/current-details.ts';
import { asCreatedIntent, asIntent } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { PRIVATE_TEXT } from '../support/private-text.ts';
import { silenceRuntime } from '../support/silence-runtime.ts';
import { startTestStack } from '../support/stack.ts';

const AMOUNT = 7_654_321;

const payloadSchema = z.object({ metadata: z.looseObject({ encoding: z.string() }), data: z.string().optional() });
type JsonPayload = z.output<typeof payloadSchema>;

/** All payloads in a history, besides search attributes and what the SDK itself notes in markers. */
function payloadsIn(value: unknown): JsonPayload[] {
  const payload = payloadSchema.safeParse(value);
  if (payload.success) return [payload.data];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => (isClear(name) ? [] : payloadsIn(field)));
}

function isClear(name: string): boolean {
  return name === 'searchAttributes' || name === 'markerRecordedEventAttributes';
}

/** What names the merchant account in clear. */
const NAMES_ACCOUNT = ['searchAttributes', 'priority'];

/** The text of a history without what names the account, with what is shown of its payloads: by default their decoded data. */
function textOf(value: unknown, show = dataOf): string {
  const payload = payloadSchema.safeParse(value);
  if (payload.success) return show(payload.data);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([name]) => !NAMES_ACCOUNT.includes(name))
    .map(([name, field]) => `${name}: ${textOf(field, show)}`)
    .join('\n');
}

function dataOf({ data = '' }: JsonPayload): string {
  return Buffer.from(data, 'base64').toString('latin1');
}

describe('a payment whose payloads are encrypted', function () {
  this.timeout(3 * MINUTE_MS);
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  const codec = createPayloadCodec(parseKeyring(keys), { encrypts: true });
  let engine: TemporaryStack;
  let paymentId: string;
  let attemptId: string;
  let history: object;

  before('pay, with an outage on the way', async () => {
    silenceRuntime();
    engine = await startTestStack({ TEMPORAL_ENCRYPT_PAYLOADS: 'true', VAULT_KEYS: keys });
    const { paymentIntents } = createClient(engine.stack.sandbox);
    const terms = { amount: AMOUNT, currency: 'USD', country: 'DE', ...PRIVATE_TEXT };
    paymentId = asCreatedIntent(await paymentIntents.create(terms)).id;
    await paymentIntents.confirm(paymentId, { paymentMethod: card('failover') });
    await eventually(async () => {
      const { status } = asIntent(await paymentIntents.get(paymentId));
      assert.equal(status, 'succeeded');
    });
    attemptId = `${paymentId.replace('pi_', 'att_')}_1`;
    history = await withTemporal([], async (client) => {
      const handle = client.workflow.getHandle(paymentId);
      await eventually(async () => assert.equal((await handle.describe()).status.name, 'COMPLETED'));
      const parsed: unknown = JSON.parse(historyToJSON(await handle.fetchHistory()));
      assert.ok(typeof parsed === 'object' && parsed !== null);
      return parsed;
    });
  });
  after(() => engine?.end());

  async function withTemporal<Result>(
    codecs: PayloadCodec[],
    work: (client: ReturnType<typeof createTemporalClient>) => Promise<Result>,
  ): Promise<Result> {
    const address = engine.stack.sandbox.temporalAddress;
    const client = createTemporalClient({ address, namespace: 'default' }, codecs);
    try {
      return await work(client);
    } finally {
      await client.connection.close();
    }
  }

  it('has nothing of the payment in its history but its id, its search attributes and its account', () => {
    const payloads = payloadsIn(history);
    assert.ok(payloads.length > 10);
    for (const { metadata } of payloads) assert.equal(atob(metadata.encoding), 'binary/encrypted');
    const text = textOf(history);
    assert.ok(text.includes(paymentId));
    assert.ok(text.includes('Encoded failure'), 'the outage failed an activity');
    const amounts = [String(AMOUNT), '76,543.21', '76543.21'];
    // In quotes, as in JSON: somewhere in so many encrypted bytes are any three letters.
    const inJson = ['"pm_', '"mer_', '"rt_', '"alpha', '"USD"'];
    for (const secret of [...amounts, attemptId, ...inJson, PRIVATE_TEXT.description]) {
      assert.ok(!text.includes(secret), secret);
    }
    const clear = textOf(history, () => '');
    for (const secret of ['pm_', 'mer_', 'rt_', 'alpha', 'USD']) assert.ok(!clear.includes(secret), secret);
  });

  it('is read by clients and replayed with the keys', async () => {
    const details = await withTemporal([codec], (client) => readCurrentDetails(client.workflow.getHandle(paymentId)));
    assert.match(details, /76,?543\.21/);
    await Worker.runReplayHistory({ ...workflowSource(), dataConverter: { payloadCodecs: [codec] } }, history);
  });

  it('is shown in the Temporal UI by the codec server', async () => {
    const { temporalUi } = engine.stack.sandbox;
    const codecServer = `http://127.0.0.1:${engine.codecServerPort}`;
    const settings: unknown = await (await fetch(`${temporalUi}/api/v1/settings`)).json();
    assert.ok(JSON.stringify(settings).includes(codecServer));
    const decode = (origin: string): Promise<Response> =>
      fetch(`${codecServer}/decode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-namespace': 'default', origin },
        body: JSON.stringify({ payloads: payloadsIn(history) }),
      });
    const text = textOf(await (await decode(temporalUi)).json());
    for (const shown of [`"amountMinor":${AMOUNT}`, attemptId, 'TSP_']) assert.ok(text.includes(shown), shown);
    assert.equal((await decode('http://elsewhere.example')).status, 403);
  });
});
