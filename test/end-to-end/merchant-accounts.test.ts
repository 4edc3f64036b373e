import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { createdPaymentIntentResource } from '../../contract/schemas/payment-intent-resource.ts';
import { merchantAccountResource } from '../../contract/schemas/merchant-account.ts';
import { paymentLinkResource } from '../../contract/schemas/payment-link.ts';
import { MAXIMUM_ACCOUNTS } from '../../accounts/merchants/write.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { assertRefused } from '../support/envelopes.ts';
import { credentialsOf, keyWithSecrets } from '../support/responses-with-secrets.ts';
import { createAccount, createMerchant, useMerchant } from '../support/merchants.ts';
import { clientOf, problemsOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import { pngOf } from '../support/png.ts';
import { queryStack } from '../support/stack-database.ts';

const NO_PROFILE = {
  name: null,
  color: null,
  logoPath: null,
  supportEmail: null,
  supportPhone: null,
  supportUrl: null,
  termsUrl: null,
  returnUrl: null,
};

describe('merchant accounts', function () {
  this.timeout(MINUTE_MS);
  const { merchant, send } = useMerchant();

  const create = async (fields: object) =>
    resourceOf(await send('POST', '/merchants', fields), merchantAccountResource, 201);
  const read = async (id: string) => resourceOf(await send('GET', `/merchants/${id}`), merchantAccountResource);
  const act = (id: string, action: 'suspend' | 'activate') => send('POST', `/merchants/${id}/${action}`, {});

  it('are created, and can be selected by X-Merchant-ID from then on', async () => {
    const account = await create({ name: 'Shop two' });
    assert.match(account.id, /^mer_[0-9a-f]{32}$/);
    const { id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = account;
    assert.deepEqual(fields, {
      object: 'merchant_account',
      environment: 'sandbox',
      name: 'Shop two',
      status: 'active',
      suspendedBy: null,
      retryBudget: 5,
      refundWindowDays: 180,
      refundConfirmationAmount: null,
      requireIdempotencyKeys: false,
      declineRetries: { enabled: false, maxRetries: 1, issuerDeclines: false },
      businessProfile: { ...NO_PROFILE },
    });
    assert.deepEqual(await read(id), account);
    const intent = await send('POST', '/payment-intents', { amount: 1_000, currency: 'USD' }, { 'X-Merchant-ID': id });
    assert.equal(intent.status, 201);
    const { data, pagination } = resourcePageOf(await send('GET', '/merchants'), merchantAccountResource);
    assert.equal(data[0]?.id, id);
    assert.ok(data.some((one) => one.id === merchant.merchantAccountId));
    assert.equal(pagination.total, data.length);
  });

  it('have confirms ask another provider after a decline where they say so', async () => {
    const { id } = await create({ name: 'Shop four', declineRetries: { enabled: true, issuerDeclines: true } });
    for (const [priority, provider] of ['alpha', 'beta'].entries()) {
      const route = await send('POST', '/payment-routes', { provider, paymentMethod: 'card', priority });
      assert.equal(route.status, 201, JSON.stringify(route.body));
    }
    const pay = async (
      amount: number,
      { number = '4000000000004954', ...others }: { number?: string; metadata?: object; returnUrl?: string } = {},
    ) => {
      const details = {
        number,
        expiryMonth: 12,
        expiryYear: new Date().getFullYear() + 2,
        cvc: '123',
      };
      const paymentMethod = { type: 'card', card: details };
      const body = { amount, currency: 'USD', confirm: true, paymentMethod, ...others };
      return send('POST', '/payment-intents', body, { 'X-Merchant-ID': id });
    };
    const { attempts } = resourceOf(await pay(1_001), createdPaymentIntentResource, 201);
    assert.deepEqual(
      attempts.map(({ provider, outcome, advice, networkCode }) => [provider, outcome, advice, networkCode]),
      [
        ['alpha', 'declined', 'elsewhere', '05'],
        ['beta', 'approved', null, null],
      ],
    );
    await send('PATCH', `/merchants/${id}`, { declineRetries: { issuerDeclines: false } });
    const declined = await pay(1_002);
    assert.equal(declined.status, 400);
    assert.match(JSON.stringify(declined.body), /PAYMENT_DECLINED.*"advice":"elsewhere"/);
    const technical = await pay(1_003, {
      number: '4242424242424242',
      metadata: { scenario: 'processing_error_alpha' },
    });
    assert.deepEqual(
      resourceOf(technical, createdPaymentIntentResource, 201).attempts.map(({ provider, outcome }) => [
        provider,
        outcome,
      ]),
      [
        ['alpha', 'declined'],
        ['beta', 'approved'],
      ],
    );
    const soft = { number: '4000000000003188' };
    const demanded = await pay(1_004, { ...soft, returnUrl: 'https://shop.example/return' });
    const challenged = resourceOf(demanded, createdPaymentIntentResource, 201);
    assert.deepEqual(
      [challenged.status, ...challenged.attempts.map(({ provider, advice }) => `${provider} ${advice}`)],
      ['requires_action', 'alpha authenticate', 'alpha null'],
    );
    assert.equal(challenged.nextAction?.type, 'redirect');
    assert.match(JSON.stringify((await pay(1_005, soft)).body), /CARD_DECLINED.*"advice":"authenticate"/);
  });

  it('are updated, and give new payments their retry budget', async () => {
    const { id } = await create({ name: 'Shop three', retryBudget: 20, refundWindowDays: 0 });
    const changes = {
      name: 'Shop 3',
      retryBudget: 1,
      refundWindowDays: 3_650,
      declineRetries: { enabled: true, maxRetries: 3, issuerDeclines: true },
    };
    const changed = resourceOf(await send('PATCH', `/merchants/${id}`, changes), merchantAccountResource);
    assert.deepEqual({ ...changed, ...changes }, changed);
    assert.deepEqual(await read(id), changed);
    const headers = { 'X-Merchant-ID': id };
    assert.equal((await send('POST', '/payment-intents', { amount: 1_000, currency: 'USD' }, headers)).status, 201);
    const budgets = await queryStack<{ attempt_budget: number }>(
      'SELECT attempt_budget FROM payment_intent WHERE merchant_account_id = $1',
      [id],
    );
    assert.deepEqual(budgets, [{ attempt_budget: 1 }]);
  });

  it('are rejected with every field error, and stay unchanged', async () => {
    const wrong = { name: 'x'.repeat(256), retryBudget: 0, refundWindowDays: 3_651, status: 'active' };
    const problems = ['name:too_long', 'refundWindowDays:max', 'retryBudget:min', 'status:unknown'];
    const { id } = await create({ name: 'Shop four' });
    for (const answer of [await send('POST', '/merchants', wrong), await send('PATCH', `/merchants/${id}`, wrong)]) {
      assertRefused(answer, 422, 'VALIDATION_ERROR');
      assert.deepEqual(problemsOf(answer), problems);
    }
    assertRefused(await send('POST', '/merchants', {}), 400, 'INVALID_REQUEST');
    assert.equal((await read(id)).name, 'Shop four');
  });

  it('tell customers their public name, contacts and logo, and never their own name', async () => {
    const owner = await createMerchant();
    const ask = clientOf(owner.credentials);
    const path = `/merchants/${owner.merchantAccountId}`;
    const change = async (businessProfile: object) =>
      resourceOf(await ask('PATCH', path, { businessProfile }), merchantAccountResource).businessProfile;
    const link = resourceOf(
      await ask('POST', '/payment-links', { amount: 1_000, currency: 'EUR' }),
      paymentLinkResource,
      201,
    );
    const shown = async () => {
      const state = await (await fetch(`${link.url}/state`)).json();
      return z.object({ data: z.looseObject({ merchantName: z.string(), profile: z.looseObject({}) }) }).parse(state)
        .data;
    };
    assert.equal((await shown()).merchantName, 'Merchant of a test');

    const contacts = {
      name: 'Lamps of Berlin',
      color: '#1d4f91',
      supportEmail: 'help@shop.example',
      supportPhone: '+49 30 901820',
      supportUrl: 'https://shop.example/help',
      termsUrl: 'https://shop.example/terms',
      returnUrl: 'https://shop.example/',
    };
    assert.deepEqual(await change(contacts), { ...contacts, logoPath: null });
    const png = pngOf(64, 32);
    const { logoPath } = await change({ logo: png.toString('base64') });
    const { name, ...profile } = contacts;
    const state = await shown();
    assert.equal(state.merchantName, name);
    assert.deepEqual(state.profile, { ...profile, logoPath });

    const origin = new URL(link.url ?? '').origin;
    const image = await fetch(`${origin}${logoPath}`);
    assert.deepEqual(Buffer.from(await image.arrayBuffer()), png);
    const headers = ['content-type', 'x-content-type-options', 'content-security-policy', 'set-cookie'];
    assert.deepEqual(
      headers.map((header) => image.headers.get(header)),
      ['image/png', 'nosniff', "default-src 'none'; sandbox", null],
    );
    assert.equal((await change({ logo: null, termsUrl: null })).logoPath, null);
    assert.equal((await fetch(`${origin}${logoPath}`)).status, 404);
    assert.deepEqual((await shown()).profile, { ...profile, termsUrl: null, logoPath: null });
  });

  it('are created with what customers see', async () => {
    const png = pngOf(16, 16);
    const profile = { name: 'Lamps of Bremen', color: '#1d4f91', supportUrl: 'https://shop.example/help' };
    const account = await create({ name: 'Shop five', businessProfile: { ...profile, logo: png.toString('base64') } });
    const { logoPath } = account.businessProfile;
    assert.deepEqual(account.businessProfile, { ...NO_PROFILE, ...profile, logoPath });
    const image = await fetch(`${merchant.credentials.baseUrl}${logoPath}`);
    assert.deepEqual(Buffer.from(await image.arrayBuffer()), png);
    const wrong = { name: 'Shop six', businessProfile: { returnUrl: 'https://shop.example@thief.example/' } };
    assertRefused(await send('POST', '/merchants', wrong), 422, 'VALIDATION_ERROR');
  });

  it('take no logo but a small PNG image, and no contact that is none', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
      'base64',
    );
    const wrong = {
      name: ' ',
      color: 'red',
      logo: svg,
      supportEmail: 'help',
      supportPhone: 'call me',
      supportUrl: 'javascript:alert(1)',
      logoPath: '/x',
    };
    const answer = await send('PATCH', `/merchants/${merchant.merchantAccountId}`, { businessProfile: wrong });
    assertRefused(answer, 422, 'VALIDATION_ERROR');
    assert.deepEqual(
      problemsOf(answer).map((problem) => problem.replace('businessProfile.', '').replace(/:.*/, '')),
      ['color', 'logo', 'logoPath', 'name', 'supportEmail', 'supportPhone', 'supportUrl'],
    );
  });

  it('are limited in number, also for concurrent creations', async () => {
    const { credentials, merchantId } = await createMerchant();
    const ask = clientOf(credentials);
    await queryStack(
      `INSERT INTO merchant_account (id, merchant_id, environment, name, updated_at)
       SELECT 'mer_' || md5($1 || n), $1, 'sandbox', 'Many', now() FROM generate_series(3, $2) n`,
      [merchantId, MAXIMUM_ACCOUNTS],
    );
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/merchants', { name: 'Last' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    const { pagination } = resourcePageOf(await ask('GET', '/merchants'), merchantAccountResource);
    assert.equal(pagination.total, MAXIMUM_ACCOUNTS);
  });

  describe('when suspended', () => {
    let second: ApiProcess;

    before(async () => {
      second = await startApi({});
    });
    after(() => second.stop());

    it('reject every request for them on every API process at once, until another account activates them', async () => {
      const shop = await createAccount(merchant.merchantId);
      const elsewhere = clientOf({ ...shop.credentials, baseUrl: second.baseUrl });
      assert.equal((await elsewhere('GET', '/customers')).status, 200);
      for (const _again of [1, 2]) {
        const suspended = resourceOf(await act(shop.merchantAccountId, 'suspend'), merchantAccountResource);
        assert.equal(suspended.status, 'suspended');
      }
      assertRefused(await elsewhere('GET', '/customers'), 403, 'MERCHANT_SUSPENDED');
      const own = clientOf(shop.credentials);
      assertRefused(await own('POST', `/merchants/${shop.merchantAccountId}/activate`, {}), 403, 'MERCHANT_SUSPENDED');
      const byHeader = await send('GET', '/customers', undefined, { 'X-Merchant-ID': shop.merchantAccountId });
      assertRefused(byHeader, 403, 'MERCHANT_SUSPENDED');
      for (const _again of [1, 2]) {
        const active = resourceOf(await act(shop.merchantAccountId, 'activate'), merchantAccountResource);
        assert.equal(active.status, 'active');
      }
      assert.equal((await elsewhere('GET', '/customers')).status, 200);
    });

    it('may have suspended themselves, and keep their payments', async () => {
      const shop = await createAccount(merchant.merchantId);
      const own = clientOf(shop.credentials);
      const intent = await own('POST', '/payment-intents', { amount: 1_000, currency: 'USD' });
      assert.equal(intent.status, 201);
      const suspended = await own('POST', `/merchants/${shop.merchantAccountId}/suspend`, {});
      assert.equal(resourceOf(suspended, merchantAccountResource).status, 'suspended');
      assertRefused(await own('GET', '/payment-intents'), 403, 'MERCHANT_SUSPENDED');
      assert.equal(resourceOf(await act(shop.merchantAccountId, 'activate'), merchantAccountResource).status, 'active');
      assert.equal((await own('GET', '/payment-intents')).status, 200);
    });

    it('stay suspended if the platform suspended them, whatever their merchant requests', async () => {
      const shop = await createAccount(merchant.merchantId);
      await queryStack(
        `UPDATE merchant_account SET status = 'suspended', platform_suspended_at = now(), version = version + 1
         WHERE id = $1`,
        [shop.merchantAccountId],
      );
      assertRefused(await act(shop.merchantAccountId, 'activate'), 409, 'STATE_CONFLICT');
      assert.equal((await read(shop.merchantAccountId)).suspendedBy, 'platform');
      const forAnother = { 'X-Merchant-ID': merchant.merchantAccountId };
      const path = `/merchants/${shop.merchantAccountId}/activate`;
      const byOwnKey = await clientOf(shop.credentials)('POST', path, {}, forAnother);
      assertRefused(byOwnKey, 403, 'MERCHANT_SUSPENDED');
    });

    it('stay suspended under concurrent suspensions', async () => {
      const shop = await createAccount(merchant.merchantId);
      const answers = await Promise.all([1, 2, 3, 4].map(() => act(shop.merchantAccountId, 'suspend')));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      );
    });
  });

  it('get keys from another account of the merchant', async () => {
    const { id } = await create({ name: 'Shop seven' });
    const issued = await send(
      'POST',
      '/api-keys',
      { name: 'First', scopes: ['customers:read'] },
      { 'X-Merchant-ID': id },
    );
    const key = resourceOf(issued, keyWithSecrets, 201);
    assert.equal(key.merchantId, id);
    const own = clientOf(credentialsOf(merchant.credentials.baseUrl, key));
    assert.equal((await own('GET', '/customers')).status, 200);
  });
});
