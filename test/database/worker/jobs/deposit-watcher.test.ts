import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { createProviderReports } from '../../../../activities/provider-reports.ts';
import type { DepositStatus } from '../../../../domain/deposit.ts';
import { attemptIdOf } from '../../../../domain/ids.ts';
import type { InquiryOutcome } from '../../../../domain/provider-outcome.ts';
import { createDepositStore } from '../../../../prisma/stores/deposit-store.ts';
import { createEvmAccounts, type WatchedAccount } from '../../../../providers/evm/evm-accounts.ts';
import { EVM } from '../../../../providers/evm/evm-provider.ts';
import type { AuthorizationRequest, PaymentProvider } from '../../../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { watchDeposits } from '../../../../worker/jobs/deposit-watcher.ts';
import { sweepProviderEvents } from '../../../../worker/jobs/provider-event-sweeper.ts';
import { type AskedDeposit, askForDeposit, inquiryOf } from '../../../support/asked-deposit.ts';
import { assertContains } from '../../../support/assert-contains.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { startTestChain, type TestChain } from '../../../support/evm-chain.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';

const ASKED = 10_000_000n;
const CONFIRMATIONS = 2;
const QUOTE_SECONDS = 1_200;
const SIGNAL = new AbortController().signal;
const SIGNALS = { stop: SIGNAL, timeUp: SIGNAL };

