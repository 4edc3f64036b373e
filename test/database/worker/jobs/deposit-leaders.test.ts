import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { DepositStore } from '../../../../domain/deposit.ts';
import type { InquiryOutcome } from '../../../../domain/provider-outcome.ts';
import { createDepositStore } from '../../../../prisma/stores/deposit-store.ts';
import type { DirectStatements } from '../../../../prisma/connection/direct-statements.ts';
import type { Prisma } from '../../../../prisma/generated/client.ts';
import type { EvmChain } from '../../../../providers/evm/chain.ts';
import { createEvmAccounts, type WatchedAccount } from '../../../../providers/evm/evm-accounts.ts';
import type { PaymentProvider } from '../../../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { watchDeposits } from '../../../../worker/jobs/deposit-watcher.ts';
import { type AskedDeposit, askForDeposit, inquiryOf } from '../../../support/asked-deposit.ts';
import { waitForBlockedStatement } from '../../../support/blocked-statement.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { startTestChain, type TestChain } from '../../../support/evm-chain.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { type NextStatement, stopBefore } from '../../../support/stopped-statements.ts';

const ASKED = 10_000_000n;
const CONFIRMATIONS = 2;
const SIGNAL = new AbortController().signal;
const SIGNALS = { stop: SIGNAL, timeUp: SIGNAL };

/** What a leader does while another one is stopped. */
type Meanwhile = () => Promise<void>;

