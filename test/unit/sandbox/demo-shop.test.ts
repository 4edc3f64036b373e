import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createDemoApp } from '../../../sandbox/demo-shop/app.ts';
import type { CreatedIntent, Engine, SavedCard } from '../../../sandbox/demo-shop/engine.ts';
import { createShop, type Shop } from '../../../sandbox/demo-shop/shop.ts';
import { listenLocally } from '../../support/local-server.ts';

const ORDER = { number: 'LAMP-00000-00000', customer: 'CUST-00000-00000' };
const HALF_AN_HOUR_MS = 30 * 60_000;

type StoredIntent = { -readonly [Name in keyof CreatedIntent]: CreatedIntent[Name] } & {
  currency: string;
  customerId: string | undefined;
};

/** An engine in memory: what a shop's orders need of the real one. */
interface TestEngine extends Engine {
  /** The saved cards of each customer. */
  readonly cards: Map<string, SavedCard[]>;
  /** What was charged without the customer: payment and card. */
  readonly renewals: (readonly [paymentIntentId: string, savedCardId: string])[];
  /** By their idempotency keys, oldest first. */
  readonly intents: ReadonlyMap<string, StoredIntent>;
}

function createTestEngine(): TestEngine {
  const intents = new Map<string, StoredIntent>();
  const find = (id: string): StoredIntent =>
    [...intents.values()].find((intent) => intent.id === id) ?? assert.fail(`no intent ${id}`);
  const unused = () => Promise.reject(new Error('not asked for'));
  const customers = new Map<string, string>();
  const cards = new Map<string, SavedCard[]>();
  const renewals: [string, string][] = [];
  return {
    intents,
    cards,
    renewals,
    findCustomer: (reference) => Promise.resolve(customers.get(reference)),
    async createCustomer(reference) {
      customers.set(reference, `cus_${customers.size + 1}`);
      return customers.get(reference) ?? '';
    },
    readSavedCards: (customerId) => Promise.resolve(cards.get(customerId) ?? []),
    async removeSavedCard(id) {
      for (const [customerId, saved] of cards)
        cards.set(
          customerId,
          saved.filter((card) => card.id !== id),
        );
    },
    async renew(id, savedCardId) {
      renewals.push([id, savedCardId]);
      find(id).status = 'succeeded';
    },
    async create(key, { currency, metadata, customerId }) {
      const id = `pi_${intents.size + 1}`;
      const expiresAt = new Date(Date.now() + HALF_AN_HOUR_MS).toISOString();
      const created = { id, customerId, currency, metadata, expiresAt, paymentMethod: null, attempts: [] };
      const intent = { ...created, clientSecret: `${id}_secret`, status: 'requires_payment_method' };
      intents.set(key, intents.get(key) ?? intent);
      return { ...(intents.get(key) ?? intent), status: 'requires_payment_method' };
    },
    read: (id) => Promise.resolve({ ...find(id) }),
    async update(id, { currency, metadata }) {
      Object.assign(find(id), { currency, metadata });
    },
    async cancel(id) {
      find(id).status = 'canceled';
    },
    readTimeline: unused,
    readCapture: () => Promise.resolve({ amount: 4_900, currency: 'EUR', createdAt: '2026-11-22T12:00:00.000Z' }),
    readSdk: unused,
  };
}

