import assert from 'node:assert/strict';
import type { Client as TemporalClient } from '@temporalio/client';
import { after, before, describe, it } from 'mocha';
import { attemptIdOf, strayChargeIdOf } from '../../domain/ids.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { TemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { type Client, createClient, type PaymentIntent } from '../../sdk/server/index.ts';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import { readCurrentDetails } from '../support/current-details.ts';
import { assertContains } from '../support/assert-contains.ts';
import { eventually } from '../support/eventually.ts';
import { startTestChain, type TestChain } from '../support/evm-chain.ts';
import { type Follower, followPayment } from '../support/follow-account.ts';
import { startTestStack } from '../support/stack.ts';

/** The quote of every payment: 19.99 dollars at a price of one dollar. */
const QUOTE = 19_990_000n;
const QUOTE_SECONDS = 600;
const CONFIRMATIONS = 6;

/** A chain for the payments of customers in a country, so that the course of time on one does not disturb the others. */
const COUNTRIES = { steady: 'DE', expiring: 'FR', reorganised: 'IT' } as const;
type ChainName = keyof typeof COUNTRIES;

const ASKED = ['payment-processing', 'payment-requires-action'];
const SEEN = [...ASKED, 'payment-processing'];
const SUCCEEDED = 'payment-succeeded, terminal';

const USDC = { type: 'crypto', crypto: { asset: 'USDC', network: 'ethereum' } } as const;

/** A payment that waits for its deposit. */
interface Asked {
  readonly id: string;
  readonly chain: ChainName;
  readonly address: string;
  readonly page: Follower;
}

/** What everybody sees of a payment. */
interface View {
  readonly intent: PaymentIntent;
  /** The entries of the timeline about tokens, without the name of the provider. */
  readonly entries: readonly { readonly summary: string; readonly details: Readonly<Record<string, unknown>> | null }[];
  /** The events that a page was sent. */
  readonly frames: readonly string[];
  /** In the Temporal UI. */
  readonly shown: ShownWorkflow;
}

interface ShownWorkflow {
  readonly details: string;
  readonly status: unknown;
  readonly errorCode: unknown;
  /** Of activities and timers. */
  readonly summaries: readonly string[];
}

