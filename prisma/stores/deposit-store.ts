import type { DepositRecord, DepositStore } from '../../domain/deposit.ts';
import type { Database } from '../connection/client.ts';
import {
  closeDeposit,
  type DepositRow,
  insertDeposit,
  selectDeposit,
  selectNextDepositIndex,
} from '../queries/deposit.ts';

/** Keeps deposits in the database. */
export function createDepositStore({ direct }: Pick<Database, 'direct'>): DepositStore {
  return {
    async nextIndex() {
      const row = await direct.row(selectNextDepositIndex());
      if (row === undefined) throw new Error('a sequence has a next value');
      return row.index;
    },
    async open(deposit, start) {
      await direct.execute(insertDeposit(deposit, start));
    },
    async find(attemptId) {
      const row = await direct.row(selectDeposit(attemptId));
      return row === undefined ? null : depositRecordOf(row);
    },
    async close(attemptId) {
      await direct.execute(closeDeposit(attemptId));
    },
  };
}

/** What is known of a deposit, from its row. */
export function depositRecordOf({
  transfers,
  confirmedAt,
  readToNumber,
  readToHash,
  readAt,
  ...row
}: DepositRow): DepositRecord {
  return {
    deposit: {
      ...row,
      expected: BigInt(row.expected),
      settled: BigInt(row.settled),
      stray: BigInt(row.stray),
      amountMinor: Number(row.amountMinor),
    },
    transfers: transfers.map(({ amount, at, ...transfer }) => ({
      ...transfer,
      amount: BigInt(amount),
      at: new Date(at),
    })),
    confirmedAt,
    readTo: { number: readToNumber, hash: readToHash },
    readAt,
  };
}