describe('deposits on an EVM chain', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let chain: TestChain;
  let account: string;
  let snapshot: string;
  let provider: PaymentProvider;
  let watched: WatchedAccount;
  let logged: Readonly<Record<string, unknown>>[] = [];

  before(async () => {
    [test, chain] = await Promise.all([createTestDatabase(), startTestChain()]);
    account = await insertMerchantAccount(test.database);
  });
  after(() => Promise.all([test.close(), chain.close()]));
  beforeEach(async () => {
    snapshot = await chain.rpc('evm_snapshot');
    logged = [];
    // Each test has an account of its own, so that none watches the deposits of another.
    ({ provider, watched } = openAccount({}));
  });
  afterEach(() => chain.rpc('evm_revert', snapshot));

  let accounts = 0;
  function openAccount(credentials: Readonly<Record<string, unknown>>) {
    accounts += 1;
    const [opened] = createEvmAccounts({
      accounts: [
        { name: `evm-${accounts}`, environment: 'sandbox', credentials: { ...chain.credentials, ...credentials } },
      ],
      timeoutMs: 5_000,
      deposits: createDepositStore(test.database),
    });
    assert.ok(opened !== undefined);
    return opened;
  }

  function authorize(overrides: Partial<AuthorizationRequest> = {}): Promise<AskedDeposit> {
    return askForDeposit({ database: test.database, merchantAccountId: account, provider }, overrides);
  }

  async function watch(): Promise<void> {
    const log = (fields: object): void => void logged.push({ ...fields });
    await watchDeposits({ database: test.database, logger: { warn: log, error: log } }, watched, SIGNALS);
  }

  /** Confirms what is on the chain, and reads it. */
  async function confirm(): Promise<void> {
    await chain.mine(CONFIRMATIONS);
    await watch();
  }

  function inquire({ request }: AskedDeposit): Promise<InquiryOutcome> {
    return provider.inquire(inquiryOf(request), SIGNAL);
  }

  function close({ request }: AskedDeposit): Promise<InquiryOutcome> {
    return provider.close(inquiryOf(request), SIGNAL);
  }

  /** What was reported to the payment's workflow, oldest first. */
  async function reportsOf({ paymentIntentId }: AskedDeposit): Promise<readonly InquiryOutcome[]> {
    const rows = await test.database.providerEvent.findMany({
      where: { paymentIntentId },
      orderBy: { receivedAt: 'asc' },
    });
    return rows.map(({ event }) => (event as unknown as { outcome: InquiryOutcome }).outcome);
  }

  async function timelineOf({ paymentIntentId }: AskedDeposit) {
    const rows = await test.database.timelineEntry.findMany({
      where: { paymentIntentId },
      orderBy: [{ version: 'asc' }, { ordinal: 'asc' }],
    });
    return rows.map(({ summary, details }) => ({ summary: summary.replace(`${provider.name}: `, ''), details }));
  }

  async function statusOf({ request }: AskedDeposit): Promise<DepositStatus> {
    const { attemptId } = request;
    const { status } = await test.database.depositAddress.findUniqueOrThrow({ where: { attemptId } });
    return status as DepositStatus;
  }

  /** Ends the attempt, as the payment's workflow does after a report. */
  async function endAttempt({ request }: AskedDeposit, outcome: string): Promise<void> {
    await test.database.paymentAttempt.update({ where: { id: request.attemptId }, data: { outcome } });
  }

  function approvedOf({ address }: AskedDeposit, amountMinor = 1_000): InquiryOutcome {
    return { kind: 'approved', providerPaymentId: address, amountMinor, currency: 'USD', captured: true };
  }

  describe('when one is asked for', () => {
    it('gives out an address of the wallet with a quote that expires, once for each attempt', async () => {
      const asked = await authorize();
      const { outcome, address, request } = asked;
      assert.equal(outcome.kind, 'requires_action');
      const { nextAction } = outcome;
      assert.equal(nextAction.type, 'crypto_deposit');
      assertContains(nextAction, {
        asset: 'USDC',
        network: 'ethereum',
        address,
        amount: '10.000000',
        confirmationsRequired: CONFIRMATIONS,
      });
      const leftMs = Date.parse(nextAction.expiresAt ?? '') - Date.now();
      assert.ok(leftMs > 0 && leftMs <= QUOTE_SECONDS * 1_000);
      await chain.setPrice(chain.tokenFeed, 50_000_000n);
      assert.deepEqual(await provider.authorize(request, SIGNAL), outcome);
      assert.deepEqual(await inquire(asked), outcome);
      assert.notEqual((await authorize()).address, address);
    });

    it('exchanges another currency at the prices of both', async () => {
      const { outcome } = await authorize({ currency: 'EUR' });
      assert.equal(outcome.kind, 'requires_action');
      assertContains(outcome.nextAction, { amount: '11.000000' });
    });

    it('declines a currency without a price and a token that it does not take', async () => {
      const declined = {
        kind: 'declined',
        advice: 'elsewhere',
        providerPaymentId: null,
        code: 'UNSUPPORTED_CURRENCY_PAIR',
      };
      assert.deepEqual((await authorize({ currency: 'GBP' })).outcome, declined);
      const methods = [
        { type: 'crypto', asset: 'USDT', network: 'ethereum' },
        { type: 'crypto', asset: 'USDC', network: 'polygon' },
      ] as const;
      for (const method of methods) assert.deepEqual((await authorize({ method })).outcome, declined);
    });

    it('gives out nothing at an old price, at none, or from a node of another chain', async () => {
      const refused = (code: string) => (error: unknown) => error instanceof ProviderOutageError && error.code === code;
      await chain.setPrice(chain.tokenFeed, 100_000_000n, new Date(Date.now() - 3_700_000));
      await assert.rejects(authorize(), refused('TSP_UNAVAILABLE'));
      await chain.setPrice(chain.tokenFeed, 0n);
      await assert.rejects(authorize(), refused('TSP_ERROR'));
      await chain.setPrice(chain.tokenFeed, 100_000_000n);
      ({ provider } = openAccount({ chainId: 1 }));
      await assert.rejects(authorize(), refused('TSP_ERROR'));
      ({ provider } = openAccount({ rpcUrl: 'http://127.0.0.1:1/secret-of-the-node' }));
      await assert.rejects(authorize(), (error: unknown) => {
        assert.ok(refused('TSP_UNAVAILABLE')(error));
        return !String(error).includes('secret');
      });
      assert.equal(await test.database.depositAddress.count({ where: { provider: provider.name } }), 0);
    });

    it('charges nothing where no address was given out', async () => {
      const { request } = await authorize();
      const never = inquiryOf({ ...request, attemptId: attemptIdOf(request.paymentIntentId, 2) });
      assert.deepEqual(await provider.inquire(never, SIGNAL), { kind: 'not_charged' });
      assert.deepEqual(await provider.close(never, SIGNAL), { kind: 'not_charged' });
    });
  });

  it('credits a deposit once enough blocks follow it, and reports both', async () => {
    const asked = await authorize();
    const hash = await chain.mint(asked.address, ASKED);
    await watch();
    const pending = { kind: 'pending', providerPaymentId: asked.address };
    assert.deepEqual(await inquire(asked), pending);
    assert.deepEqual(await reportsOf(asked), [pending]);
    await chain.mine(CONFIRMATIONS - 1);
    await watch();
    assert.deepEqual(await inquire(asked), pending);
    await chain.mine(1);
    await watch();
    assert.deepEqual(await inquire(asked), approvedOf(asked));
    await watch();
    assert.deepEqual(await reportsOf(asked), [pending, approvedOf(asked)]);
    const [entry, ...others] = await timelineOf(asked);
    assert.deepEqual(others, []);
    assert.equal(entry?.summary, '10.000000 USDC of 10.000000 USDC arrived in time');
    assertContains(entry?.details, { transactionHashes: [hash], receivedAmount: '10.000000' });
    assert.deepEqual(logged, []);
  });

  it('shows whether its confirmations come: not before it arrives, if they are overdue, or while nobody reads the chain', async () => {
    const isProgressing = async (): Promise<boolean> =>
      (await provider.isProgressing?.(asked.request.attemptId)) === true;
    const asked = await authorize();
    assert.equal(await isProgressing(), false);
    await chain.mint(asked.address, ASKED);
    await watch();
    assert.equal(await isProgressing(), true);
    const { attemptId } = asked.request;
    const { blockAt } = await test.database.depositTransfer.findFirstOrThrow({ where: { attemptId } });
    const moveTransfer = (at: Date) =>
      test.database.depositTransfer.updateMany({ where: { attemptId }, data: { blockAt: at } });
    await moveTransfer(new Date(Date.now() - (CONFIRMATIONS + 1) * 60_000));
    assert.equal(await isProgressing(), false);
    await moveTransfer(blockAt);
    const readAt = new Date(Date.now() - 120_000);
    await test.database.depositCursor.update({ where: { provider: provider.name }, data: { readAt } });
    assert.equal(await isProgressing(), false);
    await confirm();
    assert.equal(await isProgressing(), false, 'it is over');
  });

  it('waits for finality where the account requires it', async () => {
    ({ provider, watched } = openAccount({ confirmations: 0, requireFinality: true }));
    const asked = await authorize();
    await chain.mint(asked.address, ASKED);
    await watch();
    assert.equal((await inquire(asked)).kind, 'pending');
    await chain.mine(4);
    await watch();
    assert.deepEqual(await inquire(asked), approvedOf(asked));
  });

  it('adds up what arrives in parts, also in one transaction', async () => {
    const asked = await authorize();
    const first = await chain.mint(asked.address, 4_000_000n);
    await confirm();
    assert.equal((await inquire(asked)).kind, 'requires_action');
    const second = await chain.mintTwice(asked.address, 3_000_000n);
    await confirm();
    assert.deepEqual(await inquire(asked), approvedOf(asked));
    const [entry] = await timelineOf(asked);
    assertContains(entry?.details, { transactionHashes: [first, second], receivedAmount: '10.000000' });
  });

  it('credits the asked amount of a larger deposit, and notes the surplus, also of a later one', async () => {
    const asked = await authorize();
    await chain.mint(asked.address, 12_500_000n);
    await confirm();
    assert.deepEqual(await inquire(asked), approvedOf(asked));
    await endAttempt(asked, 'approved');
    const later = await chain.mint(asked.address, 1_000_000n);
    await confirm();
    assert.deepEqual(await inquire(asked), approvedOf(asked));
    assert.equal((await reportsOf(asked)).length, 1);
    const [credited, surplus] = await timelineOf(asked);
    assertContains(credited?.details, { receivedAmount: '12.500000', surplusAmount: '2.500000' });
    assert.equal(surplus?.summary, '1.000000 USDC more arrived than was asked for');
    assertContains(surplus?.details, { receivedAmount: '13.500000', surplusAmount: '3.500000' });
    assert.ok(JSON.stringify(surplus?.details).includes(later));
    assert.deepEqual(
      logged.map(({ alert }) => alert),
      ['DEPOSIT_SURPLUS'],
    );
  });

  it('ignores tokens of another contract, and transfers of nothing', async () => {
    const asked = await authorize();
    await chain.mint(asked.address, ASKED, chain.lookalike);
    await chain.mint(asked.address, 0n);
    await confirm();
    assert.equal((await inquire(asked)).kind, 'requires_action');
    assert.equal(await test.database.depositTransfer.count({ where: { attemptId: asked.request.attemptId } }), 0);
  });

  it('fails with amounts and transactions when too little arrived before the quote expired', async () => {
    const asked = await authorize();
    const hash = await chain.mint(asked.address, 9_999_999n);
    await chain.pass(QUOTE_SECONDS + 60);
    await watch();
    assert.equal((await inquire(asked)).kind, 'requires_action');
    await confirm();
    const failed = await inquire(asked);
    assert.equal(failed.kind, 'failed');
    assertContains(failed, { code: 'CRYPTO_DEPOSIT_FAILED', providerPaymentId: asked.address });
    assertContains(failed.details ?? {}, {
      reason: 'underpaid',
      transactionHash: hash,
      asset: 'USDC',
      network: 'ethereum',
      expectedAmount: '10.000000',
      receivedAmount: '9.999999',
    });
    assert.deepEqual(await reportsOf(asked), [failed]);
  });

  it('lets the customer pay otherwise when nothing arrived before the quote expired', async () => {
    const asked = await authorize();
    await chain.pass(QUOTE_SECONDS + 60);
    await confirm();
    const declined = await inquire(asked);
    assert.equal(declined.kind, 'declined');
    assertContains(declined, { code: 'PAYMENT_DECLINED' });
    assertContains(declined.details ?? {}, { reason: 'quote_expired', receivedAmount: '0.000000' });
    assert.deepEqual(await reportsOf(asked), [declined]);
  });

  it('reports what arrives after the end as a stray charge, which it does not refund', async () => {
    const asked = await authorize();
    await chain.pass(QUOTE_SECONDS + 60);
    const hash = await chain.mint(asked.address, 5_000_000n);
    await confirm();
    assert.equal(await statusOf(asked), 'expired');
    await confirm();
    assert.equal((await reportsOf(asked)).length, 1, 'not before the attempt has ended');
    await endAttempt(asked, 'declined');
    await watch();
    assert.deepEqual(await inquire(asked), approvedOf(asked, 500));
    assert.deepEqual((await reportsOf(asked)).at(-1), approvedOf(asked, 500));
    const refund = await provider.refund(
      { ...asked.request, refundId: 're_1', providerPaymentId: asked.address },
      SIGNAL,
    );
    assert.equal(refund.kind, 'refused');
    assertContains(refund.details ?? {}, {
      reason: 'refund_by_hand',
      receivedAmount: '5.000000',
      transactionHash: hash,
    });
    assertContains(refund.details ?? {}, { depositAddress: asked.address });

    await test.database.paymentIntent.updateMany({ data: { status: 'canceled' } });
    await test.database.providerEvent.updateMany({ data: { receivedAt: new Date(Date.now() - 60_000) } });
    await sweepProviderEvents(
      {
        database: test.database,
        workflows: { deliverProviderEvent: async () => 'finished', takeOver: async () => false },
        reconciliations: { compareOne: async () => undefined },
        registry: { find: async () => undefined },
        disputeWorkflows: { wake: async () => undefined },
        refundWorkflows: { deliverRefundEvent: async () => 'finished', fail: async () => true },
        logger: { error: () => undefined },
      },
      SIGNAL,
    );
    const { attemptId } = asked.request;
    assertContains(await test.database.strayCharge.findUniqueOrThrow({ where: { attemptId } }), { status: 'pending' });
    const reports = createProviderReports(test.database);
    const reported = { attemptId, provider: provider.name, captureMethod: 'automatic' } as const;
    assert.deepEqual(await reports.ofAttempt(reported), approvedOf(asked, 500));
  });

  it('alerts people of what arrives after a stray charge, which may have ended with the amount before', async () => {
    const asked = await authorize();
    await chain.pass(QUOTE_SECONDS + 60);
    await confirm();
    await endAttempt(asked, 'declined');
    const alerts = () => logged.filter(({ alert }) => alert !== undefined);
    await chain.mint(asked.address, 5_000_000n);
    await confirm();
    assert.deepEqual([await inquire(asked), alerts()], [approvedOf(asked, 500), []]);
    await chain.mint(asked.address, 2_000_000n);
    await confirm();
    assert.deepEqual(await inquire(asked), approvedOf(asked, 700));
    assert.equal(alerts().length, 1);
    assertContains(alerts()[0] ?? {}, { alert: 'DEPOSIT_SURPLUS', receivedAmount: '7.000000' });
  });

  describe('when its payment is called off', () => {
    it('is closed if too little has arrived, and what there is becomes a stray charge', async () => {
      const asked = await authorize();
      await chain.mint(asked.address, 2_000_000n);
      await confirm();
      assert.deepEqual(await close(asked), { kind: 'not_charged' });
      assert.deepEqual(await close(asked), { kind: 'not_charged' });
      await assert.rejects(async () => await provider.authorize(asked.request, SIGNAL), ProviderOutageError);
      await endAttempt(asked, 'canceled');
      await watch();
      assert.deepEqual(await reportsOf(asked), [approvedOf(asked, 200)]);
    });

    it('stays open while enough has arrived that is not confirmed', async () => {
      const asked = await authorize();
      await chain.mint(asked.address, ASKED);
      await watch();
      assert.equal((await close(asked)).kind, 'pending');
      await confirm();
      assert.deepEqual(await close(asked), approvedOf(asked));
    });

    it('is not closed while nobody reads the chain', async () => {
      const asked = await authorize();
      await test.database.depositCursor.update({
        where: { provider: provider.name },
        data: { readAt: new Date(Date.now() - 120_000) },
      });
      await assert.rejects(close(asked), ProviderOutageError);
      await watch();
      assert.deepEqual(await close(asked), { kind: 'not_charged' });
    });

    it('is not closed while the node has stalled, because later blocks may have a deposit', async () => {
      const asked = await authorize();
      const readAt = new Date(Date.now() - 120_000);
      await test.database.depositCursor.update({ where: { provider: provider.name }, data: { readAt } });
      const reading = watched;
      const at = new Date(Date.now() - 600_000);
      const head = async () => ({ ...(await reading.chain.head()), at });
      watched = { ...reading, chain: { ...reading.chain, head } };
      await watch();
      await assert.rejects(close(asked), { code: 'TSP_UNAVAILABLE' });
      watched = reading;
      await watch();
      assert.deepEqual(await close(asked), { kind: 'not_charged' });
    });
  });

  describe('when the chain is reorganised', () => {
    it('no longer counts a deposit that was not credited, until it arrives again', async () => {
      const asked = await authorize();
      await chain.mine(1);
      await watch();
      await chain.mint(asked.address, ASKED);
      await watch();
      assert.equal((await inquire(asked)).kind, 'pending');
      await chain.rpc('anvil_reorg', 1, []);
      await confirm();
      assert.equal((await inquire(asked)).kind, 'requires_action');
      assert.equal(await test.database.depositTransfer.count({ where: { attemptId: asked.request.attemptId } }), 0);
      await chain.mint(asked.address, ASKED);
      await confirm();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
      assert.ok(logged.every(({ alert }) => alert === undefined));
    });

    it('raises an alert for one that was credited, changes nothing, and counts it once when it arrives again', async () => {
      const asked = await authorize();
      await watch();
      const hash = await chain.mint(asked.address, ASKED);
      await confirm();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
      await endAttempt(asked, 'approved');
      await chain.rpc('anvil_reorg', CONFIRMATIONS + 1, []);
      await confirm();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
      const alerts = logged.filter(({ alert }) => alert !== undefined);
      assert.equal(alerts.length, 1);
      assertContains(alerts[0] ?? {}, { alert: 'DEPOSIT_REORGANIZED', transactionHash: hash, amount: '10.000000' });
      assertContains((await timelineOf(asked)).at(-1)?.details, { depositStatus: 'credited' });
      await chain.mint(asked.address, ASKED);
      await confirm();
      assert.equal((await reportsOf(asked)).length, 1);
      assert.equal((await timelineOf(asked)).length, 2);
    });

    it('counts a stray charge once that is taken back and arrives again', async () => {
      const asked = await authorize();
      await chain.pass(QUOTE_SECONDS + 60);
      await confirm();
      await endAttempt(asked, 'declined');
      await chain.mint(asked.address, ASKED);
      await confirm();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
      const reports = await reportsOf(asked);
      await chain.rpc('anvil_reorg', CONFIRMATIONS + 1, []);
      await confirm();
      assert.deepEqual(
        logged.flatMap(({ alert }) => alert ?? []),
        ['DEPOSIT_REORGANIZED'],
      );
      await chain.mint(asked.address, ASKED);
      await confirm();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
      assert.deepEqual(await reportsOf(asked), reports);
    });

    it('raises an alert for each of many that were credited, even if the node gave them one index', async () => {
      const asked = await authorize();
      await chain.mint(asked.address, ASKED);
      await watch();
      const transfer = await test.database.depositTransfer.findFirstOrThrow({
        where: { attemptId: asked.request.attemptId },
      });
      const hashes = Array.from({ length: 250 }, (_, index) => `0x${index}`);
      await test.database.depositTransfer.createMany({
        data: hashes.map((transactionHash, index) => ({
          ...transfer,
          transactionHash,
          blockNumber: transfer.blockNumber + BigInt(index % 2),
          logIndex: 1_000,
          isSettled: true,
        })),
      });
      await chain.rpc('anvil_reorg', 1, []);
      await watch();
      const alerts = logged.filter(({ alert }) => alert === 'DEPOSIT_REORGANIZED');
      assert.deepEqual(alerts.map(({ transactionHash }) => transactionHash).sort(), hashes.sort());
    });

    it('rejects a node of another chain, whose blocks differ too', async () => {
      const asked = await authorize();
      await chain.mint(asked.address, ASKED);
      await watch();
      await chain.rpc('anvil_reorg', 1, []);
      const logger = { warn: () => undefined, error: () => undefined };
      const reading = watchDeposits({ database: test.database, logger }, { ...watched, chainId: 1 }, SIGNALS);
      await assert.rejects(reading, { code: 'TSP_ERROR' });
      assert.equal(await test.database.depositTransfer.count({ where: { provider: provider.name } }), 1);
      await watch();
      assert.equal(await test.database.depositTransfer.count({ where: { provider: provider.name } }), 0);
    });

    it('finds the common block of a deep reorganisation', async () => {
      const asked = await authorize();
      for (const _ of Array(5).keys()) {
        await chain.mine(1);
        await watch();
      }
      await chain.mint(asked.address, ASKED);
      await watch();
      await chain.rpc('anvil_reorg', 6, []);
      // Another transaction: a repeat of the first one would have its hash.
      const hash = await chain.mint(asked.address, ASKED + 1n);
      await confirm();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
      assertContains((await timelineOf(asked))[0]?.details, { transactionHashes: [hash], receivedAmount: '10.000001' });
    });
  });

  it('does not mix two branches where the chain is reorganised while it is read', async () => {
    const asked = await authorize();
    await chain.mint(asked.address, ASKED);
    const reading = watched.chain;
    let reorganisations = 0;
    watched = {
      ...watched,
      chain: {
        ...reading,
        async transfers(query) {
          const transfers = await reading.transfers(query);
          if (reorganisations++ === 0) await chain.rpc('anvil_reorg', 1, []);
          return transfers;
        },
      },
    };
    await watch();
    assert.equal((await inquire(asked)).kind, 'requires_action');
    await chain.mint(asked.address, ASKED);
    await confirm();
    assert.ok(reorganisations > 1);
    assert.deepEqual(await inquire(asked), approvedOf(asked));
    const [entry] = await timelineOf(asked);
    assertContains(entry?.details ?? {}, { receivedAmount: '10.000000' });
  });

  for (const code of ['TSP_ERROR', 'TSP_TIMEOUT'] as const) {
    it(`reads fewer blocks if the node answers a larger range with ${code}, and finds its own among all transfers of the tokens`, async () => {
      const asked = await authorize();
      const reading = watched.chain;
      const asRead: number[] = [];
      let refusals = 0;
      watched = {
        ...watched,
        chain: {
          ...reading,
          async transfers(query) {
            const blocks = query.toBlock - query.fromBlock + 1;
            if (blocks > 10) {
              refusals += 1;
              throw new ProviderOutageError(code, 'too many blocks');
            }
            asRead.push(blocks);
            return await reading.transfers({ ...query, recipients: null });
          },
        },
      };
      await chain.mint(`0x${'11'.repeat(20)}`, ASKED);
      await chain.mint(asked.address, ASKED);
      await chain.mint(asked.address, ASKED, chain.lookalike);
      await confirm();
      await chain.mine(130);
      await watch();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
      assert.ok(asRead.some((blocks) => blocks > 1));
      // The watcher remembers for the rest of the run how many blocks the node returns.
      assert.ok(refusals <= 2, String(refusals));
      assert.equal(await test.database.depositTransfer.count({ where: { provider: provider.name } }), 1);
    });
  }

  it('reads up to the newest block of a chain that grows while it is read', async () => {
    const asked = await authorize();
    const readAt = new Date(Date.now() - 120_000);
    await test.database.depositCursor.update({ where: { provider: provider.name }, data: { readAt } });
    await chain.mine(150);
    const reading = watched.chain;
    const timeUp = new AbortController();
    let reads = 0;
    const head = async () => {
      reads += 1;
      if (reads > 10) timeUp.abort();
      await chain.mine(2);
      return await reading.head();
    };
    const account = { ...watched, chain: { ...reading, head } };
    await watchDeposits({ database: test.database, logger: { warn: () => {}, error: () => {} } }, account, {
      stop: SIGNAL,
      timeUp: timeUp.signal,
    }).catch(() => undefined);
    assert.ok(reads <= 4, String(reads));
    assert.deepEqual(await close(asked), { kind: 'not_charged' });
  });

  it('goes on where it was after a loss of the node, of a worker, and over more blocks than are read at once', async () => {
    const asked = await authorize();
    const lost = { ...watched, chain: openAccount({ rpcUrl: 'http://127.0.0.1:1' }).watched.chain };
    const silent = { warn: () => undefined, error: () => undefined };
    const reading = watchDeposits({ database: test.database, logger: silent }, lost, SIGNALS);
    await assert.rejects(reading, { code: 'TSP_UNAVAILABLE' });
    await chain.mint(asked.address, ASKED);
    await chain.mine(250);
    await Promise.all([watch(), watch()]);
    assert.deepEqual(await inquire(asked), approvedOf(asked));
    assert.equal((await reportsOf(asked)).length, 1);
  });

  describe('while later blocks are unread', () => {
    /** Reads only the first blocks of many. */
    async function readSome(): Promise<void> {
      const reading = watched;
      watched = { ...reading, chain: { ...reading.chain, head: failingAfter(1, () => reading.chain.head()) } };
      await assert.rejects(watch(), { code: 'TSP_TIMEOUT' });
      watched = reading;
    }

    it('settles deposits in those that were read', async () => {
      const asked = await authorize();
      await chain.mint(asked.address, ASKED);
      await chain.mine(150);
      await readSome();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
    });

    it('closes no deposit, because it may be in the others', async () => {
      const asked = await authorize();
      const readAt = new Date(Date.now() - 120_000);
      await test.database.depositCursor.update({ where: { provider: provider.name }, data: { readAt } });
      await chain.mine(150);
      await chain.mint(asked.address, ASKED);
      await readSome();
      await assert.rejects(close(asked), { code: 'TSP_UNAVAILABLE' });
      await watch();
      assert.equal((await close(asked)).kind, 'pending');
    });
  });

  /** A call of which only the first ones are answered in time. */
  function failingAfter<Answer>(times: number, call: () => Promise<Answer>): () => Promise<Answer> {
    let made = 0;
    return async () => {
      made += 1;
      if (made > times) throw new ProviderOutageError('TSP_TIMEOUT', 'the chain was not read in time');
      return await call();
    };
  }

  it('keeps up with a chain that grows while it is read', async () => {
    const asked = await authorize();
    await watch();
    const readAt = new Date(Date.now() - 120_000);
    await test.database.depositCursor.update({ where: { provider: provider.name }, data: { readAt } });
    await chain.mine(5);
    const reading = watched;
    let reads = 0;
    const transfers: WatchedAccount['chain']['transfers'] = async (query) => {
      reads += 1;
      await chain.mine(1);
      return await reading.chain.transfers(query);
    };
    watched = { ...reading, chain: { ...reading.chain, transfers } };
    await watch();
    watched = reading;
    assert.equal(reads, 5);
    assert.equal((await close(asked)).kind, 'not_charged');
  });

  describe('with several nodes at one address, one of which lags', () => {
    /** Nodes of which one that is behind answers the next questions about a block. */
    function behindFor(questions: number): void {
      const reading = watched.chain;
      let left = questions;
      const block = (number: number) => (left-- > 0 ? Promise.resolve(null) : reading.block(number));
      watched = { ...watched, chain: { ...reading, block } };
    }

    it('does not treat a block that the node lacks as reorganised', async () => {
      ({ provider, watched } = openAccount({ confirmations: 0 }));
      const asked = await authorize();
      await chain.mint(asked.address, ASKED);
      await watch();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
      await chain.mine(1);
      behindFor(1);
      await assert.rejects(watch(), { code: 'TSP_UNAVAILABLE' });
      await watch();
      assert.deepEqual(logged, []);
      assert.equal((await timelineOf(asked)).length, 1);
    });

    it('goes no further back after a reorganisation than the chain has changed', async () => {
      ({ provider, watched } = openAccount({ confirmations: 0 }));
      const asked = await authorize();
      await chain.mint(asked.address, ASKED);
      await watch();
      await chain.mint(`0x${'11'.repeat(20)}`, 1n);
      await watch();
      await chain.rpc('anvil_reorg', 1, []);
      behindFor(1);
      await assert.rejects(watch(), { code: 'TSP_UNAVAILABLE' });
      await watch();
      assert.deepEqual(logged, [
        { provider: provider.name, fromBlock: await headNumber(), toBlock: (await headNumber()) - 1 },
      ]);
      assert.deepEqual(await inquire(asked), approvedOf(asked));
    });

    it('misses no transfer in a block that the asked node does not have yet', async () => {
      const asked = await authorize();
      await watch();
      await chain.mint(asked.address, ASKED);
      const reading = watched;
      const known = (await headNumber()) - 1;
      const transfers: WatchedAccount['chain']['transfers'] = async (query) => {
        if (query.blockHash !== null) throw new ProviderOutageError('TSP_ERROR', 'unknown block');
        return query.fromBlock > known ? [] : await reading.chain.transfers({ ...query, toBlock: known });
      };
      watched = { ...reading, chain: { ...reading.chain, transfers } };
      await assert.rejects(watch(), { code: 'TSP_ERROR' });
      watched = reading;
      await confirm();
      assert.deepEqual(await inquire(asked), approvedOf(asked));
    });

    const headNumber = async (): Promise<number> => (await watched.chain.head()).number;
  });

  it('has credentials that are checked, without their values in any message', async () => {
    const settings = {
      name: 'evm',
      environment: 'sandbox' as const,
      apiUrl: null,
      timeoutMs: 5_000,
      credentials: chain.credentials,
    };
    assert.equal(await EVM.check(settings, SIGNAL), null);
    const elsewhere = { ...settings, credentials: { ...chain.credentials, chainId: 1 } };
    assert.match(String(await EVM.check(elsewhere, SIGNAL)), /chain 1/);
    const wrong = { xpub: 'xprv-secret', rpcUrl: 'http://node.example/secret', confirmations: -1 };
    assert.throws(
      () => openAccount(wrong),
      (error: unknown) => /xpub.*rpcUrl.*confirmations/.test(String(error)) && !String(error).includes('secret'),
    );
  });
});
