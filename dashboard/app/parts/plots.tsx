import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import type { Statistics } from '../../../sdk/server/generated/schemas.ts';
import { formatMoney, formatMoneyShort } from '../core/money.ts';
import { Section } from './section.tsx';
import { countOf, formatRate, intervalName } from './statistic-words.ts';

interface PlotsProps {
  readonly statistics: Statistics;
  readonly currency: string;
  readonly height: number;
}

/** Volume, refunds, attempts and approval rate over time. Loaded by itself, because plots need a large package. */
export default function Plots({ statistics, currency, height }: PlotsProps) {
  const { palette } = useTheme();
  const { series } = statistics;
  const money = (value: number | null) => formatMoney(value ?? 0, currency);
  return (
    <Box
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
    >
      <Plot
        title="Volume and refunds"
        statistics={statistics}
        height={height}
        axis={(value) => formatMoneyShort(value, currency)}
        lines={[
          {
            label: 'Volume',
            color: palette.primary.main,
            data: series.map(({ amountCaptured }) => amountCaptured),
            valueFormatter: money,
            area: true,
          },
          {
            label: 'Refunds',
            color: palette.error.main,
            data: series.map(({ amountRefunded }) => amountRefunded),
            valueFormatter: money,
          },
        ]}
      />
      <Plot
        title="Approval rate"
        statistics={statistics}
        height={height}
        axis={formatRate}
        maximum={1}
        lines={[
          {
            label: 'Approval rate',
            color: palette.primary.main,
            data: series.map(({ approvalRate }) => approvalRate),
            valueFormatter: (value, { dataIndex }) =>
              `${formatRate(value)} of ${countOf(series[dataIndex]?.attempts ?? 0, 'attempt')}`,
            connectNulls: true,
          },
        ]}
      />
    </Box>
  );
}

/** With more values than these, marks cover the line. */
const MOST_MARKS = 31;

interface Line {
  readonly label: string;
  readonly color: string;
  readonly data: (number | null)[];
  readonly valueFormatter: (value: number | null, context: { readonly dataIndex: number }) => string;
  readonly area?: boolean;
  readonly connectNulls?: boolean;
}

interface PlotProps {
  readonly title: string;
  readonly statistics: Statistics;
  readonly height: number;
  readonly lines: readonly Line[];
  readonly axis: (value: number) => string;
  readonly maximum?: number;
}

function Plot({ title, statistics: { series, interval }, height, lines, axis, maximum }: PlotProps) {
  return (
    <Section title={title}>
      <LineChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 16, top: 8, bottom: 0 }}
        grid={{ horizontal: true }}
        series={lines.map((line) => ({ ...line, showMark: isSparse(line), curve: 'linear' as const }))}
        xAxis={[
          {
            scaleType: interval === 'day' ? 'utc' : 'time',
            data: series.map(({ startsAt }) => new Date(startsAt)),
            valueFormatter: (at: Date) => intervalName(at, interval),
            tickNumber: 4,
          },
        ]}
        yAxis={[{ min: 0, ...(maximum === undefined ? {} : { max: maximum }), valueFormatter: axis, width: 72 }]}
      />
    </Section>
  );
}

/** One value between two intervals without any has no line. */
function isSparse({ data }: Line): boolean {
  return data.filter((value) => value !== null).length <= MOST_MARKS;
}
