import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PayloadCodec } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import type { TemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { createClient } from '../../sdk/server/index.ts';
import { parseKeyring } from '../../vault/keyring.ts';
import { createPayloadCodec } from '../../vault/payload-codec.ts';
import { traceSinks } from '../../worker/trace-activities.ts';
import { workflowSource } from '../../worker/workflow-source.ts';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import { readCurrentDetails } from '../support/current-details.ts';
import { asCreatedIntent, asIntent } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { PRIVATE_TEXT } from '../support/private-text.ts';
import { silenceRuntime } from '../support/silence-runtime.ts';
import { startTestStack } from '../support/stack.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const AMOUNT = 7_654_321;
const SERVER = 2;
const CLIENT = 3;
const KEYS = `k1:${Buffer.alloc(32, 9).toString('base64')}`;

const logLineSchema = z.looseObject({
  msg: z.string().optional(),
  path: z.string().optional(),
  trace_id: z.string().optional(),
  paymentIntentId: z.string().optional(),
});

const payloadSchema = z.object({ metadata: z.looseObject({ encoding: z.string() }), data: z.string().optional() });
type JsonPayload = z.output<typeof payloadSchema>;

/** All payloads in a history, besides search attributes, the headers of traces, and what the SDK itself notes in markers. */
function payloadsIn(value: unknown): JsonPayload[] {
  const payload = payloadSchema.safeParse(value);
  if (payload.success) return [payload.data];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => (isClear(name) ? [] : payloadsIn(field)));
}

