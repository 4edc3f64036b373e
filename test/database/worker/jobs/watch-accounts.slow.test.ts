import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { HDKey } from '@scure/bip32';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  checkCredentials,
  insertAccount,
  rotateCredentials,
  updateAccount,
} from '../../../../accounts/provider-accounts/write.ts';
import { attemptIdOf } from '../../../../domain/ids.ts';
import { newUniquePart } from '../../../../domain/new-id.ts';
import { createDepositStore } from '../../../../prisma/stores/deposit-store.ts';
import { createProviderAccounts } from '../../../../vault/provider-accounts.ts';
import { createWatchedAccounts } from '../../../../worker/jobs/watched-accounts.ts';
import { createCheckedFetchers } from '../../../../webhooks/checked-fetch.ts';
import { createTargetPolicies } from '../../../../webhooks/target-policy.ts';
import { createAccountWatcher } from '../../../../worker/jobs/watch-accounts.ts';
import { depositRequestOf } from '../../../support/asked-deposit.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { startTestChain, type TestChain } from '../../../support/evm-chain.ts';
import { closeServer, listenLocally } from '../../../support/local-server.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../../support/payment-rows.ts';
import { accountAccess, ACCOUNTS_KEYRING as keyring } from '../../../support/provider-accounts.ts';
import { createTestKinds, PUBLIC_TARGETS } from '../../../support/provider-kinds.ts';

const SIGNAL = new AbortController().signal;
const ASKED = 10_000_000n;
const LIMITS = { concurrency: 2, slowConcurrency: 1, slowMs: 5_000, longestMs: 60_000 };
const TIMEOUT_MS = 60_000;
const DAY_MS = 86_400_000;

