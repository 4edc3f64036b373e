import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import pg from 'pg';
import { findLink, type FoundLink } from '../../../api/payment-page/found-link.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { UNLIMITED_ADMISSION } from '../../../api/admission.ts';
import { cancelPayment, openPayment, type OpeningDependencies } from '../../../api/payment-page/open-payment.ts';
import { readPageState } from '../../../api/payment-page/page-state.ts';
import type { VisitorPayment } from '../../../api/payment-page/visitor-cookie.ts';
import { createPaymentLinkBody } from '../../../contract/schemas/payment-link.ts';
import { readPaymentLink } from '../../../api/resources/payment-links/stored-link.ts';
import { linkTokensOf } from '../../../api/resources/payment-links/token.ts';
import { insertPaymentLink } from '../../../api/resources/payment-links/write.ts';
import { newId } from '../../../domain/new-id.ts';
import { LINK_ACTION_IDLE_MS, LINK_CONFIRM_MS } from '../../../domain/payment-link.ts';
import { MAXIMUM_UNCONFIRMED_PAYMENTS } from '../../../prisma/queries/payment-link.ts';
import { linkOfConfirm, takePlace } from '../../../api/resources/payment-intents/place-of-link.ts';
import { deletePayments } from '../../../prisma/queries/purge.ts';
import type { UpdateAnswer } from '../../../workflow-client/payment-workflows.ts';
import { createKeyring } from '../../../vault/keyring.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { eventually } from '../../support/eventually.ts';
import { principalWith } from '../../support/principal.ts';
import { insertCustomer, saveCard } from '../../support/saved-cards.ts';
import { waitForBlockedStatement } from '../../support/blocked-statement.ts';

const keyOf = (id: string, fill: number) => ({ id, bytes: Buffer.alloc(32, fill) });
const KEYRING = createKeyring([keyOf('new', 2), keyOf('old', 1)]);

