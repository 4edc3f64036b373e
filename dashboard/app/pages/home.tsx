import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import NativeSelect from '@mui/material/NativeSelect';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { lazy, Suspense } from 'react';
import { Title, useCreatePath } from 'react-admin';
import { Link as RouterLink, useSearchParams } from 'react-router';
import type { Statistics } from '../../../sdk/server/generated/schemas.ts';
import { loadScript } from '../core/load-script.ts';
import { formatMoney } from '../core/money.ts';
import { Time } from '../parts/fields.tsx';
import { useDisputesToAnswer } from '../parts/use-disputes.ts';
import { Loaded, Section } from '../parts/section.tsx';
import { ApprovalTables } from '../parts/statistic-tables.tsx';
import { countOf, formatCount, formatRate } from '../parts/statistic-words.ts';
import { useRead } from '../parts/use-data.ts';
import { LoadingBlock } from '../parts/waiting.tsx';
import { WhenSeen } from '../parts/when-seen.tsx';

/** The plots are most of the script of this page; the figures show without them. */
const Plots = lazy(() => loadScript(import('../parts/plots.tsx')));

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const POLL_EVERY_MS = 30_000;
const PLOT_HEIGHT = 260;

/** The interval that runs counts as a whole one. */
const PERIODS = [
  { id: '24h', name: '24 hours', interval: 'hour', lengthMs: HOUR_MS, count: 24 },
  { id: '7d', name: '7 days', interval: 'hour', lengthMs: HOUR_MS, count: 168 },
  { id: '30d', name: '30 days', interval: 'day', lengthMs: DAY_MS, count: 30 },
  { id: '90d', name: '90 days', interval: 'day', lengthMs: DAY_MS, count: 90 },
] as const;
type Period = (typeof PERIODS)[number];
const [, DEFAULT_PERIOD] = PERIODS;