describe('deposits with two leaders', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let chain: TestChain;
  let merchantAccountId: string;
  let snapshot: string;
  let store: DepositStore;
  let provider: PaymentProvider;
  let watched: WatchedAccount;
  let alerts: unknown[] = [];

  before(async () => {
    [test, chain] = await Promise.all([createTestDatabase(), startTestChain()]);
    merchantAccountId = await insertMerchantAccount(test.database);
  });
  after(() => Promise.all([test.close(), chain.close()]));
  beforeEach(async () => {
    snapshot = await chain.rpc('evm_snapshot');
    openAccount();
  });
  afterEach(() => chain.rpc('evm_revert', snapshot));

  let accounts = 0;
  /** Goes on with another account, which has a cursor of its own. */
  function openAccount(): void {
    accounts += 1;
    alerts = [];
    store = createDepositStore(test.database);
    const deposits: DepositStore = {
      nextIndex: () => store.nextIndex(),
      open: (deposit, start) => store.open(deposit, start),
      find: (attemptId) => store.find(attemptId),
      close: (attemptId) => store.close(attemptId),
    };
    const accountSettings = {
      name: `evm-${accounts}`,
      environment: 'sandbox',
      credentials: { ...chain.credentials, confirmations: CONFIRMATIONS },
    } as const;
    const [opened] = createEvmAccounts({ accounts: [accountSettings], timeoutMs: 5_000, deposits });
    assert.ok(opened !== undefined);
    ({ provider, watched } = opened);
  }

  const ask = (): Promise<AskedDeposit> => askForDeposit({ database: test.database, merchantAccountId, provider });

  interface Leader {
    readonly direct?: DirectStatements;
    readonly chain?: Partial<EvmChain>;
  }

  /** Runs the job once, as one of the leaders. */
  async function lead({ direct = test.database.direct, chain: overrides = {} }: Leader = {}): Promise<void> {
    const log = (fields: object): void => {
      if ('alert' in fields) alerts.push(fields.alert);
    };
    const account = { ...watched, chain: { ...watched.chain, ...overrides } };
    await watchDeposits({ database: { direct }, logger: { warn: log, error: log } }, account, SIGNALS);
  }

  /** Runs the job as a leader that is stopped before one statement. @returns whether there was such a statement */
  async function leadStopped(isStop: (next: NextStatement) => boolean, meanwhile: Meanwhile): Promise<boolean> {
    const { direct, hasStopped } = stopBefore(test.database.direct, isStop, meanwhile);
    await lead({ direct });
    return hasStopped();
  }

  /** A deposit that has its confirmations, but was not read. */
  async function payUnread(): Promise<AskedDeposit> {
    const asked = await ask();
    await lead();
    await chain.mint(asked.address, ASKED);
    await chain.mine(CONFIRMATIONS);
    return asked;
  }

  /** Takes the deposit back that `payUnread` has made. */
  const takeBack = (): Promise<void> => chain.rpc('anvil_reorg', CONFIRMATIONS + 1, []);

  /** Replaces a block that was read. An empty block could be replaced by the same one. */
  async function reorganiseRead(): Promise<void> {
    await chain.mint(`0x${'11'.repeat(20)}`, 1n);
    await lead();
    await chain.rpc('anvil_reorg', 1, []);
  }

  async function confirm(): Promise<void> {
    await chain.mine(CONFIRMATIONS);
    await lead();
  }

  const depositOf = ({ request: { attemptId } }: AskedDeposit) =>
    test.database.depositAddress.findUniqueOrThrow({ where: { attemptId } });

  async function timelineOf({ paymentIntentId }: AskedDeposit): Promise<readonly string[]> {
    const where = { paymentIntentId };
    const rows = await test.database.timelineEntry.findMany({ where, orderBy: [{ version: 'asc' }] });
    return rows.map(({ summary }) => summary.replace(`${provider.name}: `, ''));
  }

  async function approvalsOf({ paymentIntentId }: AskedDeposit): Promise<number> {
    const rows = await test.database.providerEvent.findMany({ where: { paymentIntentId } });
    return rows.filter(({ event }) => (event as unknown as { outcome: InquiryOutcome }).outcome.kind === 'approved')
      .length;
  }

  const ARRIVED = '10.000000 USDC of 10.000000 USDC arrived in time';
  const TAKEN_BACK = 'a reorganisation took back a deposit of 10.000000 USDC that was credited; nothing was changed';

  /** Of a deposit that the chain no longer has: either it was not credited, or people were told. */
  async function assertNothingBookedUnnoticed(asked: AskedDeposit, where: string): Promise<void> {
    assert.equal(await chain.balanceOf(asked.address), 0n);
    const isCredited = (await depositOf(asked)).status === 'credited';
    assert.equal(await approvalsOf(asked), isCredited ? 1 : 0, where);
    assert.deepEqual(await timelineOf(asked), isCredited ? [ARRIVED, TAKEN_BACK] : [], where);
    assert.equal(alerts.includes('DEPOSIT_REORGANIZED'), isCredited, where);
  }

  /** Whatever was booked before, a deposit that is on the chain for good counts once. */
  async function assertCreditedOnce(asked: AskedDeposit, where: string): Promise<void> {
    await chain.mint(asked.address, ASKED);
    await confirm();
    const { status, settledAmount } = await depositOf(asked);
    assert.deepEqual([status, String(settledAmount)], ['credited', String(ASKED)], where);
    assert.equal(await approvalsOf(asked), 1, where);
    assert.equal((await timelineOf(asked)).filter((summary) => summary === ARRIVED).length, 1, where);
  }

  it('credits nothing unnoticed that the chain took back while a leader was stopped before any of its statements', async () => {
    let hasStopped = true;
    for (let statement = 0; hasStopped; statement += 1) {
      openAccount();
      const where = `stopped before statement ${statement}`;
      const asked = await payUnread();
      hasStopped = await leadStopped(
        ({ number }) => number === statement,
        async () => {
          await takeBack();
          await lead();
        },
      );
      if (!hasStopped) continue;
      await lead();
      await assertNothingBookedUnnoticed(asked, where);
      await assertCreditedOnce(asked, where);
    }
  });

  it('credits nothing unnoticed that the chain took back while a leader was stopped before any call of its node', async () => {
    let hasStopped = true;
    for (let call = 0; hasStopped; call += 1) {
      openAccount();
      const where = `stopped before call ${call}`;
      const asked = await payUnread();
      hasStopped = false;
      const stopped = eachCallOf(watched.chain, async (number) => {
        if (number !== call) return;
        hasStopped = true;
        await takeBack();
        await lead();
      });
      await lead({ chain: stopped });
      if (!hasStopped) continue;
      await lead();
      await assertNothingBookedUnnoticed(asked, where);
      await assertCreditedOnce(asked, where);
    }
  });

  it('takes nothing back unnoticed that another leader credits between any statements of a rollback', async () => {
    let hasStopped = true;
    for (let statement = 0; hasStopped; statement += 1) {
      openAccount();
      const where = `credited before statement ${statement}`;
      const asked = await payUnread();
      const [reached, goOn] = [newGate(), newGate()];
      const crediting = leadStopped(isSettlement, async () => {
        reached.open();
        await goOn.passed;
      });
      await reached.passed;
      await takeBack();
      hasStopped = await leadStopped(
        ({ number }) => number === statement,
        async () => {
          goOn.open();
          await crediting;
        },
      );
      goOn.open();
      await crediting;
      await assertNothingBookedUnnoticed(asked, where);
      await assertCreditedOnce(asked, where);
    }
  });

  it('reports what a settlement has credited that commits while a rollback waits for it', async () => {
    const asked = await payUnread();
    const [reached, goOn] = [newGate(), newGate()];
    const crediting = lead({ direct: openUntil(isSettlement, goOn.passed, reached.open) });
    await reached.passed;
    await takeBack();
    const rollingBack = lead();
    await waitForBlockedStatement(test.database);
    goOn.open();
    await Promise.all([crediting, rollingBack]);
    assert.equal((await depositOf(asked)).status, 'credited');
    await assertNothingBookedUnnoticed(asked, 'committed during the rollback');
  });

  it('credits nothing that a rollback takes back which commits while the settlement waits for it', async () => {
    const asked = await payUnread();
    const [decided, settling, rolledBack, goOn] = [newGate(), newGate(), newGate(), newGate()];
    const crediting = leadStopped(isSettlement, async () => {
      decided.open();
      await settling.passed;
    });
    await decided.passed;
    await takeBack();
    const rollingBack = lead({ direct: openUntil(isRollback, goOn.passed, rolledBack.open) });
    await rolledBack.passed;
    settling.open();
    await waitForBlockedStatement(test.database);
    goOn.open();
    await Promise.all([crediting, rollingBack]);
    assert.equal((await depositOf(asked)).status, 'open');
    await assertNothingBookedUnnoticed(asked, 'rolled back during the settlement');
  });

  /** Statements of which those of one kind stay uncommitted for a while. */
  function openUntil(isOpen: (next: Prisma.Sql) => boolean, goOn: Promise<void>, onRun: () => void): DirectStatements {
    const { direct } = test.database;
    const runOpen = (...statements: readonly Prisma.Sql[]): Promise<void> =>
      test.database.$transaction(async (transaction) => {
        for (const statement of statements) await transaction.$executeRaw(statement);
        onRun();
        await goOn;
      });
    return {
      ...direct,
      async rowsLocked(lock, statement) {
        if (!isOpen(statement.sql)) return await direct.rowsLocked(lock, statement);
        await runOpen(lock, statement.sql);
        return [];
      },
      async execute(statement) {
        if (!isOpen(statement)) return await direct.execute(statement);
        await runOpen(statement);
        return 1;
      },
    };
  }

  it('reports nothing as taken back that a faster leader has read on the new branch and credited', async () => {
    const asked = await ask();
    await lead();
    await reorganiseRead();
    const chainId = async (): Promise<number> => {
      await chain.mint(asked.address, ASKED);
      await confirm();
      return await watched.chain.chainId();
    };
    await lead({ chain: { chainId } });
    assert.equal((await depositOf(asked)).status, 'credited');
    assert.deepEqual(alerts, []);
    assert.deepEqual(await timelineOf(asked), [ARRIVED]);
  });

  it('says when the chain was read, however late the leader writes it', async () => {
    await ask();
    await chain.mine(1);
    let goneOnAt = new Date();
    const isMove = ({ sql }: NextStatement): boolean => sql.includes('INSERT INTO deposit_transfer');
    await leadStopped(isMove, async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      goneOnAt = new Date();
    });
    const { readAt } = await test.database.depositCursor.findUniqueOrThrow({ where: { provider: provider.name } });
    assert.ok(readAt < goneOnAt, `${readAt.toISOString()} < ${goneOnAt.toISOString()}`);
  });

  it('closes no deposit after a rollback until the new branch was read', async () => {
    const asked = await ask();
    await lead();
    await reorganiseRead();
    await chain.mint(asked.address, ASKED);
    let heads = 0;
    const head: EvmChain['head'] = async () => {
      heads += 1;
      if (heads > 1) throw new ProviderOutageError('TSP_UNAVAILABLE', 'the node is lost');
      return await watched.chain.head();
    };
    await assert.rejects(lead({ chain: { head } }), { code: 'TSP_UNAVAILABLE' });
    const close = () => provider.close(inquiryOf(asked.request), SIGNAL);
    await assert.rejects(close, { code: 'TSP_UNAVAILABLE' });
    await lead();
    assert.equal((await close()).kind, 'pending');
  });

  it('closes no deposit that was paid after it was looked at', async () => {
    const asked = await ask();
    await lead();
    const real = store;
    store = {
      ...real,
      async close(attemptId) {
        await chain.mint(asked.address, ASKED);
        await lead();
        await real.close(attemptId);
      },
    };
    assert.equal((await provider.close(inquiryOf(asked.request), SIGNAL)).kind, 'pending');
    await confirm();
    assert.equal((await depositOf(asked)).status, 'credited');
  });

  it('sees a deposit at an address that was given out while the chain was reorganised during a read', async () => {
    await ask();
    await lead();
    await chain.mine(2);
    let asked: AskedDeposit | undefined;
    const block: EvmChain['block'] = async (number) => {
      const { number: headNumber } = await watched.chain.head();
      if (number === headNumber && asked === undefined) {
        await chain.rpc('anvil_reorg', 2, []);
        await chain.rpc('anvil_rollback', 1);
        asked = await ask();
        await chain.mint(asked.address, ASKED);
      }
      return await watched.chain.block(number);
    };
    await lead({ chain: { block } });
    await confirm();
    assert.ok(asked !== undefined);
    assert.equal((await depositOf(asked)).status, 'credited');
  });

  it('does not take the time of a block from another branch than the transfers', async () => {
    const asked = await ask();
    await lead();
    const branch = await chain.rpc<string>('evm_snapshot');
    await chain.mine(CONFIRMATIONS + 2);
    const { number: headNumber } = await watched.chain.head();
    let isHeadRead = false;
    let isReorganised = false;
    const transfers: EvmChain['transfers'] = async (query) => {
      isHeadRead ||= query.toBlock === headNumber;
      return await watched.chain.transfers(query);
    };
    const block: EvmChain['block'] = async (number) => {
      if (number === headNumber - CONFIRMATIONS && isHeadRead && !isReorganised) {
        isReorganised = true;
        await chain.rpc('evm_revert', branch);
        await chain.mint(asked.address, ASKED);
        await chain.pass(chain.credentials.quoteSeconds + 60);
        await chain.mine(CONFIRMATIONS);
      }
      return await watched.chain.block(number);
    };
    await lead({ chain: { block, transfers } });
    assert.ok(isReorganised);
    assert.equal((await depositOf(asked)).status, 'open');
    await confirm();
    assert.equal((await depositOf(asked)).status, 'credited');
  });
});

function isSettlement({ sql }: { readonly sql: string }): boolean {
  return sql.includes('settled_amount = ') && sql.includes('UPDATE deposit_address');
}

function isRollback({ sql }: { readonly sql: string }): boolean {
  return sql.includes('DELETE FROM deposit_transfer');
}

/** A chain with something that happens before each call, which has a number from 0. */
function eachCallOf(chain: EvmChain, before: (number: number) => Promise<void>): Partial<EvmChain> {
  let made = 0;
  const next = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    const number = made;
    made += 1;
    await before(number);
    return await call();
  };
  return {
    head: () => next(() => chain.head()),
    block: (number) => next(() => chain.block(number)),
    transfers: (query) => next(() => chain.transfers(query)),
  };
}

/** Holds up whoever awaits `passed` until it is opened. */
function newGate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
