import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { paymentRouteResource, paymentRouteSimulationResource } from '../../contract/schemas/payment-route.ts';
import {
  deletedProviderAccount,
  providerAccountResource,
  providerAccountTestResource,
} from '../../contract/schemas/provider-account.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { assertRefused, failureOf, intentOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { setFaults } from '../support/ledger.ts';
import { createAccount, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { type Client, clientOf, problemsOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import { postSimulatorWebhook, simulatorReport } from '../support/simulator-webhooks.ts';
import { queryStack } from '../support/stack-database.ts';
import { getDataDir } from '../support/stack.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

describe('accounts at providers', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;
  let send: Client;
  let apiKey: string;

  before(async () => {
    ({ apiKey } = (await provideSecrets(getDataDir())).simulators.alpha);
    merchant = await newMerchant();
    send = clientOf(merchant.credentials);
  });
  after(() => setFaults('alpha', {}));

  /** A merchant without routes. */
  async function newMerchant(): Promise<TestMerchant> {
    const made = await createMerchant();
    await removeRoutes(made);
    return made;
  }

  const removeRoutes = ({ merchantId }: TestMerchant) =>
    queryStack('DELETE FROM payment_route WHERE merchant_id = $1', [merchantId]);

  const create = async (credentials: object = { apiKey, webhookSecret: newSecret() }, ask = send) =>
    resourceOf(
      await ask('POST', '/provider-accounts', { kind: 'simulator', name: 'Main', credentials }),
      providerAccountResource,
      201,
    );
  const update = async (id: string, changes: object) =>
    resourceOf(await send('PATCH', `/provider-accounts/${id}`, changes), providerAccountResource);
  const rotate = (id: string, credentials: object) => send('POST', `/provider-accounts/${id}/rotate`, { credentials });
  const test = (id: string) => send('POST', `/provider-accounts/${id}/test`, {});
  const route = (provider: string, priority = 10, ask = send) =>
    ask('POST', '/payment-routes', { provider, paymentMethod: 'card', priority });

  /** A payment that the provider accepts without ever reporting an outcome. */
  const silentPayment = async (): Promise<Payment> => {
    const payment = await createPayment({}, merchant.credentials);
    await payment.confirm(card('silent'), PREFER_ASYNC);
    await eventually(async () => assert.equal((await payment.read()).attempts.length, 1));
    return payment;
  };
  const providersOf = async (payment: Payment) => (await payment.read()).attempts.map(({ provider }) => provider);

  it('are shown without their secrets, which no log has either', async () => {
    const secrets = [`only-in-the-vault-${randomUUID()}`, newSecret(), `replaced-by-${randomUUID()}`] as const;
    const [first, webhookSecret, second] = secrets;
    const created = await create({ apiKey: first, webhookSecret });
    const { id, createdAt: _created, updatedAt: _updated, credentialsUpdatedAt: _rotated, ...members } = created;
    assert.match(id, /^simulator_[0-9a-f]{32}$/);
    assert.deepEqual(members, {
      object: 'provider_account',
      merchantId: merchant.merchantAccountId,
      environment: 'sandbox',
      kind: 'simulator',
      name: 'Main',
      status: 'active',
      credentialNames: ['apiKey', 'webhookSecret'],
      publicCredentials: {},
      credentialsRefusedSince: null,
      createdBy: { type: 'api_key', id: merchant.apiKeyId },
      webhookPath: `/api/v1/providers/${id}/webhooks`,
      capabilities: {
        paymentMethods: ['card', 'upi', 'crypto'],
        captureMethods: ['automatic', 'manual'],
        partialCapture: true,
        providerTokens: true,
      },
    });
    const rotated = resourceOf(await rotate(id, { apiKey: second, webhookSecret }), providerAccountResource);
    assert.ok(rotated.credentialsUpdatedAt > created.credentialsUpdatedAt);
    const wrong = await rotate(id, { apiKey: second, webhookSecret: `${second}?`, more: second });
    assertRefused(wrong, 422, 'VALIDATION_ERROR');
    const misplaced = { kind: 'simulator', name: 'x', apiKey: second, credentials: { apiKey: first } };
    const refused = await send('POST', '/provider-accounts', misplaced);
    assert.ok(problemsOf(refused).includes('apiKey:unknown'));

    const listed = await send('GET', '/provider-accounts?kind=simulator&status=active');
    assert.deepEqual(
      resourcePageOf(listed, providerAccountResource).data.map((account) => account.id),
      [id],
    );
    const requestId = refused.headers.get('x-request-id') ?? '';
    const logged = await eventually(async () => {
      const answer = await send('GET', `/requests/${requestId}`);
      assert.equal(answer.status, 200);
      return answer;
    });
    const shown: unknown[] = [
      created,
      wrong.body,
      rotated,
      refused.body,
      logged.body,
      listed.body,
      (await send('GET', `/provider-accounts/${id}`)).body,
      (await send('GET', `/audit-events?resourceId=${id}`)).body,
      (await send('GET', '/requests?limit=100')).body,
      await queryStack('SELECT to_jsonb(p) AS row FROM provider_account p WHERE id = $1', [id]),
      await queryStack('SELECT request_body, response_body FROM request_log WHERE merchant_account_id = $1', [
        merchant.merchantAccountId,
      ]),
    ];
    const folder = path.join(getDataDir(), 'logs');
    for (const name of await readdir(folder)) shown.push(await readFile(path.join(folder, name), 'utf8'));
    const text = JSON.stringify(shown);
    assert.ok(text.includes('provider_account.credentials_rotated'));
    for (const secret of secrets) assert.ok(!text.includes(secret));
  });

  it('are tested with a request to the provider', async () => {
    const { id } = await create({ apiKey: 'mistyped', webhookSecret: newSecret() });
    const wrong = resourceOf(await test(id), providerAccountTestResource);
    assert.deepEqual([wrong.ok, wrong.providerAccountId], [false, id]);
    assert.match(wrong.reason ?? '', /API key/);
    await rotate(id, { apiKey, webhookSecret: newSecret() });
    const right = resourceOf(await test(id), providerAccountTestResource);
    assert.deepEqual([right.ok, right.reason], [true, null]);
    await setFaults('alpha', { errorRate: 1, operations: ['inquiries'] });
    assertRefused(await test(id), 502, 'TSP_ERROR');
    await setFaults('alpha', {});
  });

  it('refuse credentials that their kind does not have', async () => {
    const ask = (fields: object) => send('POST', '/provider-accounts', { kind: 'simulator', name: 'Main', ...fields });
    assert.deepEqual(problemsOf(await ask({ credentials: { apiKey, webhookSecret: 'whsec_short', more: 'x' } })), [
      'credentials.more:unknown',
      'credentials.webhookSecret:invalid',
    ]);
    const stripe = await ask({ kind: 'stripe', credentials: { secretKey: 'pk_test_x', webhookSecret: 'x' } });
    assert.match(failureOf(stripe).message, /\(sk_test_… .*\); got another text\. credentials\..*\(whsec_…\); got /);
    assert.deepEqual(problemsOf(await ask({ kind: 'nobody', credentials: {} })), ['kind:invalid']);
    assert.deepEqual(problemsOf(await ask({ credentials: { apiKey, webhookSecret: 7 } })), [
      'credentials.webhookSecret:type',
    ]);
  });

  it('show the credentials that are no secret, and are skipped for what their provider does not offer', async () => {
    const hmacKey = randomBytes(32).toString('hex');
    const credentials = { apiKey: randomUUID(), merchantAccount: 'LampsECOM', hmacKey };
    const made = await send('POST', '/provider-accounts', { kind: 'adyen', name: 'Cards', credentials });
    const { id, publicCredentials, credentialNames, capabilities } = resourceOf(made, providerAccountResource, 201);
    assert.match(id, /^adyen_/);
    assert.deepEqual(publicCredentials, { merchantAccount: 'LampsECOM' });
    assert.deepEqual(credentialNames, ['apiKey', 'hmacKey', 'merchantAccount']);
    assert.deepEqual(capabilities.paymentMethods, ['card']);
    await send('POST', '/payment-routes', { provider: id, paymentMethod: 'upi' });
    const plan = resourceOf(
      await send('POST', '/payment-routes/simulate', { amount: 1_000, currency: 'INR', paymentMethod: 'upi' }),
      paymentRouteSimulationResource,
    );
    assert.equal(plan.passedOver.find(({ provider }) => provider === id)?.reason, 'method_not_offered');
  });

  it('take payments and refunds, and webhooks at their own address, signed with the secret that is set', async () => {
    const [earlier, later] = [newSecret(), newSecret()];
    const { id } = await create({ apiKey, webhookSecret: earlier });
    const { id: routeId } = resourceOf(await route(id), paymentRouteResource, 201);

    const paid = await createPayment({}, merchant.credentials);
    assert.equal(intentOf(await paid.confirm(card('approved'))).status, 'succeeded');
    assert.deepEqual(await providersOf(paid), [id]);
    const refund = await send('POST', '/refunds', { paymentIntentId: paid.id });
    assert.equal(refund.status, 201, JSON.stringify(refund.body));
    await eventually(async () => assert.equal((await paid.read()).amountRefunded, paid.created.amount));

    const silent = await silentPayment();
    const event = { id: `of_${silent.id}`, payment: simulatorReport(silent, 'captured') };
    const foreign = { id: `foreign_${silent.id}`, payment: { ...event.payment, reference: 'order-42' } };
    const leaked = { credentials: { apiKey, webhookSecret: later }, overlapSeconds: 0 };
    await send('POST', `/provider-accounts/${id}/rotate`, leaked);
    assert.equal((await postSimulatorWebhook(event, { provider: id, secret: earlier })).status, 401);
    const nothing = await postSimulatorWebhook(foreign, { provider: id, secret: later });
    assert.deepEqual([nothing.status, nothing.text], [200, '{"success":true,"data":{"received":true}}']);
    assert.equal((await silent.read()).status, 'processing');
    assert.equal((await postSimulatorWebhook(event, { provider: id, secret: later })).status, 200);
    await silent.reach('succeeded');
    await send('DELETE', `/payment-routes/${routeId}`);
  });

  it('take no new payments while they are disabled, and complete those that are under way', async () => {
    const webhookSecret = newSecret();
    const { id } = await create({ apiKey, webhookSecret });
    await route(id, 1);
    await route('beta', 2);
    const open = await silentPayment();
    assert.equal((await update(id, { status: 'disabled' })).status, 'disabled');
    const passed = await createPayment({}, merchant.credentials);
    await passed.confirm(card('approved'));
    await passed.reach('succeeded');
    assert.deepEqual([await providersOf(open), await providersOf(passed)], [[id], ['beta']]);
    const event = { id: `of_${open.id}`, payment: simulatorReport(open, 'captured') };
    assert.equal((await postSimulatorWebhook(event, { provider: id, secret: webhookSecret })).status, 200);
    await open.reach('succeeded');
    const reasonNow = async () => {
      const payment = { amount: 1_000, currency: 'USD', paymentMethod: 'card' };
      const plan = resourceOf(await send('POST', '/payment-routes/simulate', payment), paymentRouteSimulationResource);
      return plan.passedOver.find(({ provider }) => provider === id)?.reason;
    };
    assert.equal(await reasonNow(), 'provider_account_disabled');
    await update(id, { status: 'active', name: 'Again' });
    assert.equal(await reasonNow(), undefined);
  });

  it('are deleted with their credentials, once nothing needs them, and old attempts still name them', async () => {
    const webhookSecret = newSecret();
    const { id } = await create({ apiKey, webhookSecret });
    const remove = () => send('DELETE', `/provider-accounts/${id}`, {});
    await removeRoutes(merchant);
    const { id: routeId } = resourceOf(await route(id, 1), paymentRouteResource, 201);
    const [paid, open] = [await createPayment({}, merchant.credentials), await silentPayment()];
    await paid.confirm(card('approved'));
    await paid.reach('succeeded');
    assertRefused(await remove(), 409, 'STATE_CONFLICT');
    await send('DELETE', `/payment-routes/${routeId}`);
    const busy = await remove();
    assertRefused(busy, 409, 'STATE_CONFLICT');
    assert.match(JSON.stringify(busy.body), /under way/);
    const event = { id: `of_${open.id}`, payment: simulatorReport(open, 'captured') };
    assert.equal((await postSimulatorWebhook(event, { provider: id, secret: webhookSecret })).status, 200);
    await open.reach('succeeded');
    const deleted = await remove();
    assert.equal(resourceOf(deleted, deletedProviderAccount).id, id);
    for (const answer of [await remove(), await send('GET', `/provider-accounts/${id}`), await test(id)]) {
      assertRefused(answer, 404, 'RESOURCE_NOT_FOUND');
    }
    assert.deepEqual([await providersOf(paid), await providersOf(open)], [[id], [id]]);
    assertRefused(await send('POST', '/refunds', { paymentIntentId: paid.id }), 409, 'REFUND_NOT_ALLOWED');
    assert.equal((await postSimulatorWebhook(event, { provider: id, secret: webhookSecret })).status, 404);
    const audited = await send('GET', `/audit-events?resourceId=${id}&action=provider_account.deleted`);
    const text = JSON.stringify(audited.body);
    assert.ok(text.includes('"action":"provider_account.deleted"') && !text.includes(webhookSecret), text);
  });

  it('are named by routes of their own merchant account alone', async () => {
    const { id } = await create();
    const own = resourceOf(await route(id), paymentRouteResource, 201);
    const sibling = clientOf((await createAccount(merchant.merchantId)).credentials);
    for (const ask of [clientOf((await newMerchant()).credentials), sibling]) {
      const answer = await route(id, 10, ask);
      assert.deepEqual(problemsOf(answer), ['provider:invalid']);
      assert.ok(!JSON.stringify(answer.body).includes(id));
    }
    const changed = await sibling('PATCH', `/payment-routes/${own.id}`, { priority: 20 });
    assert.equal(resourceOf(changed, paymentRouteResource).priority, 20);
    const payment = { amount: 1_000, currency: 'USD', paymentMethod: 'card' };
    const plan = resourceOf(await sibling('POST', '/payment-routes/simulate', payment), paymentRouteSimulationResource);
    assert.equal(plan.passedOver.find(({ routeId }) => routeId === own.id)?.reason, 'other_merchant_account');
  });
});
