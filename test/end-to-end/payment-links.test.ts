import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { splitClientSecret } from '../../vault/client-secret.ts';
import { paymentLinkResource } from '../../contract/schemas/payment-link.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { assertRefused } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { closeServer, listenLocally } from '../support/local-server.ts';
import { copyRoutesAndLimits, createAccount, createMerchant, useMerchant } from '../support/merchants.ts';
import { clientOf, resourceOf } from '../support/resources.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { getStack } from '../support/stack.ts';

const run = promisify(execFile);
const CHECK_PAGES = path.join(PROJECT_ROOT, 'dist', 'scripts', 'check-pages.js');

const pagePayment = z.looseObject({ id: z.string(), status: z.string(), clientSecret: z.string().nullable() });
const pageState = z.looseObject({
  status: z.string(),
  merchantName: z.string(),
  amount: z.number().nullable(),
  description: z.string().nullable(),
  methods: z.array(z.string()),
  payment: pagePayment.nullable(),
});
const failure = z.looseObject({ error: z.looseObject({ code: z.string() }) });
const intents = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), reference: z.string().nullable() })) });

type PaymentLink = z.infer<typeof paymentLinkResource>;

/** A browser at the page of a link, as far as cookies go. */
class Visitor {
  private cookie: string | null = null;
  private readonly url: string;
  constructor(link: PaymentLink) {
    assert.ok(link.url);
    this.url = link.url;
  }

