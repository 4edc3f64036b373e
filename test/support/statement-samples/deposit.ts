import type * as deposit from '../../../prisma/queries/deposit.ts';
import type { Deposit } from '../../../domain/deposit.ts';
import type { SamplesOf } from './samples-of.ts';

const DEPOSIT: Deposit = {
  attemptId: 'att_1',
  paymentIntentId: 'pi_1',
  provider: 'evm',
  index: 0,
  address: '0x1',
  asset: 'USDC',
  network: 'ethereum',
  contract: '0x2',
  decimals: 6,
  expected: 10n ** 77n,
  amountMinor: 1_000,
  currency: 'USD',
  confirmations: 3,
  quoteExpiresAt: new Date(0),
  status: 'open',
  settled: 0n,
  stray: 0n,
};

const BLOCK = { number: 1, hash: '0x3' };
const TRANSFER = { attemptId: 'att_1', transactionHash: '0x4', logIndex: 0, blockNumber: 2, blockHash: '0x5' };
const MOVE = { provider: 'evm', from: BLOCK, to: BLOCK, earlier: [[1, '0x3']] } as const;
const SETTLEMENT = {
  deposit: DEPOSIT,
  kind: 'expired',
  after: { status: 'expired', settled: 0n, stray: 0n },
  transfers: [{ transactionHash: '0x4', logIndex: 0, amount: 1n, at: new Date(0), isConfirmed: true }],
  outcome: null,
} as const;

const WRITE = { settlement: SETTLEMENT, readTo: BLOCK, stepId: 'deposit att_1' };

export const samples: SamplesOf<typeof deposit> = {
  selectNextDepositIndex: [[]],
  insertDeposit: [[DEPOSIT, BLOCK]],
  selectDeposit: [['att_1']],
  closeDeposit: [['att_1']],
  selectDueDeposits: [
    [{ provider: 'evm', after: undefined, limit: 100 }],
    [{ provider: 'evm', after: 'att_1', limit: 100 }],
  ],
  settleDepositOf: [
    [{ ...WRITE, report: null, entry: null }],
    [
      {
        ...WRITE,
        report: { provider: 'evm', eventId: 'e1', attemptId: 'att_1', outcome: { kind: 'not_charged' } },
        entry: { kind: 'provider_event', summary: 'nothing arrived', details: { asset: 'USDC' } },
      },
    ],
  ],
  selectDepositCursor: [['evm']],
  selectDepositAddresses: [['evm', 500]],
  selectAwaited: [['evm', [{ recipient: '0x1', contract: '0x2' }]]],
  advanceDepositCursor: [
    [{ ...MOVE, readAt: new Date(0), confirmed: null, transfers: [] }],
    [
      {
        ...MOVE,
        readAt: new Date(0),
        confirmed: { number: 1, at: new Date(0) },
        transfers: [{ ...TRANSFER, blockAt: '2026-01-01T00:00:00.000Z', amount: '1' }],
      },
    ],
  ],
  rollBackDeposits: [[{ ...MOVE, reported: [] }], [{ ...MOVE, reported: [{ transactionHash: '0x4', logIndex: 0 }] }]],
  selectSettledTransfers: [[MOVE]],
};
