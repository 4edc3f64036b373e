import assert from 'node:assert/strict';
import type { DepositStore } from '../../../../domain/deposit.ts';
import { isProviderEvent } from '../../../../domain/provider-outcome.ts';
import { createDepositStore } from '../../../../prisma/stores/deposit-store.ts';
import type { DirectStatements } from '../../../../prisma/connection/direct-statements.ts';
import type { EvmChain } from '../../../../providers/evm/chain.ts';
import { createEvmAccounts } from '../../../../providers/evm/evm-accounts.ts';
import { EVM } from '../../../../providers/evm/evm-provider.ts';
import type { PaymentProvider } from '../../../../providers/payment-provider.ts';
import { watchDeposits } from '../../../../worker/jobs/deposit-watcher.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { startTestChain, type TestChain } from '../../../support/evm-chain.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../../support/payment-rows.ts';
import { describeProviderContract, startFaultProxy } from '../../../support/provider-contract.ts';
import type { DepositControls } from '../../../support/provider-contract/subject.ts';
import { UNREACHABLE_URL } from '../../../support/simulator-harness.ts';

const NAME = 'evm';
const TIMEOUT_MS = 5_000;
/** Of a token with 6 digits after the point, at a price of one dollar. */
const UNITS_PER_MINOR = 10_000n;
const SIGNAL = new AbortController().signal;

describeProviderContract({
  name: 'the adapter of EVM chains',
  capabilities: EVM.capabilities,
  lacks: [
    // A deposit is declined by waiting too long, and approved with the asked amount; what differs is in the timeline.
    'declined',
    'authentication_demanded',
    'other_amount',
    'other_currency',
    // The engine has no private key, so it cannot give tokens back.
    'refunds',
    'refund_refused',
    'refund_waiting',
    // A chain calls nobody: the watcher reads it.
    'webhooks',
    // A transfer on a chain is final.
    'disputes',
    // A node is asked, and never told to do anything: whatever a refusal means, nothing has happened.
    'unrecognised',
  ],
  async start() {
    const [test, chain] = await Promise.all([createTestDatabase(), startTestChain()]);
    const faults = await startFaultProxy(chain.url);
    const deposits = await storeWithPayments(test);
    const adapterTo = (apiUrl: string, timeoutMs = TIMEOUT_MS): PaymentProvider => {
      const { credentials } = chain;
      return EVM.create({ name: NAME, environment: 'sandbox', credentials, apiUrl, timeoutMs }, { deposits });
    };
    const controls = controlsOf(test, chain, faults.url);
    return {
      provider: adapterTo(faults.url),
      impatient: adapterTo(faults.url, 200),
      unreachable: adapterTo(UNREACHABLE_URL),
      faults,
      deposits: controls,
      prepare: (_, request) => ({ ...request, method: { type: 'crypto', asset: 'USDC', network: 'ethereum' } }),
      async customerActs({ attemptId }, decision) {
        const { amountMinor } = await depositOf(test, attemptId);
        if (decision === 'approve') await controls.transfer(attemptId, [Number(amountMinor)]);
        else await controls.expire(attemptId);
        await controls.confirm();
        await controls.read();
      },
      countCharges: (attemptId) => test.database.depositAddress.count({ where: { attemptId, status: 'credited' } }),
      async keptMinor(attemptId) {
        const { address } = await depositOf(test, attemptId);
        return Number((await chain.balanceOf(address)) / UNITS_PER_MINOR);
      },
      async stop() {
        await Promise.all([test.close(), faults.close()]);
        await chain.close();
      },
    };
  },
});

/** The store of deposits, which adds the payment that a row of it belongs to. */
async function storeWithPayments({ database }: TestDatabase): Promise<DepositStore> {
  const merchantAccountId = await insertMerchantAccount(database);
  const store = createDepositStore(database);
  return {
    ...store,
    async open(deposit, start) {
      const { attemptId, paymentIntentId, amountMinor, currency } = deposit;
      const attempt = { routeId: 'rt_1', provider: NAME, paymentMethodId: 'pm_1', tries: 1, startedAt: new Date() };
      await insertPaymentIntent(database, merchantAccountId, { id: paymentIntentId, status: 'processing' }).catch(
        ignore,
      );
      await database.paymentAttempt
        .create({ data: { id: attemptId, paymentIntentId, number: 1, amountMinor, currency, ...attempt } })
        .catch(ignore);
      await store.open(deposit, start);
    },
  };
}

