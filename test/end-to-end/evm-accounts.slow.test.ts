import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { providerAccountResource, providerAccountTestResource } from '../../contract/schemas/provider-account.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { createClient, type PaymentIntent } from '../../sdk/server/index.ts';
import { assertContains } from '../support/assert-contains.ts';
import { assertRefused } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { startTestChain, TEST_XPUB, type TestChain } from '../support/evm-chain.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { type Client, clientOf, problemsOf, resourceOf } from '../support/resources.ts';
import { queryStack } from '../support/stack-database.ts';
import { getDataDir } from '../support/stack.ts';

const USDC = { type: 'crypto', crypto: { asset: 'USDC', network: 'ethereum' } } as const;
/** 19.99 dollars at a price of one dollar. */
const QUOTE = 19_990_000n;
const QUOTE_SECONDS = 600;
const CONFIRMATIONS = 3;
/** A part of the node's address that nobody may read. */
const NODE_KEY = 'key-of-the-node-5f1c';

describe("a merchant's own account on an EVM chain", function () {
  this.timeout(4 * MINUTE_MS);
  let chain: TestChain;
  let merchant: TestMerchant;
  let send: Client;
  let client: ReturnType<typeof createClient>;
  let credentials: object;

  before(async () => {
    [chain, merchant] = await Promise.all([startTestChain(), createMerchant()]);
    await queryStack('DELETE FROM payment_route WHERE merchant_id = $1', [merchant.merchantId]);
    send = clientOf(merchant.credentials);
    client = createClient(merchant.credentials);
    const rpcUrl = `${chain.url}/?${NODE_KEY}`;
    credentials = { ...chain.credentials, rpcUrl, confirmations: CONFIRMATIONS, quoteSeconds: QUOTE_SECONDS };
  });
  after(() => chain?.close());

  const create = (changes: object = {}) =>
    send('POST', '/provider-accounts', { kind: 'evm', name: 'Deposits', credentials: { ...credentials, ...changes } });
  const account = async () => resourceOf(await create(), providerAccountResource, 201);

  const ask = async (): Promise<{ readonly id: string; readonly address: string }> => {
    const { id } = await client.paymentIntents.create({ amount: 1_999, currency: 'USD' });
    const { nextAction } = await client.paymentIntents.confirm(id, { paymentMethod: USDC });
    assert.ok(nextAction?.type === 'crypto_deposit');
    assertContains(nextAction, { amount: '19.990000', confirmationsRequired: CONFIRMATIONS });
    return { id, address: nextAction.address };
  };
  const reach = (id: string, status: PaymentIntent['status']): Promise<PaymentIntent> =>
    eventually(async () => {
      const intent = await client.paymentIntents.get(id);
      assert.equal(intent.status, status);
      return intent;
    });

  it('is made over REST, is tested at its node, and shows neither key nor node', async () => {
    const made = await account();
    assert.match(made.id, /^evm_[0-9a-f]{32}$/);
    assert.deepEqual(made.capabilities.paymentMethods, ['crypto']);
    assertContains(made.publicCredentials, { chainId: '31337', network: 'ethereum', confirmations: '3' });
    assert.deepEqual(JSON.parse(made.publicCredentials['tokens'] ?? ''), chain.credentials.tokens);
    const test = (id: string) => send('POST', `/provider-accounts/${id}/test`, {});
    assert.deepEqual(resourceOf(await test(made.id), providerAccountTestResource).reason, null);
    const [token] = chain.credentials.tokens;
    const other = resourceOf(
      await create({ tokens: [{ ...token, contract: `0x${'12'.repeat(20)}` }] }),
      providerAccountResource,
      201,
    );
    assertContains(resourceOf(await test(other.id), providerAccountTestResource), {
      ok: false,
      reason: 'There is no contract at the address of USDC.',
    });
    await send('DELETE', `/provider-accounts/${other.id}`, {});
    const shown: unknown[] = [made, (await send('GET', `/audit-events?resourceId=${made.id}`)).body];
    shown.push((await send('GET', '/requests?limit=100')).body);
    const folder = path.join(getDataDir(), 'logs');
    for (const name of await readdir(folder)) shown.push(await readFile(path.join(folder, name), 'utf8'));
    const text = JSON.stringify(shown);
    assert.ok(!text.includes(TEST_XPUB) && !text.includes(NODE_KEY));
  });

  it('refuses wrong credentials by the name of the member, without the value, and a private key as leaked', async () => {
    const [token] = chain.credentials.tokens;
    const priceFeed = { address: 'nowhere-at-all', maximumAgeSeconds: 60 };
    const wrong = await create({ tokens: [{ ...token, priceFeed }], confirmations: -1, xpub: 'not-a-key' });
    assert.deepEqual(problemsOf(wrong), [
      'credentials.confirmations:min',
      'credentials.tokens.0.priceFeed.address:invalid',
      'credentials.xpub:invalid',
    ]);
    const xprv =
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
    const leaked = await create({ xpub: xprv });
    assert.match(JSON.stringify(leaked.body), /extended public key.*leaked/);
    const metadata = await create({ rpcUrl: `https://169.254.169.254/${NODE_KEY}` });
    assert.deepEqual(problemsOf(metadata), ['credentials.rpcUrl:invalid']);
    const text = JSON.stringify([wrong.body, leaked.body, metadata.body]);
    for (const value of ['nowhere-at-all', 'not-a-key', xprv.slice(4), NODE_KEY]) assert.ok(!text.includes(value));
  });

  it('takes deposits by a route that names it, and sees late ones after it was switched off', async () => {
    const { id: provider } = await account();
    await client.paymentRoutes.create({ provider, paymentMethod: 'crypto', priority: 1 });
    const paid = await ask();
    await chain.mint(paid.address, QUOTE);
    await reach(paid.id, 'processing');
    await chain.mine(CONFIRMATIONS);
    assertContains(await reach(paid.id, 'succeeded'), { amountCaptured: 1_999, provider });

    const late = await ask();
    await chain.pass(QUOTE_SECONDS + 5);
    await chain.mine(CONFIRMATIONS);
    await reach(late.id, 'requires_payment_method');
    resourceOf(await send('PATCH', `/provider-accounts/${provider}`, { status: 'disabled' }), providerAccountResource);
    await chain.mint(late.address, QUOTE);
    await chain.mine(CONFIRMATIONS);
    await eventually(async () => {
      const entries = await client.paymentIntents.timeline(late.id);
      assert.ok(entries.some(({ summary }) => summary.includes('19.990000 USDC arrived after the deposit had ended')));
    });
    assertContains(await client.paymentIntents.get(late.id), { amountCaptured: 0 });
    const moved = await send('POST', `/provider-accounts/${provider}/rotate`, {
      credentials: { ...credentials, chainId: 1 },
    });
    assertRefused(moved, 422, 'VALIDATION_ERROR');
    assert.deepEqual(problemsOf(moved), ['credentials.chainId:invalid']);
  });
});