/** Volume, approval rates, failures and refunds of a period in a currency, which the address names. */
export function Home() {
  const [address, setAddress] = useSearchParams();
  const period = PERIODS.find(({ id }) => id === address.get('period')) ?? DEFAULT_PERIOD;
  const query = useRead<Statistics>('statistics', {
    query: { currency: address.get('currency'), interval: period.interval, from: beginningOf(period) },
    poll: () => POLL_EVERY_MS,
  });
  const change = (name: 'period' | 'currency', value: string) => {
    // The browser's address, for that of the router may be the one before the last choice.
    const next = new URLSearchParams(location.search);
    next.set(name, value);
    setAddress(next, { replace: true });
  };
  return (
    <Box sx={{ display: 'grid', gap: 2, mt: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Title title="Home" />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <PeriodChoice period={period} onChange={(id) => change('period', id)} />
        {query.data === undefined ? null : (
          <CurrencyChoice statistics={query.data} onChange={(currency) => change('currency', currency)} />
        )}
      </Box>
      <OpenDisputes />
      <Loaded query={query}>{(statistics) => <Statements statistics={statistics} />}</Loaded>
    </Box>
  );
}

/** Leads to the disputes that need an answer, if there are any. */
function OpenDisputes() {
  const createPath = useCreatePath();
  const { count, firstUntil } = useDisputesToAnswer();
  if (count === 0) return null;
  return (
    <Alert severity="warning">
      <Link component={RouterLink} to={createPath({ resource: 'disputes', type: 'list' })}>
        {count === 1 ? '1 dispute needs' : `${formatCount(count)} disputes need`} an answer
      </Link>
      {firstUntil === null ? null : (
        <>
          , the first until <Time at={firstUntil} precise />
        </>
      )}
      .
    </Alert>
  );
}

/** The beginning of the first interval, in UTC. It changes once an interval, so that a request can be repeated. */
function beginningOf({ lengthMs, count }: Period): string {
  const running = Math.floor(Date.now() / lengthMs) * lengthMs;
  return new Date(running - (count - 1) * lengthMs).toISOString();
}

function PeriodChoice({ period, onChange }: { readonly period: Period; readonly onChange: (id: string) => void }) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label="Period"
      value={period.id}
      onChange={(_event, id: string | null) => (id === null ? undefined : onChange(id))}
    >
      {PERIODS.map(({ id, name }) => (
        <ToggleButton key={id} value={id} sx={{ px: 1.5, py: 0.5, color: 'text.secondary' }}>
          {name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface CurrencyChoiceProps {
  readonly statistics: Statistics;
  readonly onChange: (currency: string) => void;
}

function CurrencyChoice({ statistics: { currency, currencies }, onChange }: CurrencyChoiceProps) {
  const all = currency === null || currencies.includes(currency) ? currencies : [...currencies, currency];
  if (currency === null || all.length === 0) return null;
  return (
    <NativeSelect
      value={currency}
      inputProps={{ 'aria-label': 'Currency' }}
      onChange={({ target }) => onChange(target.value)}
    >
      {all.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </NativeSelect>
  );
}

function Statements({ statistics }: { readonly statistics: Statistics }) {
  const { currency, currencies, total, asOf } = statistics;
  if (currency === null || currencies.length === 0)
    return (
      <Section title="No payments yet">
        <Typography color="textSecondary">
          Volume, approval rates, failures and refunds appear here some seconds after the first payment. Create an API
          key, then have your server create a payment intent.
        </Typography>
      </Section>
    );
  const isQuiet = total.paymentsCreated + total.attempts + total.captures + total.refunds === 0;
  return (
    <>
      <Cards total={total} currency={currency} />
      {isQuiet ? (
        <Typography color="textSecondary">
          Nothing happened in {currency} in this period. Choose a longer one, or another currency.
        </Typography>
      ) : (
        <>
          <WhenSeen placeholder={<PlotsToCome />}>
            <Suspense fallback={<PlotsToCome />}>
              <Plots statistics={statistics} currency={currency} height={PLOT_HEIGHT} />
            </Suspense>
          </WhenSeen>
          <ApprovalTables statistics={statistics} currency={currency} />
        </>
      )}
      <Typography variant="body2" color="textSecondary">
        Everything counts when it happened, a refund when it succeeded. Days are those of UTC. As of{' '}
        <Time at={asOf} precise />.
      </Typography>
    </>
  );
}

/** As high as the two plots with their headings, which are beside each other where there is room. */
function PlotsToCome() {
  const height = PLOT_HEIGHT + 101;
  return <LoadingBlock sx={{ height: { xs: 2 * height + 16, lg: height } }} />;
}

interface CardsProps {
  readonly total: Statistics['total'];
  readonly currency: string;
}

function Cards({ total, currency }: CardsProps) {
  const failures = total.attempts - total.approved;
  const cards = [
    ['Volume', formatMoney(total.amountCaptured, currency), countOf(total.captures, 'capture')],
    [
      'Payments succeeded',
      formatCount(total.paymentsSucceeded),
      `${formatCount(total.paymentsCreated)} created in this period`,
    ],
    ['Approval rate', formatRate(total.approvalRate), `of ${countOf(total.attempts, 'attempt')}`],
    ['Failures', formatCount(failures), 'attempts that were not approved'],
    ['Refunds', formatMoney(total.amountRefunded, currency), refundsIn(total)],
  ] as const;
  return (
    <Box
      component="dl"
      sx={{ m: 0, display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 11rem), 1fr))' }}
    >
      {cards.map(([name, value, note]) => (
        <Box
          key={name}
          sx={{
            p: 2,
            border: 1,
            borderColor: 'divider',
            borderRadius: 2,
            backgroundColor: 'background.paper',
            containerType: 'inline-size',
          }}
        >
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography
            component="dd"
            sx={{ m: 0, fontSize: fontSizeOf(value), lineHeight: 1.5, fontWeight: 600, overflowWrap: 'anywhere' }}
          >
            {value}
          </Typography>
          <Typography component="dd" variant="body2" color="textSecondary" sx={{ m: 0 }}>
            {note}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

/** So that a long amount stays in one line of its card: a character is about 0.65 as wide as it is high. */
function fontSizeOf(value: string): string {
  return `clamp(0.8rem, ${Math.floor(100 / 0.65 / value.length)}cqi, 1.4rem)`;
}

function refundsIn({ refunds, refundsFailed }: Statistics['total']): string {
  const succeeded = `${formatCount(refunds)} succeeded`;
  return refundsFailed === 0 ? succeeded : `${succeeded}, ${formatCount(refundsFailed)} failed`;
}
