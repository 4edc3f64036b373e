import type { Logger } from 'pino';
import { decimalUnits } from '../../domain/crypto-assets.ts';
import { detailsOf, type DepositSettlement, settleDeposit } from '../../domain/deposit.ts';
import type { TimelineEntry } from '../../domain/payment-step.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { depositRecordOf } from '../../prisma/stores/deposit-store.ts';
import { selectDueDeposits, settleDepositOf } from '../../prisma/queries/deposit.ts';
import { lockIntent } from '../../prisma/queries/lock.ts';
import type { RowOf } from '../../prisma/connection/statement.ts';
import { sweep } from './sweep.ts';

export interface DepositDependencies {
  readonly database: Pick<Database, 'direct'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** The alert of tokens that arrived for a payment which has its money already. */
const DEPOSIT_SURPLUS = 'DEPOSIT_SURPLUS';

const PAGE_SIZE = 100;
const CONCURRENCY = 5;

type DueDeposit = RowOf<ReturnType<typeof selectDueDeposits>>;

/** Settles the due deposits, even after a failed read: the blocks that were read may be enough for some. */
export async function settleDueDeposits(
  dependencies: DepositDependencies,
  provider: string,
  signal: AbortSignal,
): Promise<void> {
  await sweep({
    readPage: async (after: DueDeposit | undefined) =>
      await dependencies.database.direct.rows(
        selectDueDeposits({ provider, after: after?.attemptId, limit: PAGE_SIZE }),
      ),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle: (row) => settle(dependencies, row),
    signal,
  });
}

async function settle({ database, logger }: DepositDependencies, row: DueDeposit): Promise<void> {
  const record = depositRecordOf(row);
  const settlement = settleDeposit(record);
  if (settlement === null) return;
  const { deposit, kind, after, transfers, outcome } = settlement;
  const { attemptId, paymentIntentId, provider } = deposit;
  // An attempt has one stray charge, which its reversal may have ended with the amount that had arrived by then.
  const isMoreThanStray = kind === 'stray' && (outcome === null || deposit.stray > 0n);
  if (kind === 'surplus' || isMoreThanStray) {
    const fields = { alert: DEPOSIT_SURPLUS, provider, attemptId, paymentIntentId, ...detailsOf(deposit, transfers) };
    logger.warn(fields, 'more tokens arrived than a payment asked for');
  }
  const eventId = `${attemptId}:${kind}:${after.settled}`;
  const report = outcome === null ? null : { provider, eventId, attemptId, outcome };
  const entry = timelineEntryOf(settlement);
  const write = { settlement, readTo: record.readTo, report, entry, stepId: `deposit ${eventId}` };
  await database.direct.rowsLocked(lockIntent(paymentIntentId), settleDepositOf(write));
}

/** The settlement as the payment's timeline shows it, with all amounts and transactions. */
function timelineEntryOf({ deposit, kind, after, transfers }: DepositSettlement): TimelineEntry | null {
  if (kind === 'paid' || kind === 'nothing_new') return null;
  const { asset, decimals, expected, provider } = deposit;
  const surplus = after.settled - expected;
  const amount = (units: bigint): string => `${decimalUnits(units, decimals)} ${asset}`;
  const summary = {
    credited: `${amount(after.settled)} of ${amount(expected)} arrived in time`,
    underpaid: `only ${amount(after.settled)} of ${amount(expected)} arrived in time`,
    expired: `nothing of ${amount(expected)} arrived in time`,
    surplus: `${amount(after.settled - deposit.settled)} more arrived than was asked for`,
    stray: `${amount(after.settled - deposit.settled)} arrived after the deposit had ended`,
  }[kind];
  const hasSurplus = after.status === 'credited' && surplus > 0n;
  return {
    kind: 'provider_event',
    summary: `${provider}: ${summary}`,
    details: {
      ...detailsOf(deposit, transfers),
      ...(hasSurplus ? { surplusAmount: decimalUnits(surplus, decimals) } : {}),
    },
  };
}
