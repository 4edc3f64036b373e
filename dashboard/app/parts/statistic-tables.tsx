import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useCreatePath, useGetList } from 'react-admin';
import { Link as RouterLink } from 'react-router';
import type { Statistics } from '../../../sdk/server/generated/schemas.ts';
import { Money } from './fields.tsx';
import { codeName } from '../core/words.ts';
import { Section } from './section.tsx';
import { countryName, formatCount, formatRate, methodName } from './statistic-words.ts';

/** Below it, a rate is shown as bad. */
const LOW_RATE = 0.5;

interface TablesProps {
  readonly statistics: Statistics;
  readonly currency: string;
}

/** Approval rates by provider, payment method and country, and failures by code. */
export function ApprovalTables({ statistics, currency }: TablesProps) {
  const { byProvider, byPaymentMethod, byCountry } = statistics;
  return (
    <Box
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
    >
      <Approvals by="Provider" currency={currency} rows={byProvider.map((row) => ({ ...row, name: row.provider }))} />
      <Approvals
        by="Payment method"
        currency={currency}
        rows={byPaymentMethod.map((row) => ({ ...row, name: methodName(row.paymentMethod) }))}
      />
      <Approvals
        by="Country"
        currency={currency}
        rows={byCountry.map((row) => ({ ...row, name: countryName(row.country) }))}
      />
      <Failures statistics={statistics} currency={currency} />
    </Box>
  );
}

interface ApprovalsProps {
  readonly by: string;
  readonly currency: string;
  readonly rows: readonly (Pick<Statistics['byProvider'][number], 'attempts' | 'approvalRate' | 'amountCaptured'> & {
    readonly name: string;
  })[];
}

function Approvals({ by, currency, rows }: ApprovalsProps) {
  return (
    <Section title={`Approval rate by ${by.toLowerCase()}`}>
      <Figures label={`Approval rate by ${by.toLowerCase()}`} columns={[by, 'Approval rate', 'Attempts', 'Volume']}>
        {rows.map(({ name, attempts, approvalRate, amountCaptured }) => (
          <TableRow key={name}>
            <TableCell component="th" scope="row" sx={{ overflowWrap: 'break-word' }}>
              {name}
            </TableCell>
            <TableCell align="right">
              {formatRate(approvalRate)}
              {approvalRate === null ? null : (
                <LinearProgress
                  variant="determinate"
                  aria-hidden
                  value={approvalRate * 100}
                  color={approvalRate < LOW_RATE ? 'error' : 'primary'}
                  sx={{ mt: 0.5, minWidth: 48 }}
                />
              )}
            </TableCell>
            <TableCell align="right">{formatCount(attempts)}</TableCell>
            <TableCell align="right">
              <Money minor={amountCaptured} currency={currency} />
            </TableCell>
          </TableRow>
        ))}
      </Figures>
    </Section>
  );
}

/** What a list of payments is filtered by. */
type PaymentFilter = Readonly<Record<string, string>>;

function Failures({ statistics: { failuresByCode, from, to, total }, currency }: TablesProps) {
  const createPath = useCreatePath();
  const failures = total.attempts - total.approved;
  const filterOf = (errorCode: string) => ({ errorCode, currency, createdFrom: from, createdBefore: to });
  const listOf = (code: string) =>
    `${createPath({ resource: 'payment-intents', type: 'list' })}?${new URLSearchParams({
      filter: JSON.stringify(filterOf(code)),
    }).toString()}`;
  return (
    <Section title="Failures by code">
      {failuresByCode.length === 0 ? (
        <Typography color="textSecondary">No attempt failed in this period.</Typography>
      ) : (
        <Figures label="Failures by code" columns={['Failure', 'Payments', 'Attempts', 'Of all failures']}>
          {failuresByCode.map(({ code, attempts }) => (
            <TableRow key={code}>
              <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
                {code === null ? (
                  'Without a code'
                ) : (
                  <Link component={RouterLink} to={listOf(code)} title={`Payments that failed with ${code}`}>
                    {codeName(code)}
                  </Link>
                )}
              </TableCell>
              <TableCell align="right">{code === null ? null : <PaymentCount filter={filterOf(code)} />}</TableCell>
              <TableCell align="right">{formatCount(attempts)}</TableCell>
              <TableCell align="right">{formatRate(attempts / failures)}</TableCell>
            </TableRow>
          ))}
        </Figures>
      )}
    </Section>
  );
}

/** How many payments the list that a failure links to has: one payment may have failed in several attempts. */
function PaymentCount({ filter }: { readonly filter: PaymentFilter }) {
  const { total, isPending } = useGetList('payment-intents', { filter, pagination: { page: 1, perPage: 1 } });
  return isPending || total === undefined ? '…' : formatCount(total);
}

interface FiguresProps {
  readonly label: string;
  /** The first is of names, the others of numbers. */
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/** A table of numbers, which scrolls where it is wider than the page. */
export function Figures({ label, columns, children }: FiguresProps) {
  return (
    // What is scrolled is reached by keyboard.
    <TableContainer tabIndex={0} role="group" aria-label={label}>
      <Table size="small" aria-label={label} sx={{ '& th, & td': { px: { xs: 0.5, sm: 2 } } }}>
        <TableHead>
          <TableRow>
            {columns.map((name, index) => (
              <TableCell key={name} {...(index === 0 ? {} : { align: 'right' })}>
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>{children}</TableBody>
      </Table>
    </TableContainer>
  );
}
