import { decimalUnits } from './crypto-assets.ts';
import type { JsonObject } from './json.ts';
import type { Approved, InquiryOutcome } from './provider-outcome.ts';

/**
 * `open`: the quote is valid, or what arrived in time is not confirmed yet. `credited`: enough arrived in time. `underpaid`: too
 * little arrived in time. `expired`: nothing arrived in time. `closed`: called off before enough had arrived.
 */
export type DepositStatus = 'open' | 'credited' | 'underpaid' | 'expired' | 'closed';

/**
 * An address that was given out for one attempt, and the deposit expected there. Token amounts are in the token's smallest unit.
 */
export interface NewDeposit {
  readonly attemptId: string;
  readonly paymentIntentId: string;
  readonly provider: string;
  /** The place of the address in the wallet; no two deposits of an installation have the same. */
  readonly index: number;
  /** `0x…`, lower case. */
  readonly address: string;
  readonly asset: string;
  readonly network: string;
  /** The token's contract, `0x…`, lower case. */
  readonly contract: string;
  /** Digits after the point in amounts of the token. */
  readonly decimals: number;
  readonly expected: bigint;
  /** The price of the expected tokens, in minor units of the currency. */
  readonly amountMinor: number;
  readonly currency: string;
  /** How many blocks must follow a transfer's own before it counts. */
  readonly confirmations: number;
  /** A transfer counts if its block is not younger. */
  readonly quoteExpiresAt: Date;
}

/** A block of the chain. With its hash it stands for its whole branch, so for everything that happened up to it. */
export interface ChainPosition {
  readonly number: number;
  readonly hash: string;
}

export interface Deposit extends NewDeposit {
  readonly status: DepositStatus;
  /** The confirmed tokens that outcomes and reports have covered so far. */
  readonly settled: bigint;
  /** The part of them that arrived for an attempt that had ended uncharged. */
  readonly stray: bigint;
}

/** A transfer of the expected token to the address. */
export interface DepositTransfer {
  readonly transactionHash: string;
  readonly logIndex: number;
  readonly amount: bigint;
  /** The time of its block. */
  readonly at: Date;
  readonly isConfirmed: boolean;
}

/** What is known of a deposit. */
export interface DepositRecord {
  readonly deposit: Deposit;
  /** Oldest first. */
  readonly transfers: readonly DepositTransfer[];
  /** The time of the newest confirmed block; null while there is none. */
  readonly confirmedAt: Date | null;
  /** The newest block of which all transfers are known. */
  readonly readTo: ChainPosition;
  /** When the chain was last read up to its newest block. After a reorganisation, a time long ago, until the new branch has been read. */
  readonly readAt: Date;
}

/** Keeps the addresses that were given out. */
export interface DepositStore {
  /** An index that no other deposit has. */
  nextIndex(): Promise<number>;
  /**
   * Records a deposit; an attempt that has one already keeps it.
   * @param start the newest block
   */
  open(deposit: NewDeposit, start: ChainPosition): Promise<void>;
  /** Null where the attempt has no address. */
  find(attemptId: string): Promise<DepositRecord | null>;
  /** Closes a deposit that is open, unless enough has arrived. */
  close(attemptId: string): Promise<void>;
}

/** The sum of the tokens that arrived in time, confirmed or not. */
function inTime({ deposit, transfers }: DepositRecord): readonly DepositTransfer[] {
  return transfers.filter(({ at }) => at <= deposit.quoteExpiresAt);
}

