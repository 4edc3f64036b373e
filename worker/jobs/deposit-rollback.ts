import { decimalUnits } from '../../domain/crypto-assets.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import {
  type DepositRollback,
  type ReadBlock,
  rollBackDeposits,
  type selectDepositCursor,
  selectSettledTransfers,
} from '../../prisma/queries/deposit.ts';
import { lockDepositCursor } from '../../prisma/queries/lock.ts';
import type { RowOf } from '../../prisma/connection/statement.ts';
import { type Block, type EvmChain, requireBlock } from '../../providers/evm/chain.ts';
import type { WatchedAccount } from '../../providers/evm/evm-accounts.ts';
import type { DepositDependencies } from './deposit-settlement.ts';

/** How far the chain of an account was read, and to which blocks. */
export type DepositCursor = RowOf<ReturnType<typeof selectDepositCursor>>;

/** The alert of tokens that a reorganisation took back after an outcome had covered them. */
const DEPOSIT_REORGANIZED = 'DEPOSIT_REORGANIZED';
/** Earlier reads whose last blocks are kept: a reorganisation of more blocks is read again from further back. */
export const KEPT_BLOCKS = 256;

/**
 * Goes back to the newest block that was read and that the chain still has. Transfers that outcomes have covered are only
 * reported.
 */
export async function rollBack(
  dependencies: DepositDependencies,
  account: WatchedAccount,
  cursor: DepositCursor,
): Promise<void> {
  const { direct } = dependencies.database;
  const { name: provider } = account;
  const { to, earlier } = await commonBlock(account.chain, cursor);
  const rollback = { provider, from: cursor, to, earlier };
  const reported = await reportReorganizedTransfers(dependencies, rollback);
  dependencies.logger.warn({ provider, fromBlock: cursor.number, toBlock: to.number }, 'a chain was reorganised');
  await direct.rowsLocked(lockDepositCursor(provider), rollBackDeposits({ ...rollback, reported }));
}

async function commonBlock(
  chain: EvmChain,
  { number, earlier }: DepositCursor,
): Promise<{ readonly to: Pick<Block, 'number' | 'hash'>; readonly earlier: readonly ReadBlock[] }> {
  for (const [place, [earlierNumber, hash]] of earlier.entries()) {
    const block = await requireBlock(chain, earlierNumber);
    if (block.hash === hash) return { to: block, earlier: earlier.slice(place + 1) };
  }
  const oldest = earlier.at(-1)?.[0] ?? number;
  return { to: await requireBlock(chain, Math.max(0, oldest - KEPT_BLOCKS)), earlier: [] };
}

type SettledTransfer = RowOf<ReturnType<typeof selectSettledTransfers>>;

/**
 * Reports every transfer that was settled, before the rollback deletes it; one that cannot be reported holds the rollback up. Such
 * transfers are normally few: those of the blocks that the chain has left.
 */
async function reportReorganizedTransfers(
  dependencies: DepositDependencies,
  rollback: Omit<DepositRollback, 'reported'>,
): Promise<readonly SettledTransfer[]> {
  const settled = await dependencies.database.direct.rows(selectSettledTransfers(rollback));
  for (const transfer of settled) await reportReorganized(dependencies, rollback.provider, transfer);
  return settled;
}

async function reportReorganized(
  { database, logger }: DepositDependencies,
  provider: string,
  transfer: SettledTransfer,
): Promise<void> {
  const { attemptId, paymentIntentId, transactionHash, blockHash, blockNumber, asset, decimals, status } = transfer;
  const amount = decimalUnits(BigInt(transfer.amount), decimals);
  const details = { attemptId, transactionHash, blockNumber, blockHash, asset, amount, depositStatus: status };
  const summary = `${provider}: a reorganisation took back a deposit of ${amount} ${asset} that was ${status}; nothing was changed`;
  const step: PaymentStep = { timeline: [{ kind: 'provider_event', summary, details }] };
  const stepId = `deposit ${attemptId} lost ${transactionHash} ${blockHash}`;
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, step, stepId, at });
  const fields = { alert: DEPOSIT_REORGANIZED, provider, paymentIntentId, ...details };
  logger.error(fields, 'a chain has taken back a deposit after its outcome was reported');
}
