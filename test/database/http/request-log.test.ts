import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import pino from 'pino';
import { type AnsweredRequest, createRequestLog } from '../../../http/request-log.ts';
import { readPage } from '../../../accounts/lists.ts';
import { newId } from '../../../domain/new-id.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/time.ts';
import { accountRequests, selectRequest, STORED_REQUEST } from '../../../prisma/queries/request-log.ts';
import { card, CARD_NUMBERS, CVC, VPAS } from '../../../sandbox/test-payment-methods.ts';
import { purge } from '../../../worker/jobs/purge.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { largePartitionsOf } from '../../support/partitions.ts';
import { queryPlansOf } from '../../support/query-plans.ts';

const RETENTION = {
  eventsDays: 30,
  providerEventsDays: 30,
  paymentsDays: 30,
  auditEventsDays: 400,
  requestsDays: 7,
  savedCardsUnusedDays: 730,
};
const INTENT_ID = 'pi_019712345678912312345678901234ab';

describe('the request log in the database', function () {
  this.timeout(MINUTE_MS);
  const test = useAccount();

  afterEach(() => test.database.requestLogEntry.deleteMany());

  it("finds a request by the engine's own id where the client has sent its id twice", async () => {
    const log = createRequestLog(test.database, pino({ level: 'silent' }));
    const first = requestOf({ status: 400, startedAtMs: Date.now() - MINUTE_MS });
    const second = requestOf({ status: 201 });
    log.add(first);
    log.add(second);
    await log.close();
    const scope = { merchantAccountId: test.account, environment: 'sandbox' } as const;
    const statusOf = async (id: string) => (await test.database.direct.row(selectRequest(id, scope)))?.status;
    assert.equal(await statusOf(first.requestId), 201);
    assert.deepEqual([await statusOf(first.id), await statusOf(second.id)], [400, 201]);
  });

  const requestOf = (fields: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
    id: newId('request'),
    apiKeyId: 'key_1',
    merchantAccountId: test.account,
    environment: 'sandbox',
    requestId: 'req_12345678',
    address: '192.0.2.7',
    method: 'POST',
    path: '/api/v1/payment-intents',
    status: 201,
    startedAtMs: Date.now(),
    durationMs: 12,
    requestBody: Buffer.from('{}'),
    responseBody: '{"success":true}',
    ...fields,
  });

  async function write(...requests: readonly Partial<AnsweredRequest>[]): Promise<void> {
    const log = createRequestLog(test.database, pino({ level: 'silent' }));
    for (const request of requests) log.add(requestOf(request));
    await log.close();
  }

  const find = (requestId: string, merchantAccountId = test.account) =>
    test.database.direct.row(selectRequest(requestId, { merchantAccountId, environment: 'sandbox' }));

  it('has neither card data nor secrets nor personal data, wherever they stand', async () => {
    const secrets = [
      CARD_NUMBERS.approved,
      CVC,
      VPAS.success,
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'svc_test_0123456789abcdef0123456789',
      `${INTENT_ID}_secret_0123456789abcdefghijklmn`,
      'zaphira@example.com',
      'Zaphira Secret-Salt',
    ];
    const [number, cvc, vpa, webhookSecret, apiKey, clientSecret, email, name] = secrets;
    const requestBody = Buffer.from(
      JSON.stringify({
        amount: 1_999,
        paymentMethod: { ...card('approved'), upi: { vpa }, security: cvc, digits: number },
        source: { whatever: cvc },
        code: cvc,
        description: `my card is 4242-4242-4242-4242, ask ${email}`,
        metadata: { a: number, b: webhookSecret, c: `Bearer ${apiKey}`, note: clientSecret },
        name,
        email,
      }),
    );
    const responseBody = JSON.stringify({
      success: true,
      data: {
        id: INTENT_ID,
        amount: 1_999,
        clientSecret,
        apiKey,
        secretSalt: name,
        secret: webhookSecret,
        paymentMethod: { type: 'card', brand: 'visa', last4: '4242' },
      },
    });
    await write({ requestBody, responseBody });
    const stored = await find('req_12345678');
    // The rest of the row has ids and a time, which may contain the digits of the CVC.
    const text = JSON.stringify([stored?.requestBody, stored?.responseBody]);
    for (const secret of [...secrets, '4242-4242']) assert.ok(!text.includes(secret), `${secret} in ${text}`);
    // What support needs is still there.
    assert.deepEqual(stored?.responseBody, {
      success: true,
      data: {
        id: INTENT_ID,
        amount: 1_999,
        clientSecret: '[redacted]',
        apiKey: '[redacted]',
        secretSalt: '[redacted]',
        secret: '[redacted]',
        paymentMethod: { type: 'card', brand: 'visa', last4: '4242' },
      },
    });
  });

  it('shows an account its own requests, the latest of those with one id, and those that a filter selects', async () => {
    const at = Date.now() - MINUTE_MS;
    const responseBody = '{"success":false,"error":{"code":"STATE_CONFLICT"}}';
    await write(
      { startedAtMs: at, status: 409, responseBody, path: '/api/v1/refunds' },
      { startedAtMs: at + 1_000 },
      { requestId: 'req_of_another', merchantAccountId: 'mer_other' },
    );
    assert.equal((await find('req_12345678'))?.status, 201);
    assert.equal(await find('req_of_another'), undefined);
    assert.equal((await find('req_of_another', 'mer_other'))?.merchantAccountId, 'mer_other');
    const statuses = async (filter: Parameters<typeof accountRequests>[1]) => {
      const listed = accountRequests({ merchantAccountId: test.account }, filter);
      const { rows } = await readPage(test.database, listed, STORED_REQUEST, { page: 1, limit: 10 });
      return rows.map(({ status }) => status);
    };
    assert.deepEqual(await statuses({}), [201, 409]);
    assert.deepEqual(await statuses({ status: 409 }), [409]);
    assert.deepEqual(await statuses({ code: 'STATE_CONFLICT' }), [409]);
    assert.deepEqual(await statuses({ path: '/api/v1/payment-intents' }), [201]);
    assert.deepEqual(await statuses({ createdAfter: new Date(at) }), [201]);
    assert.deepEqual(await statuses({ createdBefore: new Date(at) }), []);
  });

  it('is purged of requests whose partition should have been dropped: a week after the retention', async () => {
    const daysAgo = (days: number) => Date.now() - days * DAY_MS;
    await write({ requestId: 'req_young_one', startedAtMs: daysAgo(14.9) }, { startedAtMs: daysAgo(15.1) });
    await purge(test.database, RETENTION, new AbortController().signal);
    assert.ok((await find('req_young_one')) !== undefined);
    assert.equal(await find('req_12345678'), undefined);
  });

  it('is read from an index with every filter', async () => {
    await test.database.$executeRaw`
      INSERT INTO request_log (id, request_id, merchant_account_id, environment, api_key_id, address, method, path, status, code,
        duration_ms, created_at)
      SELECT first_id_at('req_', now() - n * interval '1 minute') || n, 'req_' || n, 'mer_' || n % 20, 'sandbox', 'key_1', '192.0.2.1', 'POST', '/api/v1/refunds/' || n % 500,
        200 + n % 250, CASE WHEN n % 7 = 0 THEN 'CODE_' || n % 30 END, 1, now() - n * interval '1 minute'
      FROM generate_series(1, 20000) n`;
    await test.database.$executeRaw`ANALYZE request_log`;
    const large = await largePartitionsOf(test.database, 'request_log');
    const scope = { merchantAccountId: 'mer_1', environment: 'sandbox' } as const;
    const times = { createdAfter: new Date(0), createdBefore: new Date() };
    const nodes = await queryPlansOf(test.database, async (database) => {
      for (const filter of [{}, { status: 404 }, { code: 'CODE_7' }, { path: '/api/v1/refunds/7' }, times]) {
        await readPage(database, accountRequests(scope, filter), STORED_REQUEST, { page: 1, limit: 10 });
      }
      await database.direct.row(selectRequest('req_21', scope));
    });
    const scans = nodes.filter((node) => large.includes(node['Relation Name'] ?? ''));
    assert.ok(scans.length >= 12, String(scans.length));
    for (const scan of scans) assert.notEqual(scan['Node Type'], 'Seq Scan', JSON.stringify(scan));
  });
});