function sumOf(transfers: readonly DepositTransfer[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Whether enough has arrived in time, confirmed or not. */
export function isPaid(record: DepositRecord): boolean {
  return sumOf(inTime(record)) >= record.deposit.expected;
}

/**
 * The value of tokens at the price of the quote, in minor units of its currency, rounded down.
 * @param units in the token's smallest unit
 */
function minorOf({ amountMinor, expected }: NewDeposit, units: bigint): number {
  const minor = (units * BigInt(amountMinor)) / expected;
  return Number(minor < MOST_MINOR ? minor : MOST_MINOR);
}

const MOST_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

function approved(deposit: Deposit, amountMinor: number): Approved {
  const { address: providerPaymentId, currency } = deposit;
  return { kind: 'approved', providerPaymentId, amountMinor, currency, captured: true };
}

/** The outcome of a deposit. For an attempt that had ended uncharged, the charged amount is what has arrived since. */
export function outcomeOfDeposit(record: DepositRecord): InquiryOutcome {
  const { deposit } = record;
  const { address: providerPaymentId, asset, network, confirmations: confirmationsRequired } = deposit;
  const strayMinor = minorOf(deposit, deposit.stray);
  if (strayMinor > 0) return approved(deposit, strayMinor);
  switch (deposit.status) {
    case 'open': {
      if (isPaid(record)) return { kind: 'pending', providerPaymentId };
      const amount = decimalUnits(deposit.expected, deposit.decimals);
      const expiresAt = deposit.quoteExpiresAt.toISOString();
      const asked = { asset, network, address: deposit.address, amount, confirmationsRequired, expiresAt };
      return { kind: 'requires_action', providerPaymentId, nextAction: { type: 'crypto_deposit', ...asked } };
    }
    case 'credited':
      return approved(deposit, Math.min(minorOf(deposit, deposit.settled), deposit.amountMinor));
    case 'underpaid':
      return {
        kind: 'failed',
        providerPaymentId,
        code: 'CRYPTO_DEPOSIT_FAILED',
        details: { reason: 'underpaid', ...detailsOf(deposit, inTime(record)) },
      };
    case 'expired':
      return {
        kind: 'declined',
        providerPaymentId,
        code: 'PAYMENT_DECLINED',
        message: 'No deposit arrived before the quote expired.',
        details: { reason: 'quote_expired', ...detailsOf(deposit, []) },
      };
    case 'closed':
      return { kind: 'not_charged' };
  }
}

/** At most this many transfers are listed: nobody makes more for one payment, and the sum covers all. */
const MAXIMUM_HASHES = 20;

/** A deposit with amounts and transactions, for failures, the timeline and the log. */
export function detailsOf(deposit: NewDeposit, transfers: readonly DepositTransfer[]): JsonObject {
  const { asset, network, address, contract, decimals, expected } = deposit;
  const hashes = [...new Set(transfers.map(({ transactionHash }) => transactionHash))].slice(0, MAXIMUM_HASHES);
  const [transactionHash] = hashes;
  return {
    ...(transactionHash === undefined ? {} : { transactionHash, transactionHashes: hashes }),
    asset,
    network,
    depositAddress: address,
    contract,
    expectedAmount: decimalUnits(expected, decimals),
    receivedAmount: decimalUnits(sumOf(transfers), decimals),
  };
}

/** A change of a deposit that follows from the chain. */
export interface DepositSettlement {
  readonly deposit: Deposit;
  readonly kind: 'paid' | 'credited' | 'underpaid' | 'expired' | 'surplus' | 'stray' | 'nothing_new';
  /** The deposit after the change. */
  readonly after: Pick<Deposit, 'status' | 'settled' | 'stray'>;
  /** The transfers that it covers. */
  readonly transfers: readonly DepositTransfer[];
  /** What the provider reports; null where there is nothing to report to the payment's workflow. */
  readonly outcome: InquiryOutcome | null;
}

/**
 * Decides what becomes of a deposit. Of an open one, enough confirmed tokens in time credit it; otherwise it ends once every
 * block up to the expiry of the quote is confirmed. Tokens that arrive at an ended deposit are a surplus if it was credited, else
 * a stray charge.
 * @returns null while there is nothing to decide
 */
export function settleDeposit(record: DepositRecord): DepositSettlement | null {
  return record.deposit.status === 'open' ? settleOpen(record) : settleEnded(record);
}

function settleOpen(record: DepositRecord): DepositSettlement | null {
  const { deposit, confirmedAt } = record;
  const transfers = inTime(record).filter(({ isConfirmed }) => isConfirmed);
  const settled = sumOf(transfers);
  if (settled >= deposit.expected) return ended(record, 'credited', transfers);
  if (confirmedAt !== null && confirmedAt > deposit.quoteExpiresAt) {
    return ended(record, settled > 0n ? 'underpaid' : 'expired', transfers);
  }
  if (!isPaid(record)) return null;
  return { deposit, kind: 'paid', after: deposit, transfers: [], outcome: outcomeOfDeposit(record) };
}

function ended(
  record: DepositRecord,
  status: 'credited' | 'underpaid' | 'expired',
  transfers: readonly DepositTransfer[],
): DepositSettlement {
  const { deposit } = record;
  const after = { status, settled: sumOf(transfers), stray: 0n };
  const outcome = outcomeOfDeposit({ ...record, deposit: { ...deposit, ...after } });
  return { deposit, kind: status, after, transfers, outcome };
}

function settleEnded(record: DepositRecord): DepositSettlement | null {
  const { deposit } = record;
  const transfers = record.transfers.filter(({ isConfirmed }) => isConfirmed);
  if (transfers.length === 0) return null;
  const { status, settled } = deposit;
  const extra = sumOf(transfers) - settled;
  // A transfer that was settled, and that a reorganisation has moved to another block.
  if (extra <= 0n) return { deposit, kind: 'nothing_new', after: deposit, transfers, outcome: null };
  const after = { status, settled: settled + extra, stray: deposit.stray };
  if (status === 'credited') return { deposit, kind: 'surplus', after, transfers, outcome: null };
  const stray = { ...deposit, ...after, stray: deposit.stray + extra };
  const amountMinor = minorOf(deposit, stray.stray);
  const outcome = amountMinor === 0 ? null : approved(stray, amountMinor);
  return { deposit, kind: 'stray', after: stray, transfers, outcome };
}