describe('accounts of merchants on EVM chains', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let chain: TestChain;
  let merchantAccountId: string;
  const servers: Server[] = [];
  const webhookTargets = createTargetPolicies({ allowPrivateInSandbox: true });
  const fetchers = createCheckedFetchers(webhookTargets, null);

  before(async () => {
    [test, chain] = await Promise.all([createTestDatabase(), startTestChain()]);
    merchantAccountId = await insertMerchantAccount(test.database);
  });
  after(() => Promise.all([test.close(), chain.close()]));
  afterEach(async () => {
    for (const server of servers.splice(0)) await closeServer(server);
    await test.database.depositCursor.deleteMany();
  });

  const kinds = (changes = {}) =>
    createTestKinds({
      apiUrls: new Map(),
      timeoutMs: 5_000,
      allowSimulatorInProduction: false,
      deposits: createDepositStore(test.database),
      fetchers,
      ...changes,
    });
  const access = async () => {
    const { dependencies, principal } = await accountAccess(test.database, merchantAccountId);
    return { principal, dependencies: { ...dependencies, providerKinds: kinds(), webhookTargets } };
  };
  const insert = async (credentials: object = {}): Promise<string> => {
    const { dependencies, principal } = await access();
    const fields = { kind: 'evm', name: 'Deposits', credentials: { ...chain.credentials, ...credentials } } as const;
    return (await insertAccount(dependencies, principal, { unique: newUniquePart(), fields })).id;
  };
  const rotate = async (id: string, credentials: object) => {
    const { dependencies, principal } = await access();
    await rotateCredentials(dependencies, principal, {
      id,
      rotationId: 'rotation_1',
      credentials: { ...chain.credentials, ...credentials },
    });
  };

  /** An address that an account has given out. */
  const ask = async (provider: string): Promise<{ readonly attemptId: string; readonly address: string }> => {
    const paymentIntentId = await insertPaymentIntent(test.database, merchantAccountId, { status: 'processing' });
    const attemptId = attemptIdOf(paymentIntentId, 1);
    const terms = { amountMinor: 1_000, currency: 'USD' };
    const attempt = { routeId: 'rt_1', provider, paymentMethodId: 'pm_1', tries: 1, startedAt: new Date() };
    await test.database.paymentAttempt.create({
      data: { id: attemptId, paymentIntentId, number: 1, ...terms, ...attempt },
    });
    const adapter = await createProviderAccounts({ database: test.database, keyring, kinds: kinds() }).find(provider);
    assert.ok(adapter);
    const startedAt = new Date().toISOString();
    const request = depositRequestOf({ attemptId, paymentIntentId, startedAt, ...terms });
    const outcome = await adapter.authorize(request, SIGNAL);
    assert.ok(outcome.kind === 'requires_action' && outcome.nextAction.type === 'crypto_deposit');
    return { attemptId, address: outcome.nextAction.address };
  };
  const watched = () => createWatchedAccounts({ database: test.database, keyring, timeoutMs: TIMEOUT_MS, fetchers });
  const startWatcher = (logged: object[] = [], limits = LIMITS) => {
    const log = (fields: object): void => void logged.push(fields);
    const logger = { info: log, warn: log, error: log };
    const accounts = { depositAccounts: [], watchedAccounts: watched() };
    return createAccountWatcher({ database: test.database, logger, ...accounts }, limits);
  };
  const statusOf = async (attemptId: string) =>
    (await test.database.depositAddress.findUniqueOrThrow({ where: { attemptId } })).status;

  /** A node that takes requests and answers none. */
  const startSilentNode = async () => {
    let requests = 0;
    const server = createServer(() => {
      requests += 1;
    });
    servers.push(server);
    return {
      url: await listenLocally(server),
      requests: () => requests,
      hangUp: () => server.closeAllConnections(),
    };
  };

  it('are read beside those whose nodes do not answer', async () => {
    const silent = await startSilentNode();
    const good = await insert();
    const { attemptId, address } = await ask(good);
    const broken: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const id = await insert();
      await ask(id);
      await rotate(id, { rpcUrl: silent.url });
      broken.push(id);
    }
    const logged: Readonly<Record<string, unknown>>[] = [];
    const watcher = startWatcher(logged, { ...LIMITS, concurrency: 1, slowConcurrency: 1 });
    await watcher.run(SIGNAL);
    // Each is read for the first time before it is known to be slow.
    await eventually(() => {
      silent.hangUp();
      assert.deepEqual(new Set(logged.map(({ provider }) => provider)), new Set(broken));
      return Promise.resolve();
    });
    await watcher.finished();
    const requests = silent.requests();
    await chain.mint(address, ASKED);
    await chain.mine(3);
    await eventually(async () => {
      await watcher.run(SIGNAL);
      assert.ok(silent.requests() > requests, 'a broken one is being read');
      assert.equal(await statusOf(attemptId), 'credited');
    });
    silent.hangUp();
    await eventually(async () => {
      silent.hangUp();
      await Promise.race([watcher.finished(), wait(10).then(() => assert.fail('still being read'))]);
    });
  });

  it('are read after a pause if they failed, with their new credentials', async () => {
    const id = await insert();
    const { attemptId, address } = await ask(id);
    await rotate(id, { rpcUrl: 'http://127.0.0.1:1' });
    const logged: Readonly<Record<string, unknown>>[] = [];
    const watcher = startWatcher(logged);
    await watcher.run(SIGNAL);
    await watcher.finished();
    const [failure] = logged;
    assert.deepEqual([failure?.['provider'], failure?.['failures']], [id, 1]);
    assert.match(String(failure?.['err']), /ECONNREFUSED/);
    await watcher.run(SIGNAL);
    await watcher.finished();
    assert.equal(logged.length, 1);
    await rotate(id, {});
    await chain.mint(address, ASKED);
    await chain.mine(3);
    await eventually(async () => {
      await watcher.run(SIGNAL);
      assert.equal(await statusOf(attemptId), 'credited');
    });
    await watcher.finished();
  });

  it('are read after the same pause if the clock is set back meanwhile', async () => {
    const id = await insert();
    const { attemptId, address } = await ask(id);
    await rotate(id, { rpcUrl: 'http://127.0.0.1:1' });
    const watcher = startWatcher();
    await watcher.run(SIGNAL);
    await watcher.finished();
    await rotate(id, {});
    await chain.mint(address, ASKED);
    await chain.mine(3);
    const { now } = Date;
    Date.now = () => now() - DAY_MS;
    try {
      await eventually(async () => {
        await watcher.run(SIGNAL);
        assert.equal(await statusOf(attemptId), 'credited');
      });
    } finally {
      Date.now = now;
    }
    await watcher.finished();
  });

  it('are watched while they are active, while a deposit is open, and some days longer', async () => {
    const idle = await insert();
    const active = await insert();
    await ask(active);
    const disabled = await insert();
    const { attemptId } = await ask(disabled);
    const { dependencies, principal } = await access();
    await updateAccount(dependencies, principal, { id: disabled, fields: { status: 'disabled' } });
    const isWatched = async () => {
      const ids = (await watched().readPage(undefined)).map(({ id }) => id);
      assert.ok(ids.includes(active) && !ids.includes(idle));
      return ids.includes(disabled);
    };
    const changed = (daysAgo: number) =>
      test.database.providerAccount.update({
        where: { id: disabled },
        data: { updatedAt: new Date(Date.now() - daysAgo * DAY_MS) },
      });
    await changed(365);
    assert.equal(await isWatched(), true);
    await test.database.depositAddress.update({ where: { attemptId }, data: { status: 'expired' } });
    assert.equal(await isWatched(), false);
    await changed(29);
    assert.equal(await isWatched(), true);
  });

  it('give out no index of the wallet twice, whichever wallet an account has', async () => {
    const [one, other] = [await insert(), await insert()];
    const asked = [await ask(one), await ask(other)];
    const xpub = HDKey.fromMasterSeed(Buffer.alloc(32, 1)).derive("m/44'/60'/0'").publicExtendedKey;
    await rotate(one, { xpub });
    asked.push(await ask(one));
    const rows = await test.database.depositAddress.findMany({
      where: { attemptId: { in: asked.map(({ attemptId }) => attemptId) } },
    });
    assert.equal(new Set(rows.map(({ derivationIndex }) => derivationIndex)).size, 3);
    assert.equal(new Set(rows.map(({ address }) => address)).size, 3);
  });

  it('stay on their chain, and keep their contracts', async () => {
    const id = await insert();
    const [token] = chain.credentials.tokens;
    const wrong = [{ chainId: 1 }, { network: 'polygon' }, { tokens: [{ ...token, contract: chain.lookalike }] }];
    for (const changes of wrong) {
      await assert.rejects(rotate(id, changes), (error: unknown) => {
        const [member = ''] = Object.keys(changes);
        assert.match(String(error), new RegExp(`credentials\\.${member}: .*another account`));
        return true;
      });
    }
    await rotate(id, { confirmations: 9 });
  });

  it('may name no node at a private address, neither when they are made nor when they are called', async () => {
    const { dependencies, principal } = await access();
    const strict = { ...dependencies, webhookTargets: PUBLIC_TARGETS };
    for (const rpcUrl of [chain.url, 'https://10.0.0.1/secret', 'https://169.254.169.254/secret']) {
      const fields = { kind: 'evm', name: 'Deposits', credentials: { ...chain.credentials, rpcUrl } } as const;
      await assert.rejects(
        insertAccount(strict, principal, { unique: newUniquePart(), fields }),
        (error: unknown) =>
          /credentials\.rpcUrl: .*public address/.test(String(error)) && !/secret/.test(String(error)),
      );
    }
    const id = await insert();
    assert.equal(await checkCredentials(dependencies, principal, id), null);
    const providerKinds = kinds({ fetchers: createCheckedFetchers(PUBLIC_TARGETS, null) });
    const problem = await checkCredentials({ ...strict, providerKinds }, principal, id);
    assert.match(problem ?? '', /rpcUrl gives no usable answer: .*EADDRNOTALLOWED/);
  });
});