  async send(path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const response = await fetch(`${this.url}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(this.cookie === null ? {} : { Cookie: this.cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? null;
    return response;
  }

  async state(path = 'state', body?: object): Promise<z.infer<typeof pageState>> {
    const response = await this.send(path, body);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return z.object({ data: pageState }).parse(JSON.parse(text)).data;
  }

  open(another = false) {
    return this.state('payment', { another });
  }

  /** Confirms the payment as the checkout SDK does, with its client secret. */
  async pay(method: object = card('approved')): Promise<Answer> {
    const { payment } = await this.open();
    assert.ok(payment !== null && payment.clientSecret !== null);
    const { key, salt } = splitClientSecret(payment.clientSecret);
    const body = { paymentMethod: method, returnUrl: this.url };
    return await request(
      { method: 'POST', path: `/api/v1/payment-intents/${payment.id}/confirm`, body },
      { baseUrl: getStack().sandbox.baseUrl, apiKey: key, secretSalt: salt, signatureVersion: 1 },
    );
  }
}

const canceledIntent = z.looseObject({ data: z.looseObject({ cancellationReason: z.string() }) });

/** Reads a payment as the checkout SDK does. */
async function readPayment(id: string, clientSecret: string): Promise<Answer> {
  const { key, salt } = splitClientSecret(clientSecret);
  const credentials = {
    baseUrl: getStack().sandbox.baseUrl,
    apiKey: key,
    secretSalt: salt,
    signatureVersion: 1,
  } as const;
  return await request({ method: 'GET', path: `/api/v1/payment-intents/${id}` }, credentials);
}

describe('payment links', function () {
  this.timeout(3 * MINUTE_MS);
  const { merchant, send } = useMerchant();

  async function create(fields: object = {}): Promise<PaymentLink> {
    const answer = await send('POST', '/payment-links', { amount: 1_999, currency: 'EUR', ...fields });
    return resourceOf(answer, paymentLinkResource, 201);
  }
  const read = async (id: string): Promise<PaymentLink> =>
    resourceOf(await send('GET', `/payment-links/${id}`), paymentLinkResource);
  const paymentsOf = async (id: string) =>
    intents.parse((await send('GET', `/payment-intents?paymentLinkId=${id}&limit=100`)).body).data;

  it('have pages that `check-pages` finds as they were built, and finds changed where somebody has changed them', async () => {
    const { baseUrl } = getStack().sandbox;
    const checked = await run(process.execPath, [CHECK_PAGES, baseUrl]);
    assert.equal(checked.stdout.match(/^as built/gm)?.length, 7, checked.stdout);

    let origin = '';
    const changing = createServer((asked, response) => {
      void fetch(`${baseUrl}${asked.url}`).then(async (original) => {
        const policy = original.headers
          .get('content-security-policy')
          ?.replace(new URL(baseUrl).host, new URL(origin).host);
        if (policy !== undefined)
          response.setHeader('Content-Security-Policy', policy.replace("form-action 'none'", 'form-action *'));
        const text = await original.text();
        const isPage = asked.url?.startsWith('/pay/') === true && text.startsWith('<!');
        response.end(isPage ? text.replace('</head>', '<script src="https://thief.example/"></script></head>') : text);
      });
    });
    origin = await listenLocally(changing);
    try {
      const failed = await run(process.execPath, [CHECK_PAGES, origin]).then(
        () => assert.fail('nothing was found'),
        (error: { readonly stdout: string; readonly stderr: string }) => error,
      );
      assert.deepEqual(
        failed.stdout.match(/^CHANGED .*$/gm)?.map((line) => line.split(' ').at(-1)),
        ['/pay/check', '/sdk/checkout/v1/card-fields'],
      );
      assert.match(failed.stderr, /\/pay\/check: expected sha384-\S+ of this release; got sha384-/);
      assert.match(
        failed.stderr,
        /\/pay\/check: expected the Content-Security-Policy .*form-action 'none'.*; got .*form-action \*/,
      );
    } finally {
      await closeServer(changing);
    }
  });

  it('are created once for a key, show their address again, and keep its token out of the database', async () => {
    const key = { 'X-Idempotency-Key': `link of ${merchant.merchantId}` };
    const body = { amount: 500, currency: 'EUR', description: 'Lamp', reference: 'INV-7', metadata: { a: 'b' } };
    const first = await send('POST', '/payment-links', body, key);
    assert.deepEqual((await send('POST', '/payment-links', body, key)).body, first.body);
    const link = resourceOf(first, paymentLinkResource, 201);
    assert.match(link.url ?? '', /\/pay\/[\w-]{32}$/);
    assert.deepEqual([link.maxPayments, link.status, link.paidPayments], [1, 'active', 0]);
    assert.deepEqual(await read(link.id), link);
    const token = link.url?.split('/').at(-1) ?? '';
    const rows = await queryStack('SELECT to_jsonb(l) AS row FROM payment_link l WHERE id = $1', [link.id]);
    const requests = await eventually(async () => {
      const logged = await queryStack(
        "SELECT to_jsonb(r) AS row FROM request_log r WHERE merchant_account_id = $1 AND method = 'POST'",
        [merchant.merchantAccountId],
      );
      assert.ok(logged.length > 1, 'the requests are not logged yet');
      return logged;
    });
    const audited = await queryStack('SELECT to_jsonb(a) AS row FROM audit_event a WHERE resource_id = $1', [link.id]);
    assert.ok(rows.length === 1 && audited.length === 1);
    assert.ok(JSON.stringify(requests).includes('/pay/[redacted]'));
    assert.ok(!JSON.stringify([rows, requests, audited]).includes(token));
  });

  it('are paid on their page, and the payment carries what the link has', async () => {
    const link = await create({ description: 'Lamp', reference: 'INV-8', metadata: { order: '8' } });
    const visitor = new Visitor(link);
    const before = await visitor.state();
    assert.deepEqual(
      [before.status, before.amount, before.description, before.payment],
      ['active', 1_999, 'Lamp', null],
    );
    assert.ok(before.methods.includes('card'));
    assert.equal((await visitor.pay()).status, 200);
    const after = await visitor.state();
    assert.deepEqual(
      [after.status, after.payment?.status, after.payment?.clientSecret],
      ['used_up', 'succeeded', null],
    );
    const [payment, ...others] = await paymentsOf(link.id);
    assert.deepEqual([payment?.id, payment?.reference, others], [after.payment?.id, 'INV-8', []]);
    const { status, paidPayments, openPayments } = await read(link.id);
    assert.deepEqual([status, paidPayments, openPayments], ['used_up', 1, 0]);
  });

  it('that may be paid once are charged once, however many browsers pay at once', async () => {
    const link = await create();
    const visitors = Array.from({ length: 10 }, () => new Visitor(link));
    await Promise.all(visitors.map((visitor) => visitor.open()));
    const answers = await Promise.all(visitors.map((visitor) => visitor.pay()));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 409, 'STATE_CONFLICT');
    await eventually(async () => assert.equal((await read(link.id)).paidPayments, 1));
    const charged = await queryStack(
      `SELECT t.id FROM transaction t JOIN payment_link_payment p ON p.id = t.payment_intent_id
       WHERE p.payment_link_id = $1 AND t.type = 'capture'`,
      [link.id],
    );
    assert.equal(charged.length, 1);
    const late = await new Visitor(link).open();
    assert.deepEqual([late.status, late.payment, late.amount], ['used_up', null, null]);
  });

  it('without a limit give each browser its own payment, and a further one after that', async () => {
    const link = await create({ maxPayments: null });
    const [one, two] = [new Visitor(link), new Visitor(link)];
    assert.notEqual((await one.open()).payment?.id, (await two.open()).payment?.id);
    assert.equal((await one.pay()).status, 200);
    const paid = await one.state();
    assert.deepEqual([paid.status, paid.payment?.status], ['active', 'succeeded']);
    assert.equal((await one.open()).payment?.id, paid.payment?.id);
    assert.notEqual((await one.open(true)).payment?.id, paid.payment?.id);
  });

  it('give the payment of one browser to no other once it is under way', async () => {
    const link = await create();
    const [first, second] = [new Visitor(link), new Visitor(link)];
    assert.equal((await first.pay(card('threeDSecure'))).status, 200);
    assert.equal((await first.state()).payment?.status, 'requires_action');
    const seen = await second.open();
    assert.deepEqual([seen.status, seen.payment], ['busy', null]);
    const canceled = await first.state('cancel', {});
    assert.equal(canceled.payment?.id, (await first.state()).payment?.id);
    await eventually(async () => assert.equal((await first.state()).payment?.status, 'canceled'));
    assert.equal((await second.pay()).status, 200);
  });

  it('let another browser pay after a decline, and show neither browser the payment of the other', async () => {
    const link = await create();
    const [first, second] = [new Visitor(link), new Visitor(link)];
    assert.equal((await first.pay(card('declined'))).status, 400);
    const declined = (await first.state()).payment;
    assert.equal(declined?.status, 'requires_payment_method');
    assert.equal((await second.pay(card('threeDSecure'))).status, 200);
    const own = (await second.state()).payment;
    assert.equal(own?.status, 'requires_action');
    assertRefused(await first.pay(), 409, 'STATE_CONFLICT');
    await first.state('cancel', {});
    assert.equal((await second.state()).payment?.status, 'requires_action');
    const withOldSecret = await readPayment(own.id, declined.clientSecret ?? '');
    assert.ok(withOldSecret.status >= 400, `${withOldSecret.status}`);
    const third = new Visitor(link);
    assert.equal((await third.open()).status, 'busy');
    await queryStack(`UPDATE payment_intent SET status_since = now() - interval '11 minutes' WHERE id = $1`, [own.id]);
    assert.equal((await third.pay()).status, 200);
    const answer = await send('GET', `/payment-intents/${own.id}`);
    assert.equal(canceledIntent.parse(answer.body).data.cancellationReason, 'abandoned');
  });

  it('cannot be paid before their activation, after their expiry, or while the merchant is suspended', async () => {
    const link = await create({ maxPayments: null });
    const update = (active: boolean) => send('PATCH', `/payment-links/${link.id}`, { active });
    const visitor = new Visitor(link);
    assert.equal((await update(false)).status, 200);
    const inactive = await visitor.open();
    assert.deepEqual([inactive.status, inactive.payment, inactive.amount], ['inactive', null, null]);
    assert.equal((await update(true)).status, 200);
    assert.equal((await visitor.state()).status, 'active');
    await queryStack(`UPDATE payment_link SET expires_at = now() - interval '1 second' WHERE id = $1`, [link.id]);
    assert.deepEqual([(await visitor.open()).status, (await read(link.id)).status], ['expired', 'expired']);
    await queryStack('UPDATE payment_link SET expires_at = NULL WHERE id = $1', [link.id]);
    const status = `UPDATE merchant_account SET status = $2 WHERE id = $1`;
    await queryStack(status, [merchant.merchantAccountId, 'suspended']);
    try {
      assert.deepEqual([(await visitor.open()).status, (await visitor.open()).payment], ['unavailable', null]);
    } finally {
      await queryStack(status, [merchant.merchantAccountId, 'active']);
    }
    assert.equal((await paymentsOf(link.id)).length, 0);
  });

  it('that do not exist look alike, whatever their token', async () => {
    const { baseUrl } = getStack().sandbox;
    const page = await (await fetch((await create()).url ?? '')).text();
    for (const token of ['A'.repeat(32), 'short', `plink_${'0'.repeat(26)}`]) {
      const response = await fetch(`${baseUrl}/pay/${token}/state`);
      assert.equal(response.status, 404);
      assert.equal(failure.parse(await response.json()).error.code, 'RESOURCE_NOT_FOUND');
      assert.equal(await (await fetch(`${baseUrl}/pay/${token}`)).text(), page);
    }
  });

  it('belong to one environment and one account', async () => {
    await copyRoutesAndLimits(merchant.merchantId, 'production');
    const production = clientOf((await createAccount(merchant.merchantId, 'production')).credentials);
    const stranger = clientOf((await createMerchant()).credentials);
    const link = await create();
    for (const foreign of [production, stranger]) {
      assert.equal((await foreign('GET', `/payment-links/${link.id}`)).status, 404);
      assert.equal((await foreign('PATCH', `/payment-links/${link.id}`, { active: false })).status, 404);
    }
    const live = resourceOf(
      await production('POST', '/payment-links', { amount: 100, currency: 'EUR' }),
      paymentLinkResource,
      201,
    );
    const { payment } = await new Visitor(live).open();
    const [row] = await queryStack('SELECT environment FROM payment_intent WHERE id = $1', [payment?.id ?? '']);
    assert.deepEqual(row, { environment: 'production' });
  });

  it('have a page that runs no foreign script, sends no referrer, and opens nothing for another site', async () => {
    const link = await create();
    const { headers } = await fetch(link.url ?? '');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    const crossSite = await new Visitor(link).send('payment', {}, { 'Sec-Fetch-Site': 'cross-site' });
    assert.equal(crossSite.status, 403);
    assert.equal((await paymentsOf(link.id)).length, 0);
  });

  it('are refused with amounts, limits and times that make no sense', async () => {
    for (const fields of [
      { amount: 0 },
      { currency: 'XXX' },
      { maxPayments: 0 },
      { expiresAt: '2020-01-01T00:00:00Z' },
      { expiresAt: '2999-01-01T00:00:00Z' },
      { description: 'x'.repeat(501) },
    ]) {
      const { status } = await send('POST', '/payment-links', { amount: 100, currency: 'EUR', ...fields });
      assert.ok(status === 400 || status === 422, `${JSON.stringify(fields)}: ${status}`);
    }
  });
});
