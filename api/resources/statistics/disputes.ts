import type { DisputeStatisticsResource } from '../../../contract/schemas/dispute-statistics.ts';
import { DISPUTE_REASONS, type DisputeReason } from '../../../domain/dispute.ts';
import { DISPUTE_THRESHOLDS } from '../../../domain/dispute-threshold.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { RowOf } from '../../../prisma/connection/statement.ts';
import { selectDisputeStatistics, selectStatisticsTime } from '../../../prisma/queries/statistics.ts';

type Row = RowOf<ReturnType<typeof selectDisputeStatistics>>;
type Figures = Omit<Row, 'group' | 'startsAt' | 'value'>;

const NOTHING: Figures = { payments: 0, inquiries: 0, chargebacks: 0, won: 0, lost: 0, closed: 0, fraudWarnings: 0 };

/** The disputes of the last calendar months of UTC, the running one included. */
export async function readDisputeStatistics(
  { direct }: Pick<Database, 'direct'>,
  { merchantAccountId, environment }: Principal,
  months: number,
): Promise<DisputeStatisticsResource> {
  const range = monthsUntil(new Date(), months);
  // The time is read first, because the figures can only grow after it.
  const time = await direct.row(selectStatisticsTime());
  const rows = await direct.rows(selectDisputeStatistics({ merchantAccountId, environment }, range));
  return {
    object: 'dispute_statistics',
    merchantId: merchantAccountId,
    environment,
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    asOf: (time?.asOf ?? range.from).toISOString(),
    thresholds: [...DISPUTE_THRESHOLDS],
    ...presentDisputes(rows, range.months),
  };
}

function monthsUntil(now: Date, count: number) {
  const month = (index: number): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index));
  const months = Array.from({ length: count }, (_, index) => month(index - count + 1));
  return { from: month(1 - count), to: month(1), months };
}

/** The figures in every grouping. Pure. @param months the beginnings of months, oldest first */
function presentDisputes(
  rows: readonly Row[],
  months: readonly Date[],
): Pick<DisputeStatisticsResource, 'months' | 'byProvider' | 'byReason'> {
  const of = (group: Row['group']) => rows.filter((row) => row.group === group);
  const byTime = new Map(of('month').map((row) => [row.startsAt?.getTime(), row]));
  return {
    months: months.map((startsAt) => {
      const row = byTime.get(startsAt.getTime()) ?? NOTHING;
      const { fraudWarnings } = row;
      return { startsAt: startsAt.toISOString(), ...presentPayments(row), ...presentFigures(row), fraudWarnings };
    }),
    byProvider: of('provider')
      .filter((row) => row.value !== '' && hasDisputes(row))
      .sort(mostFirst)
      .map((row) => ({ provider: row.value ?? '', ...presentPayments(row), ...presentFigures(row) })),
    byReason: of('reason')
      .toSorted(mostFirst)
      .flatMap((row) => (isReason(row.value) ? [{ reason: row.value, ...presentFigures(row) }] : [])),
  };
}

function isReason(value: string | null): value is DisputeReason {
  return DISPUTE_REASONS.some((reason) => reason === value);
}

function hasDisputes({ inquiries, chargebacks, won, lost, closed }: Figures): boolean {
  return inquiries + chargebacks + won + lost + closed > 0;
}

function mostFirst(left: Row, right: Row): number {
  return right.chargebacks - left.chargebacks || (left.value ?? '').localeCompare(right.value ?? '', 'en');
}

function presentPayments({ payments, chargebacks }: Figures) {
  return { payments, chargebackRate: payments === 0 ? null : chargebacks / payments };
}

function presentFigures({ inquiries, chargebacks, won, lost, closed }: Figures) {
  return { inquiries, chargebacks, won, lost, closed, winRate: won + lost === 0 ? null : won / (won + lost) };
}
