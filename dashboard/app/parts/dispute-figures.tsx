import Box from '@mui/material/Box';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { DisputeStatistics } from '../../../sdk/server/generated/schemas.ts';
import { useMay } from '../core/session.ts';
import { inWords } from '../core/words.ts';
import { Section } from './section.tsx';
import { Figures } from './statistic-tables.tsx';
import { formatCount, formatRate } from './statistic-words.ts';
import { useRead } from './use-data.ts';

/** Of the lowest threshold: from here on the share is shown as near it. */
const NEAR = 2 / 3;

/** The disputes of the last months, beside what card schemes allow; nothing where there were none. */
export function DisputeFigures() {
  const { data } = useRead<DisputeStatistics>('statistics/disputes', { enabled: useMay('statistics:read') });
  if (data === undefined || !data.months.some(hasDisputes)) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)', mt: 2 }}>
      <Section title="By month">
        <Months statistics={data} />
        <Thresholds statistics={data} />
      </Section>
      <Box
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
      >
        <Group
          by="Provider"
          rows={data.byProvider.map((row) => ({ ...row, name: row.provider }))}
          share={({ chargebackRate }) => formatRate(chargebackRate)}
        />
        <Group by="Reason" rows={data.byReason.map((row) => ({ ...row, name: inWords(row.reason) }))} />
      </Box>
    </Box>
  );
}

interface StatisticsProps {
  readonly statistics: DisputeStatistics;
}
type Month = DisputeStatistics['months'][number];

function hasDisputes({ inquiries, chargebacks, won, lost, closed, fraudWarnings }: Month): boolean {
  return inquiries + chargebacks + won + lost + closed + fraudWarnings > 0;
}

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

const COLUMNS = [
  'Payments',
  'Chargebacks',
  'Of payments',
  'Inquiries',
  'Fraud warnings',
  'Won',
  'Lost',
  'Won of decided',
];

function Months({ statistics: { months, thresholds } }: StatisticsProps) {
  const lowest = Math.min(...thresholds.map(({ rate }) => rate));
  return (
    <Figures label="Disputes by month" columns={['Month', ...COLUMNS]}>
      {months.toReversed().map((month) => (
        <TableRow key={month.startsAt}>
          <TableCell component="th" scope="row">
            {MONTH.format(new Date(month.startsAt))}
          </TableCell>
          <Numbers
            of={[
              formatCount(month.payments),
              formatCount(month.chargebacks),
              <Share key="share" rate={month.chargebackRate} lowest={lowest} />,
              formatCount(month.inquiries),
              formatCount(month.fraudWarnings),
              formatCount(month.won),
              formatCount(month.lost),
              formatRate(month.winRate),
            ]}
          />
        </TableRow>
      ))}
    </Figures>
  );
}

function Numbers({ of }: { readonly of: readonly ReactNode[] }) {
  return of.map((number, index) => (
    <TableCell key={COLUMNS[index]} align="right">
      {number}
    </TableCell>
  ));
}

/** A share that is near a threshold, or above it, says so in words, too. */
function Share({ rate, lowest }: { readonly rate: number | null; readonly lowest: number }) {
  const note = rate === null || rate < NEAR * lowest ? null : rate < lowest ? 'near a limit' : 'above a limit';
  return (
    <>
      {note === null ? formatRate(rate) : <strong>{formatRate(rate)}</strong>}
      {note === null ? null : <div>{note}</div>}
    </>
  );
}

const NETWORKS: Readonly<Record<DisputeStatistics['thresholds'][number]['network'], string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
};

function Thresholds({ statistics: { thresholds } }: StatisticsProps) {
  return (
    <Typography component="div" variant="body2" color="textSecondary" sx={{ mt: 2 }}>
      Card schemes act against a merchant whose disputes of a month are at least this share of its payments:
      <ul style={{ margin: 0 }}>
        {thresholds.map(({ network, programme, rate, minimumDisputes, countsFraudWarnings }) => (
          <li key={programme}>
            {NETWORKS[network]} ({programme}): {formatRate(rate)}, from {formatCount(minimumDisputes)} a month on
            {countsFraudWarnings ? '; fraud warnings count as well' : ''}
          </li>
        ))}
      </ul>
      The shares above are of all cards together. What your acquirer reports to you for each scheme counts.
    </Typography>
  );
}

type Group = Pick<DisputeStatistics['byReason'][number], 'inquiries' | 'chargebacks' | 'won' | 'lost' | 'winRate'> & {
  readonly name: string;
};

interface GroupProps<Row extends Group> {
  readonly by: string;
  readonly rows: readonly Row[];
  /** Of all payments, where these are known. */
  readonly share?: (row: Row) => string;
}

function Group<Row extends Group>({ by, rows, share }: GroupProps<Row>) {
  const columns = [by, 'Chargebacks', ...(share === undefined ? [] : ['Of payments']), 'Inquiries', 'Won', 'Lost'];
  return (
    <Section title={`By ${by.toLowerCase()}`}>
      <Figures label={`Disputes by ${by.toLowerCase()}`} columns={columns}>
        {rows.map((row) => (
          <TableRow key={row.name}>
            <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
              {row.name}
            </TableCell>
            <TableCell align="right">{formatCount(row.chargebacks)}</TableCell>
            {share === undefined ? null : <TableCell align="right">{share(row)}</TableCell>}
            <TableCell align="right">{formatCount(row.inquiries)}</TableCell>
            <TableCell align="right">{formatCount(row.won)}</TableCell>
            <TableCell align="right">{formatCount(row.lost)}</TableCell>
          </TableRow>
        ))}
      </Figures>
    </Section>
  );
}