/** A repeat of the same attempt finds its rows. */
function ignore(): undefined {
  return undefined;
}

function depositOf({ database }: TestDatabase, attemptId: string) {
  return database.depositAddress.findUniqueOrThrow({ where: { attemptId } });
}

function controlsOf(test: TestDatabase, chain: TestChain, proxyUrl: string): DepositControls {
  const { database } = test;
  const { direct } = database;

  /** Reads once, as a worker that has just started. */
  const read = async (statements: DirectStatements, chainOf: (exact: EvmChain) => EvmChain): Promise<void> => {
    const credentials = { ...chain.credentials, rpcUrl: proxyUrl };
    const [account] = createEvmAccounts({
      accounts: [{ name: NAME, environment: 'sandbox', credentials }],
      timeoutMs: TIMEOUT_MS,
      deposits: createDepositStore(database),
    });
    assert.ok(account !== undefined);
    const watched = { ...account.watched, chain: chainOf(account.watched.chain) };
    const logger = { warn: ignore, error: ignore };
    await watchDeposits({ database: { direct: statements }, logger }, watched, { stop: SIGNAL, timeUp: SIGNAL });
  };

  return {
    async transfer(attemptId, amountsMinor, token = 'accepted') {
      const { address } = await depositOf(test, attemptId);
      const contract = token === 'accepted' ? chain.token : chain.lookalike;
      const hashes: string[] = [];
      for (const minor of amountsMinor) {
        hashes.push(await chain.mint(address, BigInt(minor) * UNITS_PER_MINOR, contract));
      }
      return hashes;
    },
    confirm: () => chain.mine(chain.credentials.confirmations),
    async expire(attemptId) {
      const { timestamp } = await chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
      const quoteExpiresAt = new Date(Number(timestamp) * 1_000);
      await database.depositAddress.update({ where: { attemptId }, data: { quoteExpiresAt } });
      await chain.pass(1);
    },
    reorganise: () => chain.rpc('anvil_reorg', 1, []),
    read: (mode = 'exact') => read(direct, mode === 'exact' ? (exact) => exact : repeatingTransfers),
    async readInStatements(count) {
      const limited = limitStatements(direct, count);
      const end = await read(limited.direct, (exact) => exact).catch((error: unknown) => error);
      assert.ok(end === undefined || limited.isExhausted());
      return !limited.isExhausted();
    },
    async endAttempt(attemptId) {
      await database.paymentAttempt.update({ where: { id: attemptId }, data: { outcome: 'declined' } });
    },
    async reports(attemptId) {
      const { paymentIntentId } = await depositOf(test, attemptId);
      const rows = await database.providerEvent.findMany({
        where: { paymentIntentId },
        orderBy: { receivedAt: 'asc' },
      });
      return rows.flatMap(({ event }) => (isProviderEvent(event) ? [event.outcome] : []));
    },
  };
}

/** The chain as a node shows it that answers each transfer twice. */
function repeatingTransfers(exact: EvmChain): EvmChain {
  return {
    ...exact,
    async transfers(query) {
      const transfers = await exact.transfers(query);
      return [...transfers, ...transfers];
    },
  };
}

/** Statements that fail once there were so many. */
function limitStatements(direct: DirectStatements, count: number) {
  let made = 0;
  const next = <Result>(run: () => Promise<Result>): Promise<Result> => {
    made += 1;
    return made > count ? Promise.reject(new Error('the worker has died')) : run();
  };
  const limited: DirectStatements = {
    rows: (statement) => next(() => direct.rows(statement)),
    row: (statement) => next(() => direct.row(statement)),
    rowsLocked: (lock, statement) => next(() => direct.rowsLocked(lock, statement)),
    execute: (statement) => next(() => direct.execute(statement)),
  };
  return { direct: limited, isExhausted: () => made > count };
}