describe('deposits on an EVM chain, on a running engine', function () {
  this.timeout(4 * MINUTE_MS);
  let chains: Readonly<Record<ChainName, TestChain>>;
  let engine: TemporaryStack;
  let client: Client;
  let temporal: TemporalClient;
  const pages: Follower[] = [];
  let steadily: Promise<Readonly<Record<'exact' | 'split' | 'larger' | 'seen', View>>>;
  let expired: Promise<Readonly<Record<'smaller' | 'lookalike' | 'late', View>> & { readonly stray: ShownWorkflow }>;
  let takenBack: Promise<Readonly<Record<'early' | 'later', View>>>;

  before('start the engine with an account on each of three chains', async () => {
    const [steady, expiring, reorganised] = await Promise.all([startTestChain(), startTestChain(), startTestChain()]);
    chains = { steady, expiring, reorganised };
    const accounts = Object.entries(chains).map(([name, { credentials }]) => ({
      name,
      environment: 'sandbox',
      credentials: { ...credentials, confirmations: CONFIRMATIONS, quoteSeconds: QUOTE_SECONDS },
    }));
    engine = await startTestStack({ EVM_ACCOUNTS: JSON.stringify(accounts) });
    const { baseUrl, apiKey, secretSalt, temporalAddress } = engine.stack.sandbox;
    client = createClient({ baseUrl, apiKey, secretSalt });
    temporal = createTemporalClient({ address: temporalAddress, namespace: 'default' });
    for (const [provider, country] of Object.entries(COUNTRIES)) {
      await client.paymentRoutes.create({ provider, paymentMethod: 'crypto', countries: [country], priority: 1 });
    }
    [steadily, expired, takenBack] = [paySteadily(), payExpiring(), payReorganised()];
    await Promise.allSettled([steadily, expired, takenBack]);
  });
  after(async () => {
    await Promise.all(pages.map((page) => page.end()));
    await temporal?.connection.close();
    await engine?.end();
    await Promise.all(Object.values(chains ?? {}).map((chain) => chain.close()));
  });

  /** Creates and confirms a payment, with a page that watches it. */
  const ask = async (chain: ChainName): Promise<Asked> => {
    const country = COUNTRIES[chain];
    const { id, clientSecret } = await client.paymentIntents.create({ amount: 1_999, currency: 'USD', country });
    const page = await followPayment([engine.stack.sandbox.baseUrl], clientSecret);
    pages.push(page);
    const { status, nextAction } = await client.paymentIntents.confirm(id, { paymentMethod: USDC });
    assert.equal(status, 'requires_action');
    assert.ok(nextAction?.type === 'crypto_deposit');
    assertContains(nextAction, { amount: '19.990000', confirmationsRequired: CONFIRMATIONS });
    return { id, chain, address: nextAction.address, page };
  };

  const reach = ({ id }: Asked, status: PaymentIntent['status']): Promise<PaymentIntent> =>
    eventually(async () => {
      const intent = await client.paymentIntents.get(id);
      assert.equal(intent.status, status);
      return intent;
    });

  const entriesOf = async ({ id, chain }: Asked): Promise<View['entries']> =>
    (await client.paymentIntents.timeline(id))
      .filter(({ summary }) => summary.includes('USDC'))
      .map(({ summary, details }) => ({ summary: summary.replace(`${chain}: `, ''), details }));

  const shownOf = async (workflowId: string): Promise<ShownWorkflow> => {
    const handle = temporal.workflow.getHandle(workflowId);
    const { typedSearchAttributes } = await handle.describe();
    const { events } = await handle.fetchHistory();
    const texts = (events ?? []).map(({ userMetadata }) => Buffer.from(userMetadata?.summary?.data ?? []).toString());
    return {
      details: await readCurrentDetails(handle),
      status: typedSearchAttributes.get(SEARCH_ATTRIBUTES.status),
      errorCode: typedSearchAttributes.get(SEARCH_ATTRIBUTES.errorCode) ?? null,
      summaries: texts.filter((text) => text !== '').map((text) => String(JSON.parse(text))),
    };
  };

  /** Waits until a payment has a state, and the timeline and the page show so much of it. */
  const view = async (
    asked: Asked,
    status: PaymentIntent['status'],
    count = { entries: 1, frames: 3 },
  ): Promise<View> => {
    const intent = await reach(asked, status);
    const entries = await eventually(async () => {
      const found = await entriesOf(asked);
      assert.equal(found.length, count.entries, JSON.stringify(found));
      return found;
    });
    const frames = await eventually(() => {
      const sent = asked.page.frames.map(({ event, code, terminal }) =>
        [event, ...(code === null ? [] : [` ${String(code)}`]), ...(terminal === true ? [', terminal'] : [])].join(''),
      );
      assert.equal(sent.length, count.frames, sent.join());
      return Promise.resolve(sent);
    });
    const shown = await eventually(async () => {
      const found = await shownOf(asked.id);
      assert.equal(found.status, status);
      return found;
    });
    return { intent, entries, frames, shown };
  };

  /** Deposits that are seen before they are confirmed. */
  const paySteadily = async () => {
    const chain = chains.steady;
    const [exact, split, larger] = [await ask('steady'), await ask('steady'), await ask('steady')];
    await chain.mint(exact.address, QUOTE);
    await chain.mint(split.address, QUOTE - 1n);
    await chain.mint(split.address, 1n);
    await chain.mint(larger.address, QUOTE + 1n);
    for (const asked of [exact, split, larger]) await reach(asked, 'processing');
    const seen = await view(exact, 'processing', { entries: 0, frames: 3 });
    await chain.mine(CONFIRMATIONS);
    const paid = (asked: Asked) => view(asked, 'succeeded', { entries: 1, frames: 4 });
    return { seen, exact: await paid(exact), split: await paid(split), larger: await paid(larger) };
  };

  /** Quotes that expire: one with too little, one with another token, and one whose deposit comes afterwards. */
  const payExpiring = async () => {
    const chain = chains.expiring;
    const [smaller, lookalike, late] = [await ask('expiring'), await ask('expiring'), await ask('expiring')];
    await chain.mint(smaller.address, QUOTE - 1n);
    await chain.mint(lookalike.address, QUOTE, chain.lookalike);
    await chain.pass(QUOTE_SECONDS + 5);
    await chain.mine(CONFIRMATIONS);
    await reach(late, 'requires_payment_method');
    await chain.mint(late.address, QUOTE);
    await chain.mine(CONFIRMATIONS);
    const reversal = strayChargeIdOf(attemptIdOf(late.id, 1));
    // The workflow goes on: it waits until two people have returned the money.
    const stray = await eventually(async () => {
      const found = await shownOf(reversal);
      assert.equal(found.status, 'failed');
      return found;
    });
    return {
      smaller: await view(smaller, 'failed'),
      lookalike: await view(lookalike, 'requires_payment_method'),
      late: await view(late, 'requires_payment_method', { entries: 2, frames: 3 }),
      stray,
    };
  };

  /** A deposit that the chain takes back before it is credited, and sends in another transaction; and one after it. */
  const payReorganised = async () => {
    const chain = chains.reorganised;
    const [early, later] = [await ask('reorganised'), await ask('reorganised')];
    await chain.mint(early.address, QUOTE);
    await reach(early, 'processing');
    await chain.rpc('anvil_reorg', 1, []);
    await chain.mint(early.address, QUOTE + 2n);
    await chain.mine(CONFIRMATIONS);
    const paid = await view(early, 'succeeded', { entries: 1, frames: 4 });
    await chain.mint(later.address, QUOTE);
    await reach(later, 'processing');
    await chain.mine(CONFIRMATIONS);
    await reach(later, 'succeeded');
    await chain.rpc('anvil_reorg', CONFIRMATIONS + 1, []);
    await chain.mine(1);
    return { early: paid, later: await view(later, 'succeeded', { entries: 2, frames: 4 }) };
  };

  it('are seen before they are confirmed', async () => {
    const { seen } = await steadily;
    assertContains(seen.intent, { status: 'processing', nextAction: null, amountCaptured: 0 });
    assert.deepEqual(seen.frames, SEEN);
    assert.equal(seen.shown.status, 'processing');
    assert.match(seen.shown.details, /^- Waits for: steady to report the outcome of attempt 1\.$/m);
    assert.ok(seen.shown.summaries.includes('Ask steady if it has reported nothing by then'));
  });

  for (const [name, title, received] of [
    ['exact', 'pay for the payment once they are confirmed', '19.990000'],
    ['split', 'may come in several transfers', '19.990000'],
    ['larger', 'may be larger', '19.990001'],
  ] as const) {
    it(title, async () => {
      const { [name]: paid } = await steadily;
      assertContains(paid.intent, { status: 'succeeded', amountCaptured: 1_999, provider: 'steady', lastError: null });
      const [entry] = paid.entries;
      assert.equal(entry?.summary, `${received} USDC of 19.990000 USDC arrived in time`);
      const { transactionHashes, receivedAmount, surplusAmount } = entry.details ?? {};
      assert.ok(Array.isArray(transactionHashes));
      assert.equal(transactionHashes.length, name === 'split' ? 2 : 1);
      assert.deepEqual([receivedAmount, surplusAmount], [received, name === 'larger' ? '0.000001' : undefined]);
      assert.deepEqual(paid.frames, [...SEEN, SUCCEEDED]);
      assert.equal(paid.shown.status, 'succeeded');
      assert.match(paid.shown.details, /^- Decided last: USD 19\.99 captured at steady\.$/m);
      assert.match(
        paid.shown.details,
        /^- Attempt 1 at steady: approved, 1 try, steady's payment `0x[0-9a-f]{40}`\.$/m,
      );
      assert.ok(paid.shown.summaries.includes('The customer has acted; steady works on the payment'));
    });
  }

  it('fail with amounts and transactions if they are too small when the quote expires', async () => {
    const { smaller } = await expired;
    const [entry] = smaller.entries;
    assert.equal(entry?.summary, 'only 19.989999 USDC of 19.990000 USDC arrived in time');
    const { lastError } = smaller.intent;
    assert.equal(lastError?.code, 'CRYPTO_DEPOSIT_FAILED');
    assert.deepEqual(lastError.details, { reason: 'underpaid', ...entry.details });
    assertContains(entry.details ?? {}, { expectedAmount: '19.990000', receivedAmount: '19.989999' });
    assert.match(String(entry.details?.['transactionHash']), /^0x[0-9a-f]{64}$/);
    assert.deepEqual(smaller.frames, [...ASKED, 'payment-failed CRYPTO_DEPOSIT_FAILED, terminal']);
    assert.deepEqual([smaller.shown.status, smaller.shown.errorCode], ['failed', 'CRYPTO_DEPOSIT_FAILED']);
    assert.match(smaller.shown.details, /^- Last error: `CRYPTO_DEPOSIT_FAILED` at /m);
  });

  it('do not count if they are of another token: the customer can pay otherwise', async () => {
    const { lookalike } = await expired;
    assertContains(lookalike.intent.lastError, { code: 'PAYMENT_DECLINED' });
    const [entry] = lookalike.entries;
    assert.equal(entry?.summary, 'nothing of 19.990000 USDC arrived in time');
    assertContains(lookalike.intent.lastError?.details, { reason: 'quote_expired', receivedAmount: '0.000000' });
    assert.deepEqual(lookalike.frames, [...ASKED, 'payment-failed PAYMENT_DECLINED']);
    assert.deepEqual(
      [lookalike.shown.status, lookalike.shown.errorCode],
      ['requires_payment_method', 'PAYMENT_DECLINED'],
    );
    assert.match(lookalike.shown.details, /^- Attempt 1 at expiring: declined, `PAYMENT_DECLINED`, 1 try/m);
  });

  it('are stray charges if they come late, which somebody has to return by hand', async () => {
    const { late, stray } = await expired;
    assertContains(late.intent, { status: 'requires_payment_method', amountCaptured: 0 });
    const [, entry] = late.entries;
    assert.equal(entry?.summary, '19.990000 USDC arrived after the deposit had ended');
    assert.match(String(entry.details?.['transactionHash']), /^0x[0-9a-f]{64}$/);
    assert.deepEqual(late.frames, [...ASKED, 'payment-failed PAYMENT_DECLINED']);
    assert.ok(late.shown.summaries.includes('Have the charge of attempt 1 reversed'));
    assert.deepEqual([stray.status, stray.errorCode], ['failed', 'STRAY_CHARGE_NOT_REVERSED']);
    assert.match(stray.details, /^- Stray charge not reversed: expiring refuses to refund USD 19\.99/m);
  });

  it('count where the chain has them at last, if it takes them back before they are confirmed', async () => {
    const { early } = await takenBack;
    const [entry] = early.entries;
    assert.equal(entry?.summary, '19.990002 USDC of 19.990000 USDC arrived in time');
    assert.ok(Array.isArray(entry.details?.['transactionHashes']));
    assert.equal(entry.details['transactionHashes'].length, 1);
    assert.deepEqual(early.frames, [...SEEN, SUCCEEDED]);
    assert.equal(early.shown.status, 'succeeded');
  });

  it('stay credited if the chain takes them back afterwards, and the timeline has which', async () => {
    const { later } = await takenBack;
    assertContains(later.intent, { status: 'succeeded', amountCaptured: 1_999 });
    const [credited, lost] = later.entries;
    assert.equal(credited?.summary, '19.990000 USDC of 19.990000 USDC arrived in time');
    const summary = 'a reorganisation took back a deposit of 19.990000 USDC that was credited; nothing was changed';
    assert.equal(lost?.summary, summary);
    const { transactionHash } = credited.details ?? {};
    assertContains(lost.details ?? {}, { transactionHash, amount: '19.990000', depositStatus: 'credited' });
    assert.deepEqual(later.frames, [...SEEN, SUCCEEDED]);
    assert.equal(later.shown.status, 'succeeded');
    assert.match(later.shown.details, /^- Waits for: nothing; the payment is complete\.$/m);
  });
});
