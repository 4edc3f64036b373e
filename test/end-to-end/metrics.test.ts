import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { startGatewayProcess } from '../support/api-process.ts';
import { eventually } from '../support/eventually.ts';
import { endpointWithSecret } from '../support/responses-with-secrets.ts';
import { createMerchant } from '../support/merchants.ts';
import { readMetrics, type Sample, sumOf } from '../support/metrics.ts';
import { postRefund } from '../support/money.ts';
import { EXPRESSIONS } from '../support/monitoring.ts';
import { createPayment } from '../support/payments.ts';
import { matches, type Selector, selectorsOf } from '../support/promql.ts';
import { clientOf, resourceOf } from '../support/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { getStack, getWorkerUrl } from '../support/stack.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** What Prometheus adds itself. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };
/** Labels whose values do not depend on what has happened: a matcher that fits none of them is a mistake. */
const KNOWN_VALUES = ['alert', 'backlog', 'endpoint', 'operation', 'task_queue'];

describe('metrics', function () {
  this.timeout(2 * MINUTE_MS);
  let gateway: ServerProcess;
  let receiver: WebhookReceiver;
  before(async () => {
    [gateway, receiver] = await Promise.all([startGatewayProcess(), startReceiver()]);
  });
  after(async () => {
    await gateway?.stop();
    await receiver?.close();
  });

  const apiUrl = (): string => getStack().sandbox.baseUrl;
  const readAll = async (): Promise<readonly Sample[]> =>
    (await Promise.all([apiUrl(), getWorkerUrl(), gateway.baseUrl].map(readMetrics))).flat();

  it('count a payment, a decline, a refund and their webhooks, where they are recorded', async () => {
    const { credentials } = await createMerchant();
    const send = clientOf(credentials);
    resourceOf(await send('POST', '/webhook-endpoints', { url: receiver.url }), endpointWithSecret, 201);
    const before = await readAll();
    const payment = await createPayment({}, credentials);
    await payment.confirm(card('approved'));
    await payment.reach('succeeded');
    await (await createPayment({}, credentials)).confirm(card('declined'));
    assert.equal((await postRefund({ paymentIntentId: payment.id }, { credentials })).status, 201);
    await receiver.find(({ event }) => event.type === 'refund.succeeded');

    const attempt = { environment: 'sandbox', provider: 'alpha', method: 'card' };
    const counted: readonly (readonly [name: string, labels: Sample['labels']])[] = [
      ['payment_engine_payment_attempts_total', { ...attempt, outcome: 'approved', code: 'none' }],
      ['payment_engine_payment_attempts_total', { ...attempt, outcome: 'declined', code: 'CARD_DECLINED' }],
      ['payment_engine_payment_status_changes_total', { environment: 'sandbox', status: 'succeeded' }],
      ['payment_engine_payment_attempt_tries_sum', { provider: 'alpha' }],
      ['payment_engine_refunds_total', { environment: 'sandbox', provider: 'alpha', status: 'succeeded' }],
      [
        'payment_engine_provider_call_duration_seconds_count',
        { provider: 'alpha', operation: 'authorize', result: 'answered' },
      ],
      ['payment_engine_webhook_attempt_duration_seconds_count', { environment: 'sandbox', result: 'delivered' }],
      [
        'payment_engine_http_requests_total',
        { method: 'POST', endpoint: '/payment-intents/{id}/confirm', status: '400', code: 'CARD_DECLINED' },
      ],
      ['payment_engine_http_request_duration_seconds_count', { endpoint: '/refunds' }],
    ];
    await eventually(async () => {
      const now = await readAll();
      for (const [name, labels] of counted) {
        const increase = sumOf(now, name, labels) - sumOf(before, name, labels);
        assert.ok(increase > 0, `${name} ${JSON.stringify(labels)} has increased`);
      }
    });
  });

  it('have every name and label that the dashboard and the alert rules use', async () => {
    const samples = await eventually(async () => {
      const now = await readAll();
      assert.ok(sumOf(now, 'payment_engine_backlog_read_timestamp_seconds') > 0, 'the backlogs were read');
      return now;
    });
    const problems = EXPRESSIONS.flatMap(({ place, query }) =>
      selectorsOf(query).flatMap((selector) => problemsOf(selector, samples).map((problem) => `${place}: ${problem}`)),
    );
    assert.deepEqual(problems, []);
  });

  it('are not shown through a proxy', async () => {
    for (const baseUrl of [apiUrl(), getWorkerUrl(), gateway.baseUrl]) {
      const response = await fetch(`${baseUrl}/metrics`, { headers: { 'X-Forwarded-For': '127.0.0.1' } });
      // Other tests may have used up what strangers may ask.
      assert.ok([404, 429].includes(response.status), `${baseUrl}: ${response.status}`);
      assert.doesNotMatch(await response.text(), /payment_engine/);
    }
  });

  it('come with probes of the worker', async () => {
    const statusOf = async (path: string) => (await fetch(`${getWorkerUrl()}${path}`)).status;
    assert.deepEqual(await Promise.all(['/healthz', '/readyz', '/'].map(statusOf)), [200, 200, 404]);
  });

  function problemsOf({ metric, matchers, grouping }: Selector, samples: readonly Sample[]): readonly string[] {
    if (OF_PROMETHEUS.metrics.includes(metric)) return [];
    const found = samples.filter(({ name }) => name === metric);
    if (found.length === 0) return [`there is no ${metric}`];
    const labels = [...matchers.map(({ label }) => label), ...grouping];
    const unknown = labels.filter(
      (label) => !OF_PROMETHEUS.labels.includes(label) && !found.some((sample) => label in sample.labels),
    );
    const unmatched = matchers.filter(
      (matcher) => KNOWN_VALUES.includes(matcher.label) && !found.some((sample) => matches(sample, matcher)),
    );
    return [
      ...unknown.map((label) => `${metric} has no label ${label}`),
      ...unmatched.map(({ label, operator, value }) => `no ${metric} has ${label}${operator}"${value}"`),
    ];
  }
});