function isClear(name: string): boolean {
  return ['searchAttributes', 'header', 'markerRecordedEventAttributes'].includes(name);
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

/** One engine for both: the payment in a trace comes first, because its spans are found by their names alone. */
describe('an engine with traces and encrypted payloads', function () {
  this.timeout(5 * MINUTE_MS);
  const codec = createPayloadCodec(parseKeyring(KEYS), { encrypts: true });
  let engine: TemporaryStack;
  let collector: OtlpReceiver;
  let merchant: WebhookReceiver;

  before('start the engine with a collector', async () => {
    silenceRuntime();
    [collector, merchant] = await Promise.all([startOtlpReceiver(), startReceiver()]);
    engine = await startTestStack({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
      TEMPORAL_ENCRYPT_PAYLOADS: 'true',
      VAULT_KEYS: KEYS,
      LOG_LEVEL: 'info',
      // The first call must not time out, even on a busy machine.
      PROVIDER_TIMEOUT_MS: '50000',
    });
  });
  after(async () => {
    await engine?.end();
    await Promise.all([collector?.close(), merchant?.close()]);
  });

  describe('a payment in a trace', () => {
    let paymentId: string;

    before('pay and refund', async () => {
      const { paymentIntents, refunds, webhookEndpoints } = createClient(engine.stack.sandbox);
      await webhookEndpoints.create({ url: merchant.url, enabledEvents: ['*'] });
      paymentId = asCreatedIntent(
        await paymentIntents.create({ amount: AMOUNT, currency: 'USD', country: 'DE', ...PRIVATE_TEXT }),
      ).id;
      await paymentIntents.confirm(paymentId, { paymentMethod: card('approved') });
      await eventually(async () => assert.equal(asIntent(await paymentIntents.get(paymentId)).status, 'succeeded'));
      await refunds.create({ paymentIntentId: paymentId, amount: 100 });
    });

    const root = (name: string): Promise<ReceivedSpan> =>
      eventually(async () =>
        found(collector.spans.find((span) => span.name === name && span.parentSpanId === undefined)),
      );

    /** The spans below another one; at once those that have arrived. */
    const below = ({ traceId, spanId }: ReceivedSpan): readonly ReceivedSpan[] =>
      collector.spans.filter((span) => span.traceId === traceId && span.parentSpanId === spanId);

    /** Follows names down the tree; a span of a later process may arrive later. */
    const follow = (from: ReceivedSpan, ...names: readonly (string | RegExp)[]): Promise<ReceivedSpan> =>
      eventually(async () =>
        names.reduce<ReceivedSpan>(
          (at, name) =>
            found(
              below(at).find((span) => (typeof name === 'string' ? span.name === name : name.test(span.name))),
              `${String(name)} below ${at.name}, which has ${below(at)
                .map((span) => span.name)
                .join(', ')}`,
            ),
          from,
        ),
      );

    it('is one tree from the request through workflow and activity to SQL and provider', async () => {
      const request = await root('POST /api/v1/payment-intents/{id}/confirm');
      assert.equal(request.kind, SERVER);
      assert.equal(request.service, 'payment-engine-api');
      assert.equal(request.attributes['paymentIntentId'], paymentId);
      assert.match(request.attributes['merchantAccountId'] ?? '', /^mer_/);
      assert.equal(request.attributes['http.response.status_code'], '200');

      const workflow = await follow(request, 'send confirm', 'update confirm');
      assert.equal(workflow.service, 'payment-engine-worker');
      assert.equal(workflow.attributes['temporal.workflow.id'], paymentId);
      await follow(workflow, 'planPayment', /^SELECT/);

      const activity = await follow(workflow, 'authorizePayment');
      const statement = await follow(activity, /^(?:WITH|UPDATE|INSERT|SELECT)/);
      assert.equal(statement.attributes['db.system.name'], 'postgresql');
      const call = await follow(activity, 'provider authorize');
      assert.equal(call.attributes['provider'], 'alpha');
      const http = await follow(call, /^POST 127\.0\.0\.1/);
      assert.deepEqual([http.kind, http.attributes['http.response.status_code']], [CLIENT, '201']);
      await follow(request, /^SELECT/);
    });

    it('has its refund and its webhooks in traces of their own', async () => {
      const request = await root('POST /api/v1/refunds');
      await follow(request, 'start refundWorkflow', 'refundWorkflow', 'refundPayment', 'provider refund', /^POST/);
      const delivery = await root('start webhookDeliveryWorkflow');
      await follow(delivery, 'webhookDeliveryWorkflow', /attempt/i, 'POST webhook');
    });

    it('leaves no secrets, card data and personal data in traces, and no values of statements', async () => {
      await root('POST /api/v1/refunds');
      const { apiKey, secretSalt } = engine.stack.sandbox;
      const { number, cvc } = z
        .object({ card: z.object({ number: z.string(), cvc: z.string() }) })
        .parse(card('approved')).card;
      assert.ok(cvc.length > 0);
      const text = collector.text();
      const values = [String(AMOUNT), PRIVATE_TEXT.description, PRIVATE_TEXT.metadata.note];
      for (const secret of [apiKey, secretSalt, number, `${paymentId}_secret_`, 'whsec_', ...values]) {
        assert.ok(!text.includes(secret), secret);
      }
      const statements = collector.spans.flatMap((span) => span.attributes['db.query.text'] ?? []);
      assert.ok(statements.length > 10);
      assert.ok(statements.some((statement) => statement.includes('$1')));
    });

    it('names its trace, its intent and its account in the log', async () => {
      const request = await root('POST /api/v1/payment-intents/{id}/confirm');
      const log = await readFile(path.join(engine.dataDir, 'logs', 'api.log'), 'utf8');
      const lines = log
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => logLineSchema.parse(JSON.parse(line)));
      const line = found(lines.find(({ msg, path: at }) => msg === 'request' && at?.endsWith('/confirm')));
      assert.equal(line.trace_id, request.traceId);
      assert.equal(line.paymentIntentId, paymentId);
      assert.match(String(line['merchantAccountId']), /^mer_/);
      const creation = found(lines.find(({ msg, path: at }) => msg === 'request' && at === '/api/v1/payment-intents'));
      assert.equal(creation.paymentIntentId, paymentId, 'also where the request made it');
    });

    it('replays with the headers of its trace and without them', async () => {
      const client = createTemporalClient({ address: engine.stack.sandbox.temporalAddress, namespace: 'default' }, [
        codec,
      ]);
      try {
        const handle = client.workflow.getHandle(paymentId);
        await eventually(async () => assert.equal((await handle.describe()).status.name, 'COMPLETED'));
        const json = historyToJSON(await handle.fetchHistory());
        assert.ok(json.includes('_tracer-data'));
        const source = { ...workflowSource(), sinks: traceSinks, dataConverter: { payloadCodecs: [codec] } };
        const history = (text: string): object => z.looseObject({}).parse(JSON.parse(text));
        await Worker.runReplayHistory(source, history(json));
        await Worker.runReplayHistory(source, history(json.replaceAll('_tracer-data', 'another-header')));
      } finally {
        await client.connection.close();
      }
    });
  });

  describe('a payment whose payloads are encrypted', () => {
    let paymentId: string;
    let attemptId: string;
    let history: object;

    before('pay, with an outage on the way', async () => {
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
      await Worker.runReplayHistory(
        { ...workflowSource(), sinks: traceSinks, dataConverter: { payloadCodecs: [codec] } },
        history,
      );
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
});

function found<Value>(value: Value | undefined, what = 'the span'): Value {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}