describe('a payment of a payment link', () => {
  const fixture = useAccount();
  const scope = () => ({ merchantAccountId: fixture.account, environment: 'sandbox' }) as const;
  let dependencies: OpeningDependencies;
  let calls: string[];
  /** What workflows answer to cancels, in turn; then they cancel. */
  let answers: UpdateAnswer[];

  before(() => {
    const workflows: OpeningDependencies['workflows'] = {
      start: () => Promise.resolve(),
      takeOver: async ({ paymentIntentId }) => {
        calls.push(`take over ${paymentIntentId}`);
        return true;
      },
      cancel: async (id, _updateId, { reason }) => {
        calls.push(`cancel ${id}: ${reason}`);
        const answer = answers.shift();
        if (answer !== undefined) return answer;
        await end(id, 'canceled');
        return { kind: 'done', result: { status: 'canceled', error: null } };
      },
    };
    const admission = UNLIMITED_ADMISSION;
    dependencies = { database: fixture.database, keyring: KEYRING, workflows, admission, confirmWaitMs: 1_000 };
  });
  beforeEach(() => {
    calls = [];
    answers = [];
  });

  async function createLink(fields: object = {}): Promise<FoundLink> {
    const id = newId('paymentLink');
    const { merchantId } = await fixture.database.merchantAccount.findUniqueOrThrow({ where: { id: fixture.account } });
    const body = createPaymentLinkBody.parse({ amount: 1_000, currency: 'USD', ...fields });
    const principal = principalWith({ ...scope(), merchantId });
    await insertPaymentLink({ ...dependencies, apiPublicUrl: null }, principal, { id, fields: body });
    return await find(id);
  }

  async function find(id: string): Promise<FoundLink> {
    const found = await findLink(fixture.database, linkTokensOf(KEYRING, id)[0]);
    assert.ok(found);
    return found;
  }

  const open = (link: FoundLink) => openPayment(dependencies, link, () => undefined);
  const end = (id: string, status: string) =>
    fixture.database.paymentIntent.update({ where: { id }, data: { status, updatedAt: new Date(0) } });
  /** The payment was opened or declined a while ago, and nothing has happened since. */
  const leave = (payment: VisitorPayment | null) => end(payment?.paymentIntentId ?? '', 'requires_payment_method');
  const takePlaceFor = async ({ paymentIntentId }: VisitorPayment, pageAddress = '192.0.2.1') => {
    const { merchantId } = await fixture.database.merchantAccount.findUniqueOrThrow({ where: { id: fixture.account } });
    const page = { ...scope(), merchantId, pageAddress };
    const link = await linkOfConfirm(fixture.database, page, paymentIntentId);
    await takePlace(dependencies, page, { paymentIntentId, link });
  };
  /** As the page confirms the payment. */
  const confirm = async (payment: VisitorPayment | null, pageAddress?: string) => {
    assert.ok(payment);
    await takePlaceFor(payment, pageAddress);
    await fixture.database.paymentIntent.update({
      where: { id: payment.paymentIntentId },
      data: { status: 'processing', statusSince: new Date() },
    });
  };
  const paymentsOf = (link: FoundLink) =>
    fixture.database.paymentLinkPayment.count({ where: { paymentLinkId: link.link.id } });

  it('keeps others from paying only once it is confirmed, and is the only one then, however many confirm at once', async () => {
    const link = await createLink();
    const opened = await Promise.all(Array.from({ length: 10 }, () => open(link)));
    assert.equal(opened.filter((payment) => payment !== null).length, 10);
    const confirmed = await Promise.allSettled(opened.map((payment) => confirm(payment)));
    assert.equal(confirmed.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const each of confirmed)
      if (each.status === 'rejected') assert.equal((each.reason as ApiError).code, 'STATE_CONFLICT');
    assert.equal(await open(await find(link.link.id)), null);
    assert.deepEqual(calls, []);
  });

  it('gives its place back when its confirm has failed', async () => {
    const link = await createLink();
    const [first, second] = [await open(link), await open(link)];
    await confirm(first);
    await assert.rejects(confirm(second), { code: 'STATE_CONFLICT' });
    await fixture.database.paymentIntent.update({
      where: { id: first?.paymentIntentId ?? '' },
      data: { status: 'requires_payment_method', updatedAt: new Date() },
    });
    await confirm(second);
    await assert.rejects(confirm(first), { code: 'STATE_CONFLICT' });
  });

  it('keeps its place for two minutes while its confirm has not begun', async () => {
    const link = await createLink();
    const [first, second] = [await open(link), await open(link)];
    assert.ok(first);
    await takePlaceFor(first);
    await assert.rejects(confirm(second), { code: 'STATE_CONFLICT' });
    await fixture.database.paymentLinkPayment.update({
      where: { id: first?.paymentIntentId ?? '' },
      data: { confirmedAt: new Date(Date.now() - LINK_CONFIRM_MS - 1_000) },
    });
    await confirm(second);
  });

  it('is canceled for another browser once its customer has left it in 3-D Secure, and not before', async () => {
    const link = await createLink();
    const first = await open(link);
    assert.ok(first);
    await confirm(first);
    const actSince = (statusSince: Date) =>
      fixture.database.paymentIntent.update({
        where: { id: first.paymentIntentId },
        data: { status: 'requires_action', statusSince },
      });
    await actSince(new Date());
    const stateOf = async (visitor: VisitorPayment | null) =>
      await readPageState(fixture.database, await find(link.link.id), visitor);
    assert.equal((await stateOf(null)).status, 'busy');
    assert.equal(await open(await find(link.link.id)), null);
    assert.deepEqual(calls, []);
    await actSince(new Date(Date.now() - LINK_ACTION_IDLE_MS - 1_000));
    assert.equal((await stateOf(null)).status, 'active');
    const second = await open(await find(link.link.id));
    assert.ok(second);
    assert.deepEqual(calls, [`cancel ${first.paymentIntentId}: abandoned`]);
    await confirm(second);
    const seen = await stateOf(first);
    assert.deepEqual(
      [seen.status, seen.payment?.id, seen.payment?.status],
      ['busy', first.paymentIntentId, 'canceled'],
    );
  });

  it('makes room for a browser that opened its own before, once its customer has left it in 3-D Secure', async () => {
    const link = await createLink();
    const [first, second] = [await open(link), await open(link)];
    assert.ok(first);
    await confirm(first);
    const actSince = (statusSince: Date) =>
      fixture.database.paymentIntent.update({
        where: { id: first.paymentIntentId },
        data: { status: 'requires_action', statusSince },
      });
    await actSince(new Date());
    await assert.rejects(confirm(second), { code: 'STATE_CONFLICT' });
    assert.deepEqual(calls, []);
    await actSince(new Date(Date.now() - LINK_ACTION_IDLE_MS - 1_000));
    await confirm(second);
    assert.deepEqual(calls, [`cancel ${first.paymentIntentId}: abandoned`]);
  });

  it('makes room at once where its customer has held the link before, by an earlier card or by an earlier payment', async () => {
    const { paymentIntent, paymentLinkPayment, paymentAttempt } = fixture.database;
    const longAgo = new Date(Date.now() - LINK_ACTION_IDLE_MS - 1_000);
    const waitIn3ds = async (payment: VisitorPayment | null, pageAddress: string) => {
      await confirm(payment, pageAddress);
      const where = { id: payment?.paymentIntentId ?? '' };
      await paymentIntent.update({ where, data: { status: 'requires_action', statusSince: new Date() } });
    };
    const [byCards, byPayments] = [await createLink(), await createLink()];
    // The second card of a payment whose first one waited for ten minutes.
    const [first, second] = [await open(byCards), await open(byCards)];
    assert.ok(first);
    await waitIn3ds(first, '192.0.2.7');
    await assert.rejects(confirm(second), { code: 'STATE_CONFLICT' });
    const { paymentIntentId } = first;
    const route = { number: 1, routeId: 'rt_1', provider: 'alpha', paymentMethodId: 'pm_1', tries: 1 };
    const terms = { amountMinor: 1_000n, currency: 'USD', outcome: 'declined', startedAt: longAgo };
    await paymentAttempt.create({ data: { id: newId('attempt'), paymentIntentId, ...route, ...terms } });
    await confirm(second);
    assert.deepEqual(calls, [`cancel ${paymentIntentId}: abandoned`]);

    // The second payment of a network whose first one was canceled.
    calls.length = 0;
    const [third, fourth, fifth, honest] = [
      await open(byPayments),
      await open(byPayments),
      await open(byPayments),
      await open(byPayments),
    ];
    await waitIn3ds(third, '2001:db8:1:100::1');
    const where = { id: third?.paymentIntentId ?? '' };
    await paymentLinkPayment.update({ where, data: { confirmedAt: longAgo } });
    await end(where.id, 'canceled');
    await waitIn3ds(honest, '198.51.100.1');
    await assert.rejects(confirm(fourth, '2001:db8:1:1ff::2'), { code: 'STATE_CONFLICT' });
    await end(honest?.paymentIntentId ?? '', 'canceled');
    await waitIn3ds(fourth, '2001:db8:1:1ff::2');
    await confirm(fifth, '203.0.113.5');
    assert.deepEqual(calls, [`cancel ${fourth?.paymentIntentId}: abandoned`]);
  });

  it('is never canceled for another browser while it is processed', async () => {
    const link = await createLink();
    const first = await open(link);
    assert.ok(first);
    await confirm(first);
    await fixture.database.paymentIntent.update({
      where: { id: first.paymentIntentId },
      data: { statusSince: new Date(0), updatedAt: new Date(0) },
    });
    assert.equal(await open(await find(link.link.id)), null);
    assert.deepEqual(calls, []);
  });

  it('is canceled by its customer also where its workflow was ended by hand', async () => {
    const link = await createLink();
    const payment = await open(link);
    assert.ok(payment);
    answers = [{ kind: 'finished' }];
    await cancelPayment(dependencies, link, payment);
    const { paymentIntentId } = payment;
    const cancel = `cancel ${paymentIntentId}: requested_by_customer`;
    assert.deepEqual(calls, [cancel, `take over ${paymentIntentId}`, cancel]);
  });

  it('is canceled only as far as admission control allows', async () => {
    const link = await createLink();
    const payment = await open(link);
    assert.ok(payment);
    const acquire = (): never => {
      throw new ApiError('SERVICE_UNAVAILABLE');
    };
    const refused = cancelPayment({ ...dependencies, admission: { ...UNLIMITED_ADMISSION, acquire } }, link, payment);
    await assert.rejects(refused, { code: 'SERVICE_UNAVAILABLE' });
    assert.deepEqual(calls, []);
  });

  it('waits for whoever has locked the link', async () => {
    const link = await createLink();
    const first = new pg.Client({ connectionString: fixture.url });
    await first.connect();
    try {
      await first.query('BEGIN');
      await first.query('SELECT FROM payment_link WHERE id = $1 FOR NO KEY UPDATE', [link.link.id]);
      const opening = open(link);
      await waitForBlockedStatement(fixture.database);
      await first.query('UPDATE payment_link SET active = false WHERE id = $1', [link.link.id]);
      await first.query('COMMIT');
      assert.equal(await opening, null);
    } finally {
      await first.end();
    }
    assert.equal(await paymentsOf(link), 0);
  });

  it('is followed by another one only if it ended unpaid', async () => {
    const link = await createLink();
    const first = await open(link);
    await end(first?.paymentIntentId ?? '', 'expired');
    const second = await open(link);
    assert.notEqual(second?.paymentIntentId, first?.paymentIntentId);
    await end(second?.paymentIntentId ?? '', 'succeeded');
    assert.equal(await open(link), null);
    assert.equal(await open(link), null);
    const { paidPayments, openPayments, paidCount } = await readPaymentLink(fixture.database, scope(), link.link.id);
    assert.deepEqual([paidPayments, openPayments, paidCount], [1, 0, 1]);
  });

  it('still counts after the purge has deleted it', async () => {
    const link = await createLink();
    const payment = await open(link);
    await end(payment?.paymentIntentId ?? '', 'succeeded');
    await fixture.database.direct.execute(deletePayments({ keepDays: 1, limit: 100 }));
    assert.equal(await paymentsOf(link), 0);
    assert.equal(await open(await find(link.link.id)), null);
  });

  it('is counted once where the purge comes while the next payment is opened', async () => {
    const link = await createLink({ maxPayments: null });
    const payment = await open(link);
    const id = payment?.paymentIntentId ?? '';
    await end(id, 'succeeded');
    const purge = () => fixture.database.direct.execute(deletePayments({ keepDays: 1, limit: 100 }));
    const opening = new pg.Client({ connectionString: fixture.url });
    await opening.connect();
    try {
      await opening.query('BEGIN');
      await opening.query('SELECT FROM payment_link WHERE id = $1 FOR NO KEY UPDATE', [link.link.id]);
      await opening.query(`UPDATE payment_link_payment SET outcome = 'paid' WHERE id = $1`, [id]);
      await opening.query('UPDATE payment_link SET paid_count = paid_count + 1 WHERE id = $1', [link.link.id]);
      let isPurged = false;
      const purging = purge().finally(() => (isPurged = true));
      await eventually(async () => {
        const waiting = await fixture.database.$queryRaw<readonly object[]>`SELECT pid FROM pg_locks WHERE NOT granted`;
        assert.ok(isPurged || waiting.length > 0, 'the purge has not begun');
      });
      await opening.query('COMMIT');
      await purging;
    } finally {
      await opening.end();
    }
    await purge();
    assert.equal(await paymentsOf(link), 0);
    const { paidPayments, paidCount } = await readPaymentLink(fixture.database, scope(), link.link.id);
    assert.deepEqual([paidPayments, paidCount], [1, 1]);
  });

  it('is opened in place of an idle one where very many are open', async () => {
    const link = await createLink({ maxPayments: null });
    const first = await open(link);
    await fixture.database.$executeRaw`
      WITH copies AS (
        INSERT INTO payment_intent SELECT (jsonb_populate_record(i, jsonb_build_object('id', 'pi_copy_' || n, 'client_secret_hash', 'copy_' || n))).*
        FROM payment_intent i, generate_series(2, ${MAXIMUM_UNCONFIRMED_PAYMENTS}::int) n WHERE i.id = ${first?.paymentIntentId}
        RETURNING id)
      INSERT INTO payment_link_payment (id, payment_link_id, merchant_account_id, environment, created_at)
      SELECT copies.id, p.payment_link_id, p.merchant_account_id, p.environment, p.created_at + interval '1 second'
      FROM copies, payment_link_payment p WHERE p.id = ${first?.paymentIntentId}`;
    assert.equal(await open(link), null);
    await leave(first);
    assert.ok(await open(link));
    assert.deepEqual(calls, [`cancel ${first?.paymentIntentId}: abandoned`]);
  });

  it("is the link's customer's, who may save a card, and sees the saved ones where the merchant vouches", async () => {
    const customerId = await insertCustomer(fixture.database, fixture.account);
    await saveCard(fixture.database, fixture.account, { customerId });
    const stateOf = async (link: FoundLink) => await readPageState(fixture.database, link, null);
    const saving = await createLink({ customerId, setupFutureUsage: 'on_session', maxPayments: null });
    const { savesCardFor, savedCards } = await stateOf(saving);
    assert.deepEqual([savesCardFor, savedCards], ['on_session', []]);
    const vouching = await createLink({ customerId, allowSavedPaymentMethods: true, maxPayments: null });
    const shown = await stateOf(vouching);
    assert.equal(shown.savesCardFor, null);
    assert.deepEqual(
      shown.savedCards.map(({ paymentMethod, isDefault }) => [paymentMethod.last4, isDefault]),
      [['4242', false]],
    );
    const columns = { customerId: true, setupFutureUsage: true, allowSavedPaymentMethods: true } as const;
    const intentOf = async (link: FoundLink) =>
      await fixture.database.paymentIntent.findUnique({
        where: { id: (await open(link))?.paymentIntentId ?? '' },
        select: columns,
      });
    assert.deepEqual(await intentOf(saving), {
      customerId,
      setupFutureUsage: 'on_session',
      allowSavedPaymentMethods: false,
    });
    assert.deepEqual(await intentOf(vouching), { customerId, setupFutureUsage: null, allowSavedPaymentMethods: true });
  });

  it("is nobody's once the customer of the link was deleted, and nothing is saved", async () => {
    const customerId = await insertCustomer(fixture.database, fixture.account);
    const members = { customerId, setupFutureUsage: 'off_session', allowSavedPaymentMethods: true };
    const before = await createLink(members);
    await fixture.database.customer.delete({ where: { id: customerId } });
    assert.equal(await open(before), null);
    const found = await find(before.link.id);
    const { savesCardFor, savedCards, status } = await readPageState(fixture.database, found, null);
    assert.deepEqual([savesCardFor, savedCards, status], [null, [], 'active']);
    const opened = await open(found);
    const intent = await fixture.database.paymentIntent.findUnique({ where: { id: opened?.paymentIntentId ?? '' } });
    assert.deepEqual([intent?.customerId, intent?.allowSavedPaymentMethods], [null, false]);
  });

  it('saves and uses cards of a customer of the account alone', async () => {
    await assert.rejects(createLink({ customerId: newId('customer') }), { code: 'CUSTOMER_NOT_FOUND' });
    for (const members of [{ setupFutureUsage: 'on_session' }, { allowSavedPaymentMethods: true }]) {
      const { error } = createPaymentLinkBody.safeParse({ amount: 1_000, currency: 'USD', ...members });
      assert.match(error?.message ?? '', /Add customerId/);
    }
  });

  it('belongs to a link whose address stays the same while the root key of its token is known', async () => {
    const id = newId('paymentLink');
    const { merchantId } = await fixture.database.merchantAccount.findUniqueOrThrow({ where: { id: fixture.account } });
    const old = { ...dependencies, keyring: createKeyring([keyOf('old', 1)]), apiPublicUrl: 'https://api.example' };
    const body = createPaymentLinkBody.parse({ amount: 1_000, currency: 'USD' });
    await insertPaymentLink(old, principalWith({ ...scope(), merchantId }), { id, fields: body });
    const [token] = linkTokensOf(old.keyring, id);
    assert.ok(linkTokensOf(KEYRING, id).includes(token));
    assert.equal((await findLink(fixture.database, token))?.link.id, id);
  });
});
