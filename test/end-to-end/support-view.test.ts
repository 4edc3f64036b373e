import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { auditEventResource } from '../../contract/schemas/audit-event.ts';
import { providerHealthResource } from '../../contract/schemas/provider-health.ts';
import { SUPPORT_SCOPE } from '../../domain/scopes.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { SUPPORT_VIEWS } from '../../sandbox/stack/support-views.ts';
import { askProviderNowUpdate } from '../../protocol/messages.ts';
import { readCurrentDetails } from '../support/current-details.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, type Payment } from '../support/payments.ts';
import { PRIVATE_TEXT } from '../support/private-text.ts';
import { clientOf } from '../support/resources.ts';
import { card, upi } from '../../sandbox/test-payment-methods.ts';
import { findWorkflows, withTemporal } from '../support/temporal-view.ts';

const audited = z.object({ data: z.array(auditEventResource) });
const identified = z.object({ data: z.object({ id: z.string() }) });
const linked = z.object({ data: z.object({ workflowUrl: z.string() }) });
const health = z.object({ data: providerHealthResource });

describe('support staff in the Temporal UI', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;
  let customerId: string;
  let paid: Payment;
  let declined: Payment;
  let waiting: Payment;
  let refused: Payment;

  before('make distinguishable payments', async () => {
    merchant = await createMerchant();
    const { credentials } = merchant;
    const customer = await clientOf(credentials)('POST', '/customers', { name: 'Zaphira' });
    customerId = identified.parse(customer.body).data.id;
    paid = await createPayment({ amount: 4_711, currency: 'GBP', country: 'GB', customerId }, credentials);
    declined = await createPayment({ amount: 4_712, currency: 'EUR', country: 'FR' }, credentials);
    waiting = await createPayment({ amount: 4_713, currency: 'INR', country: 'IN' }, credentials);
    refused = await createPayment({ amount: 4_714, currency: 'USD', country: 'AQ' }, credentials);
    await paid.confirm(card('failover'));
    await paid.reach('succeeded');
    await declined.confirm(card('insufficientFunds'));
    await waiting.confirm(upi('expire'));
    await refused.confirm(card('approved'));
  });

  for (const [query, expected] of [
    ['PaymentStatus = "succeeded"', () => [paid]],
    ['PaymentStatus = "requires_action"', () => [waiting]],
    ['PaymentStatus = "requires_payment_method"', () => [declined, refused]],
    ['PaymentProvider = "beta"', () => [paid]],
    ['PaymentProvider = "alpha"', () => [declined, waiting]],
    ['PaymentErrorCode = "INSUFFICIENT_FUNDS"', () => [declined]],
    ['PaymentCurrency = "GBP"', () => [paid]],
    ['PaymentCountry IN ("FR", "IN")', () => [declined, waiting]],
    ['PaymentAmountMinor BETWEEN 4712 AND 4713', () => [declined, waiting]],
    ['PaymentEnvironment = "sandbox"', () => [paid, declined, waiting, refused]],
    ['ExecutionStatus = "Running"', () => [declined, waiting, refused]],
    ['PaymentCardLast4 = "0119"', () => [paid]],
    ['PaymentFailedAttempts = "alpha"', () => [paid]],
    ['PaymentFailedAttempts = "alpha:INSUFFICIENT_FUNDS"', () => [declined]],
  ] satisfies [string, () => Payment[]][]) {
    it(`find payments of a merchant account by ${query}`, async () => {
      const ids = expected().map(({ id }) => id);
      await eventually(async () => {
        const whole = `MerchantAccount = "${merchant.merchantAccountId}" AND ${query}`;
        assert.deepEqual((await withTemporal((client) => findWorkflows(client, whole))).sort(), ids.sort());
      });
    });
  }

  it('find payments by their customer', async () => {
    const query = `PaymentCustomer = "${customerId}"`;
    await eventually(async () => {
      assert.deepEqual(await withTemporal((client) => findWorkflows(client, query)), [paid.id]);
    });
  });

  for (const { name, query } of SUPPORT_VIEWS) {
    it(`have a view: ${name}`, () => withTemporal(async (client) => void (await client.workflow.count(query))));
  }

  it('ask the provider from the UI, which the audit log shows to the merchant', async () => {
    const { answer } = await withTemporal((client) =>
      client.workflow.getHandle(waiting.id).executeUpdate(askProviderNowUpdate, { args: [{ by: 'Support' }] }),
    );
    assert.match(answer, /^alpha answers: /);
    const { body } = await clientOf(merchant.credentials)('GET', `/audit-events?resourceId=${waiting.id}`);
    const [entry] = audited.parse(body).data;
    assert.deepEqual([entry?.action, entry?.actor.id], ['payment_intent.provider_asked', 'Support']);
  });

  it('get the address of a workflow and the health of providers from the API', async () => {
    const scopes = ['payment-intents:read', 'provider-health:read', SUPPORT_SCOPE];
    const send = clientOf((await createKey(merchant, 'sandbox', { scopes })).credentials);
    const { data: intent } = linked.parse((await send('GET', `/payment-intents/${paid.id}`)).body);
    assert.match(intent.workflowUrl, new RegExp(`^http.*/namespaces/default/workflows/${paid.id}$`));
    const { data: alpha } = health.parse((await send('GET', '/provider-health/alpha')).body);
    assert.deepEqual([alpha.attempts, alpha.approved, alpha.unanswered], [2, 0, 1]);
    assert.equal(alpha.successRate, 0);
  });

  it('find a payment by the id of its intent', async () => {
    const found = await withTemporal((client) => findWorkflows(client, `WorkflowId = "${paid.id}"`));
    assert.deepEqual(found, [paid.id]);
  });

  it('read in the summary what a payment is', async () => {
    const summary = await withTemporal(async (client) => {
      const description = await client.workflow.getHandle(paid.id).describe();
      return description.staticSummary();
    });
    assert.equal(summary, `Payment of GBP 47.11 for ${merchant.merchantAccountId}`);
  });

  const detailsOf = ({ id }: Pick<Payment, 'id'>): Promise<string> =>
    withTemporal((client) => readCurrentDetails(client.workflow.getHandle(id)));

  it('read in the current details the attempts and their outcomes', async () => {
    const details = await detailsOf(paid);
    assert.match(details, /^\*\*GBP 47\.11\*\* is `succeeded` since /);
    assert.match(details, /^- Decided last: .*GBP 47\.11 captured at beta\.$/m);
    assert.match(details, /^- Waits for: nothing; the payment is complete\.$/m);
    assert.match(details, /^- Attempt 1 at alpha, card ending in 0119: not charged, `TSP_ERROR`, 4 tries\.$/m);
    assert.match(
      details,
      /^- Attempt 2 at beta, card ending in 0119: approved, 1 try, beta's payment `sim_[0-9a-f]+`\.$/m,
    );
  });

  it('read in the current details what a payment waits for, and why the last confirm failed', async () => {
    assert.match(await detailsOf(waiting), /^- Waits for: the customer to act at the provider, or the expiry\.$/m);
    assert.match(await detailsOf(declined), /^- Last error: `INSUFFICIENT_FUNDS` at /m);
  });

  it('read in the current details of a refund its payment, and where the other refunds of the payment are', async () => {
    const refund = await clientOf(merchant.credentials)('POST', '/refunds', { paymentIntentId: paid.id, amount: 11 });
    const details = await detailsOf(identified.parse(refund.body).data);
    assert.ok(details.includes(`of the payment [${paid.id}](namespaces/default/workflows/${paid.id})`), details);
    const [, href = ''] = /\[refunds\]\(([^)]+)\)/.exec(details) ?? [];
    const query = new URL(href, 'http://temporal.test').searchParams.get('query') ?? '';
    await eventually(async () => {
      const found = await withTemporal((client) => findWorkflows(client, query));
      assert.deepEqual(found, [identified.parse(refund.body).data.id]);
    });
  });

  it('read a summary on every activity and timer', async () => {
    const summaries = await withTemporal(async (client) => {
      const { events = [] } = await client.workflow.getHandle(paid.id).fetchHistory();
      return (events ?? [])
        .filter((event) => event.activityTaskScheduledEventAttributes ?? event.timerStartedEventAttributes)
        .map((event) => Buffer.from(event.userMetadata?.summary?.data ?? []).toString());
    });
    assert.ok(summaries.length >= 4, summaries.join());
    assert.ok(summaries.includes('"Pay through beta, attempt 2"'), summaries.join());
    assert.ok(!summaries.includes(''), summaries.join());
  });

  it('see no data that the merchant or the customer keeps private', async () => {
    const everything = (await Promise.all([paid, declined, waiting, refused].map(detailsOf))).join('\n');
    for (const text of [PRIVATE_TEXT.description, PRIVATE_TEXT.metadata.note, '@upi']) {
      assert.ok(!everything.includes(text), text);
    }
    // The first digits of the cards; ids may contain them too.
    assert.doesNotMatch(everything, /(?<![0-9a-f_])4000/);
  });
});
