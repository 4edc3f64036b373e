import type { selectStatistics, STATISTIC_GROUPS } from '../../../prisma/queries/statistics.ts';
import type { RowOf } from '../../../prisma/connection/statement.ts';
import type { StatisticsResource } from '../../../contract/schemas/statistics.ts';
import { intervalsOf, type WholeRange } from './range.ts';

type StatisticRow = RowOf<ReturnType<typeof selectStatistics>>;
type Figures = Omit<StatisticRow, 'group' | 'startsAt' | 'value'>;
type Groups = Pick<
  StatisticsResource,
  'total' | 'series' | 'byProvider' | 'byPaymentMethod' | 'byCountry' | 'failuresByCode'
>;

const NOTHING: Figures = {
  created: 0n,
  succeeded: 0n,
  approved: 0n,
  declined: 0n,
  failed: 0n,
  notCharged: 0n,
  captured: 0n,
  capturedMinor: 0,
  refunded: 0n,
  refundedMinor: 0,
  refundsFailed: 0n,
};

/** The figures of a range in every grouping. */
export function presentGroups(rows: readonly StatisticRow[], range: WholeRange): Groups {
  const of = (group: (typeof STATISTIC_GROUPS)[number]) => rows.filter((row) => row.group === group);
  const byTime = new Map(of('time').map((row) => [row.startsAt?.getTime(), row]));
  return {
    total: { ...presentPayments(sumOf(of('time'))), ...presentFigures(sumOf(of('time'))) },
    series: intervalsOf(range).map((startsAt) => {
      const row = byTime.get(startsAt.getTime()) ?? NOTHING;
      return { startsAt: startsAt.toISOString(), ...presentPayments(row), ...presentFigures(row) };
    }),
    byProvider: groupsOf(of('provider')).flatMap(({ name, figures }) =>
      name === null ? [] : [{ provider: name, ...figures }],
    ),
    byPaymentMethod: groupsOf(of('method')).map(({ name, figures }) => ({ paymentMethod: name, ...figures })),
    byCountry: groupsOf(of('country')).map(({ name, figures }) => ({ country: name, ...figures })),
    failuresByCode: failuresOf(of('code')),
  };
}

/** The groups in which anything was tried, captured or refunded, the most attempts first. */
function groupsOf(rows: readonly StatisticRow[]) {
  return rows
    .map((row) => ({ name: nameOf(row), figures: presentFigures(row) }))
    .filter(({ figures }) => figures.attempts + figures.captures + figures.refunds + figures.refundsFailed > 0)
    .sort((a, b) => b.figures.attempts - a.figures.attempts || compareNames(a.name, b.name));
}

function failuresOf(rows: readonly StatisticRow[]): StatisticsResource['failuresByCode'] {
  return rows
    .map((row) => ({ code: nameOf(row), attempts: Number(row.declined + row.failed + row.notCharged) }))
    .filter(({ attempts }) => attempts > 0)
    .sort((a, b) => b.attempts - a.attempts || compareNames(a.code, b.code));
}

function compareNames(a: string | null, b: string | null): number {
  return (a ?? '').localeCompare(b ?? '', 'en');
}

/** The table has an empty text where there is no name. */
function nameOf({ value }: StatisticRow): string | null {
  return value === '' ? null : value;
}

function presentPayments({ created, succeeded }: Figures) {
  return { paymentsCreated: Number(created), paymentsSucceeded: Number(succeeded) };
}

function presentFigures(figures: Figures) {
  const { approved, declined, failed, notCharged } = figures;
  const attempts = Number(approved + declined + failed + notCharged);
  return {
    attempts,
    approved: Number(approved),
    declined: Number(declined),
    failed: Number(failed),
    notCharged: Number(notCharged),
    approvalRate: attempts === 0 ? null : Number(approved) / attempts,
    captures: Number(figures.captured),
    amountCaptured: figures.capturedMinor,
    refunds: Number(figures.refunded),
    amountRefunded: figures.refundedMinor,
    refundsFailed: Number(figures.refundsFailed),
  };
}

function sumOf(rows: readonly Figures[]): Figures {
  return rows.reduce(
    (sum, row) => ({
      created: sum.created + row.created,
      succeeded: sum.succeeded + row.succeeded,
      approved: sum.approved + row.approved,
      declined: sum.declined + row.declined,
      failed: sum.failed + row.failed,
      notCharged: sum.notCharged + row.notCharged,
      captured: sum.captured + row.captured,
      capturedMinor: sum.capturedMinor + row.capturedMinor,
      refunded: sum.refunded + row.refunded,
      refundedMinor: sum.refundedMinor + row.refundedMinor,
      refundsFailed: sum.refundsFailed + row.refundsFailed,
    }),
    NOTHING,
  );
}