describe('the orders of the demo shop', () => {
  let engine: TestEngine;
  let shop: Shop;

  beforeEach(() => {
    engine = createTestEngine();
    shop = createShop({ engine, simulators: [] });
    shop.beginOrder(ORDER);
  });

  const pay = (method: 'card' | 'upi' | 'crypto' = 'card', scenario: string | null = null) =>
    shop.preparePayment(ORDER, method, scenario);
  const setStatus = (key: string, status: string) => Object.assign(engine.intents.get(key) ?? {}, { status });

  it('have no payment before the customer pays', async () => {
    assert.equal(await shop.readPayment(ORDER), null);
    assert.equal(engine.intents.size, 0);
  });

  it('have one payment, also if the customer pays twice at once, and after a restart', async () => {
    const [first, second] = await Promise.all([pay(), pay()]);
    shop = createShop({ engine, simulators: [] });
    const ids = [first, second, await shop.readPayment(ORDER), await pay()].map((payment) => payment?.id);
    assert.deepEqual(ids, ['pi_1', 'pi_1', 'pi_1', 'pi_1']);
  });

  it('are not forgotten while a call is under way, so that calls for one order still run one after the other', async () => {
    const created: string[] = [];
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const create: Engine['create'] = async (key, terms) => {
      created.push(key);
      await answered;
      return engine.create(key, terms);
    };
    shop = createShop({ engine: { ...engine, create }, simulators: [] });
    shop.beginOrder(ORDER);
    const first = pay();
    for (let other = 0; other < 1_000; other += 1) shop.beginOrder({ number: `LAMP-${other}`, customer: null });
    const second = pay();
    await setImmediate();
    assert.deepEqual(created, [`${ORDER.number}-1`]);
    answer();
    assert.deepEqual([(await first).id, (await second).id, created.length], ['pi_1', 'pi_1', 1]);
  });

  it('keep their payment when the customer chooses another method', async () => {
    await pay('card');
    const { id, method } = await pay('upi');
    assert.deepEqual([id, method, engine.intents.get(`${ORDER.number}-1`)?.currency], ['pi_1', 'upi', 'INR']);
  });

  for (const status of ['processing', 'requires_action', 'succeeded']) {
    it(`keep a payment that is ${status} as it is`, async () => {
      await pay('card');
      setStatus(`${ORDER.number}-1`, status);
      const { id, method } = await pay('upi');
      assert.deepEqual([id, method, engine.intents.get(`${ORDER.number}-1`)?.currency], ['pi_1', 'card', 'EUR']);
    });
  }

  for (const status of ['failed', 'canceled', 'expired']) {
    it(`get another payment after one that is ${status}, also after a restart`, async () => {
      await pay();
      setStatus(`${ORDER.number}-1`, status);
      assert.equal((await shop.readPayment(ORDER))?.id, 'pi_1');
      assert.equal((await pay()).id, 'pi_2');
      shop = createShop({ engine, simulators: [] });
      assert.equal((await shop.readPayment(ORDER))?.id, 'pi_2');
      assert.deepEqual([...engine.intents.keys()], [`${ORDER.number}-1`, `${ORDER.number}-2`]);
    });
  }

  describe('over HTTP', () => {
    let server: Server;
    let url: string;

    beforeEach(async () => {
      const page = { render: () => ({ html: '', importMap: '' }), assets: '/' };
      server = createServer(createDemoApp({ shop, page, apiUrl: 'http://api.example', hosts: [], isSecure: false }));
      url = `${await listenLocally(server)}/demo`;
    });
    afterEach(() => server.close());

    async function ask(method: string, path: string, cookie: string, body: object | null = null) {
      const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
      const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) });
      const answer = (await response.json()) as { readonly data?: Readonly<Record<string, unknown>> };
      return { status: response.status, data: answer.data, cookies: response.headers.getSetCookie() };
    }

    async function newVisitor() {
      const { data, cookies } = await ask('GET', '/order', '');
      const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
      return { number: String(data?.number), setCookie: cookies[0] ?? '', cookie };
    }

    it('belong to the visitor with the cookie', async () => {
      const { number, cookie, setCookie } = await newVisitor();
      assert.match(setCookie, /; Path=\/demo; Max-Age=82800; HttpOnly; SameSite=Lax$/);
      assert.doesNotMatch(cookie, new RegExp(number));
      const path = `/orders/${number}/payment`;
      const created = await ask('PUT', path, cookie, { method: 'card' });
      assert.equal(created.data?.clientSecret, 'pi_1_secret');
      const again = await ask('GET', '/order', `other=1; ${cookie}`);
      assert.deepEqual([again.data?.number, again.cookies], [number, []]);
      assert.equal((again.data?.payment as { id?: string }).id, 'pi_1');
      const stranger = await newVisitor();
      assert.equal((await ask('PUT', path, stranger.cookie, { method: 'card' })).status, 409);
      assert.equal((await ask('PUT', path, '', { method: 'card' })).status, 409);
    });

    /** A visitor who has paid, and whose customer has these cards. */
    async function newCustomer(...cards: readonly SavedCard[]) {
      const visitor = await newVisitor();
      await ask('PUT', `/orders/${visitor.number}/payment`, visitor.cookie, { method: 'card' });
      const { customerId = '' } = engine.intents.get(`${visitor.number}-1`) ?? {};
      engine.cards.set(customerId, [...cards]);
      setStatus(`${visitor.number}-1`, 'succeeded');
      return { ...visitor, customerId };
    }
    const cardOf = (id: string, usage: string, isDefault = false): SavedCard => ({
      id,
      paymentMethod: { brand: 'visa', last4: '4242', expiryMonth: 7, expiryYear: 2_034 },
      usage,
      isDefault,
    });

    it("show the saved cards of the visitor's customer, and of nobody else", async () => {
      const { cookie, customerId } = await newCustomer(
        cardOf('spm_1', 'on_session'),
        cardOf('spm_2', 'off_session', true),
      );
      assert.notEqual(customerId, '');
      const shown = (await ask('GET', '/order', cookie)).data?.savedCards;
      const card = { brand: 'visa', last4: '4242', expires: '07/2034' };
      assert.deepEqual(shown, [
        { id: 'spm_2', ...card, renews: true },
        { id: 'spm_1', ...card, renews: false },
      ]);
      const stranger = await newCustomer();
      assert.deepEqual((await ask('GET', '/order', stranger.cookie)).data?.savedCards, []);
      assert.equal((await ask('DELETE', '/saved-cards/spm_1', stranger.cookie)).status, 404);
      assert.equal((await ask('DELETE', '/saved-cards/spm_1', cookie)).status, 200);
      assert.deepEqual(
        engine.cards.get(customerId)?.map(({ id }) => id),
        ['spm_2'],
      );
    });

    it('are made for the customer who is away by a card that may be charged then, and by no other', async () => {
      const { cookie, number } = await newCustomer(cardOf('spm_1', 'on_session'), cardOf('spm_2', 'off_session'));
      const renewal = await ask('POST', '/renewals', cookie, {});
      assert.notEqual(renewal.data?.number, number);
      assert.deepEqual(engine.renewals, [['pi_2', 'spm_2']]);
      const other = await newCustomer(cardOf('spm_3', 'on_session'));
      const refused = await ask('POST', '/renewals', other.cookie, {});
      assert.deepEqual([refused.status, refused.cookies], [409, []]);
      setStatus(`${other.number}-1`, 'requires_action');
      engine.cards.set(other.customerId, [cardOf('spm_4', 'off_session')]);
      assert.equal((await ask('POST', '/renewals', other.cookie, {})).status, 409);
      assert.equal(engine.renewals.length, 1);
    });

    it('are followed by the next order once they are paid', async () => {
      const { number, cookie } = await newVisitor();
      assert.equal((await ask('POST', '/order/next', cookie, {})).data?.number, number);
      await ask('PUT', `/orders/${number}/payment`, cookie, { method: 'card' });
      assert.equal((await ask('POST', '/order/next', cookie, {})).data?.number, number);
      setStatus(`${number}-1`, 'succeeded');
      const next = await ask('POST', '/order/next', cookie, {});
      assert.notEqual(next.data?.number, number);
      assert.equal(next.cookies.length, 1);
      assert.equal(next.data?.payment, null);
    });
  });
});
