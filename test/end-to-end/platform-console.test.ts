import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'mocha';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { removeStaff, addStaff } from '../../scripts/manage-staff.ts';
import { createDatabase } from '../../prisma/connection/client.ts';
import { methodOf, nameOf, OPERATIONS_OF_API, pathOf } from '../support/api-operations.ts';
import {
  assertStatus,
  Browser,
  type BrowserAnswer,
  createMember,
  createStaff,
  linkInMail,
  type SignedInMember,
  totpCode,
} from '../support/dashboard.ts';
import { failureOf } from '../support/envelopes.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { createPayment } from '../support/payments.ts';
import { createRows } from '../support/merchant-rows.ts';
import { createAccount, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { bodyFor, parametersFor } from '../support/operation-samples.ts';
import { SESSION_OPERATIONS } from '../support/session-operations.ts';
import { request } from '../support/signed-request.ts';
import { getStack } from '../support/stack.ts';

const PLATFORM = SESSION_OPERATIONS.filter(({ resource }) => resource === 'platform');
const REASON = 'Chargebacks above the limit. Write to risk@platform.example.';
const PASSWORD = 'correct horse battery';

const suspensionOf = (merchantId: string) => `/api/v1/platform/merchants/${merchantId}/suspension`;

async function withDatabase<Result>(work: (database: ReturnType<typeof createDatabase>) => Promise<Result>) {
  const database = createDatabase({ url: getStack().sandbox.databaseUrl, poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.$disconnect();
  }
}

describe('the console of the platform', function () {
  this.timeout(3 * MINUTE_MS);
  let staff: SignedInMember;

  before(async () => {
    staff = await createStaff();
  });

  const suspend = (merchantId: string, suspended = true) =>
    staff.browser.send('PUT', suspensionOf(merchantId), { suspended, reason: REASON });

  async function answersOf(browser: Browser, id: string) {
    const answers: (readonly [string, BrowserAnswer])[] = [];
    for (const operation of PLATFORM) {
      const method = methodOf(operation);
      const body = method === 'GET' ? undefined : { suspended: false, reason: REASON };
      const ids = { id: operation.path.includes('/provider-health/') ? 'sandbox:alpha' : id };
      answers.push([nameOf(operation), await browser.send(method, `/api/v1${pathOf(operation, ids)}`, body)]);
    }
    return answers;
  }

  it('answers staff with a second factor, and no person without it', async () => {
    const { merchantId, credentials } = await createMerchant();
    await (await createPayment({}, credentials)).confirm(card('approved'));
    for (const [name, { status, text }] of await answersOf(staff.browser, merchantId)) {
      assert.equal(status, 200, `${name}: ${text}`);
    }
    const unfinished = [
      ['not set up', 'second_factor_not_set_up'],
      ['not given', 'second_factor_not_given'],
    ] as const;
    for (const [factor, reason] of unfinished) {
      const { browser } = await createStaff(factor);
      for (const [name, { status, code, text }] of await answersOf(browser, merchantId)) {
        assert.deepEqual([status, code], [403, 'FORBIDDEN'], name);
        assert.ok(text.includes(reason), text);
      }
    }
    const { browser } = await createMember(null, 'owner');
    for (const [name, answer] of [
      ...(await answersOf(browser, merchantId)),
      ...(await answersOf(new Browser(), merchantId)),
    ])
      assert.ok(['INSUFFICIENT_PERMISSIONS', 'UNAUTHORIZED'].includes(answer.code ?? ''), `${name}: ${answer.text}`);
  });

  it('lets staff do nothing with the operations of merchants', async () => {
    for (const operation of [...OPERATIONS_OF_API, ...SESSION_OPERATIONS].filter((each) => !PLATFORM.includes(each))) {
      const method = methodOf(operation);
      const id = newId('person');
      const others = { provider: 'alpha', paymentMethod: 'card', currency: 'USD', kind: 'receipt' };
      const path = `/api/v1${pathOf(operation, { id, entryId: id, ...others })}`;
      const answer = await staff.browser.send(method, path, method === 'GET' ? undefined : {});
      assertStatus(answer, 403, 'FORBIDDEN');
    }
  });

  it('finds merchants by a part of the name, by ids, and by the e-mail address of a person', async () => {
    const { merchantId, merchantAccountId } = await createMerchant();
    const { email } = await createMember(merchantId, 'finance');
    const read = await staff.browser.get(`/api/v1/platform/merchants/${merchantId}`);
    const name = String(read.data.name);
    assert.equal(read.data.people, 1);
    const find = async (q: string) => {
      const answer = await staff.browser.get(`/api/v1/platform/merchants?limit=100&q=${encodeURIComponent(q)}`);
      return answer.text.includes(merchantId);
    };
    for (const q of [name.slice(1, -1).toUpperCase(), merchantId, merchantAccountId, email.toUpperCase()]) {
      assert.ok(await find(q), q);
    }
    assert.ok(!(await find(randomUUID())));
    assert.ok(!(await find('%')));
  });

  it("shows no secret of a merchant's accounts at providers, and no value of a setting", async () => {
    const merchant = await createMerchant();
    await createRows(merchant);
    const accounts = await staff.browser.get(`/api/v1/platform/merchants/${merchant.merchantId}/provider-accounts`);
    assert.ok(
      accounts.text.includes('credentialNames') && !/ciphertext|"credentials"/.test(accounts.text),
      accounts.text,
    );
    const settings = await staff.browser.get('/api/v1/platform/settings?limit=100');
    assert.ok(settings.text.includes('{"id":"DATABASE_URL","object":"platform_setting","isSet":true,"isSecret":true}'));
    assert.ok(!settings.text.includes('postgresql:'));
  });

  describe('while it suspends a merchant', () => {
    let merchant: TestMerchant;
    let owner: SignedInMember;

    before(async () => {
      merchant = await createMerchant();
      await createAccount(merchant.merchantId, 'production');
      owner = await createMember(merchant.merchantId, 'owner');
    });

    it('lets no request of its keys and people change anything, whichever account they act for', async () => {
      const rows = await createRows(merchant);
      assertStatus(await suspend(merchant.merchantId), 200);
      for (const operation of [...OPERATIONS_OF_API, ...SESSION_OPERATIONS].filter(
        (each) => !PLATFORM.includes(each),
      )) {
        const method = methodOf(operation);
        const ofTeam = SESSION_OPERATIONS.includes(operation);
        const path = `/api/v1${pathOf(operation, ofTeam ? { id: owner.personId } : parametersFor(operation, rows))}`;
        const body = method === 'GET' ? undefined : ((ofTeam ? undefined : bodyFor(operation, rows)) ?? {});
        const byKey = await request({ method, path, ...(body === undefined ? {} : { body }) }, merchant.credentials);
        assert.equal(failureOf(byKey).code, 'MERCHANT_SUSPENDED', nameOf(operation));
        const byPerson = await owner.browser.send(method, path, body);
        if (method === 'GET') assert.notEqual(byPerson.code, 'MERCHANT_SUSPENDED', nameOf(operation));
        else assertStatus(byPerson, 403, 'MERCHANT_SUSPENDED');
      }
      const read = await staff.browser.get(`/api/v1/platform/merchants/${merchant.merchantId}`);
      assert.deepEqual((read.data.suspension as { reason: string }).reason, REASON);
      assert.ok(!read.text.includes('"status":"active"'), read.text);
    });

    it('tells its people why, and lets them read; the lift gives everything back', async () => {
      const me = await owner.browser.get('/api/v1/me');
      assertStatus(me, 200);
      assert.ok(me.text.includes(REASON), me.text);
      const log = await owner.browser.get('/api/v1/audit-events?action=merchant_account.suspended');
      assert.ok(
        log.text.includes('"actor":{"type":"platform","id":"platform","name":null,"address":"internal"}'),
        log.text,
      );
      assert.ok(!log.text.includes(staff.email));

      assertStatus(await suspend(merchant.merchantId, false), 200);
      assert.equal((await request({ method: 'GET', path: '/api/v1/customers' }, merchant.credentials)).status, 200);
      assertStatus(await owner.browser.post('/api/v1/customers', { email: 'a@example.com' }), 201);
      const ofPlatform = await staff.browser.get(`/api/v1/platform/audit-events?resourceId=${merchant.merchantId}`);
      assert.ok(ofPlatform.text.includes(staff.email) && ofPlatform.text.includes('merchant.suspension_lifted'));
      const ofOthers = await staff.browser.get(`/api/v1/platform/audit-events?actorId=${owner.personId}`);
      assert.ok(ofOthers.text.includes('"data":[]'), ofOthers.text);
    });

    it('needs a reason, and a merchant that exists', async () => {
      const put = (id: string, body: object) => staff.browser.send('PUT', suspensionOf(id), body);
      assertStatus(await put(merchant.merchantId, { suspended: true, reason: ' ' }), 422, 'VALIDATION_ERROR');
      assertStatus(await put(merchant.merchantId, { suspended: true }), 400, 'INVALID_REQUEST');
      assertStatus(await put(newId('merchant'), { suspended: true, reason: REASON }), 404, 'RESOURCE_NOT_FOUND');
    });
  });

  it('takes staff from the command to the console: password by mail, second factor, and out at once when removed', async () => {
    const email = `${randomUUID()}@platform.example`;
    const { enrolmentToken } = await withDatabase((database) => addStaff(database, { email, name: 'New staff' }));
    const browser = new Browser();
    assertStatus(await browser.post('/auth/request-password-reset', { email }), 200);
    const token = (await linkInMail(email, 'password')).searchParams.get('token') ?? '';
    assertStatus(await browser.post('/auth/reset-password', { token, newPassword: PASSWORD }), 200);
    assertStatus(await browser.post('/auth/sign-in/email', { email, password: PASSWORD }), 200);
    const refused = await browser.get('/api/v1/platform/me');
    assertStatus(refused, 403, 'FORBIDDEN');
    assert.ok(refused.text.includes('second_factor_not_set_up'), refused.text);

    for (const wrong of [undefined, 'x'.repeat(43)]) {
      const body = { password: PASSWORD, enrolmentToken: wrong };
      assertStatus(await browser.post('/auth/two-factor/enable', body), 403, 'FORBIDDEN');
    }
    const enabled = await browser.post('/auth/two-factor/enable', { password: PASSWORD, enrolmentToken });
    const uri = String(enabled.data.totpURI);
    const withoutLink = { code: '000000' };
    assertStatus(await browser.post('/auth/two-factor/verify-totp', withoutLink), 403, 'FORBIDDEN');
    assertStatus(await browser.post('/auth/two-factor/verify-totp', { code: totpCode(uri), enrolmentToken }), 200);
    const allowed = await browser.get('/api/v1/platform/me');
    assertStatus(allowed, 200);
    assert.equal(allowed.data.email, email);

    const second = new Browser();
    await second.post('/auth/sign-in/email', { email, password: PASSWORD });
    assertStatus(await second.get('/api/v1/platform/me'), 401, 'UNAUTHORIZED');
    assertStatus(await second.post('/auth/two-factor/verify-totp', { code: totpCode(uri) }), 200);
    assertStatus(await second.get('/api/v1/platform/me'), 200);

    await withDatabase((database) => removeStaff(database, email));
    for (const each of [browser, second]) assertStatus(await each.get('/api/v1/platform/me'), 401, 'UNAUTHORIZED');
    await second.post('/auth/sign-in/email', { email, password: PASSWORD });
    await second.post('/auth/two-factor/verify-totp', { code: totpCode(uri) });
    assertStatus(await second.get('/api/v1/platform/me'), 403, 'INSUFFICIENT_PERMISSIONS');
  });
});
