import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { useCreatePath } from 'react-admin';
import { Link as RouterLink } from 'react-router';
import { inWords } from '../core/words.ts';
import { Detail } from '../parts/detail.tsx';
import { Facts, None, Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';
import { Figures } from '../parts/statistic-tables.tsx';
import { formatRate, inSeconds } from '../parts/statistic-words.ts';
import type { AttemptCounts, PlatformHealth } from './staff.ts';

const RESOURCE = 'provider-health';
const POLL_EVERY_MS = 30_000;

const COLUMNS: readonly Column<PlatformHealth>[] = [
  { label: 'Provider', onPhone: true, show: (health) => <ProviderLink health={health} /> },
  { label: 'Environment', show: ({ environment }) => inWords(environment) },
  { label: 'Last attempt', onPhone: true, show: ({ failingSince }) => <Status of={statusOf(failingSince)} /> },
  { label: 'Attempts', align: 'right', show: ({ attempts }) => attempts.toLocaleString() },
  { label: 'Approved', align: 'right', show: (counts) => <Share of="approved" counts={counts} /> },
  { label: 'No answer', align: 'right', onPhone: true, show: (counts) => <Share of="unanswered" counts={counts} /> },
  { label: 'Median time', align: 'right', show: ({ latency }) => <Seconds ms={latency?.medianMs} /> },
  { label: 'Failing since', show: ({ failingSince }) => <Time at={failingSince} precise /> },
];

function ProviderLink({ health: { id, provider } }: { readonly health: PlatformHealth }) {
  const createPath = useCreatePath();
  return (
    <Link
      component={RouterLink}
      to={createPath({ resource: RESOURCE, id, type: 'show' })}
      sx={{ overflowWrap: 'anywhere' }}
      onClick={(event) => event.stopPropagation()}
    >
      {provider}
    </Link>
  );
}

function statusOf(failingSince: string | null): string {
  return failingSince === null ? 'answered' : 'not_answered';
}

export function HealthList() {
  return (
    <ResourceList<PlatformHealth>
      title="Provider health"
      columns={COLUMNS}
      canSaveViews={false}
      empty="No attempt has ended within the last 24 hours, and none is known to have failed before."
    />
  );
}

export function HealthPage() {
  return (
    <Detail<PlatformHealth> title={({ provider }) => provider} poll={() => POLL_EVERY_MS}>
      {(health) => (
        <>
          {health.failingSince === null ? null : (
            <Alert severity="error">
              No usable answer since <Time at={health.failingSince} precise />: {health.consecutiveFailures} in a row.
            </Alert>
          )}
          <Section title="Last 24 hours, over all merchants">
            <Facts
              rows={[
                ['Environment', inWords(health.environment)],
                ['Attempts', health.attempts.toLocaleString()],
                ['Approved', <Share key="approved" of="approved" counts={health} />],
                ['Without a usable answer', <Share key="unanswered" of="unanswered" counts={health} />],
                ['Median time', <Seconds key="median" ms={health.latency?.medianMs} />],
                ['95th percentile', <Seconds key="p95" ms={health.latency?.p95Ms} />],
                ['Asked last until', <Time key="open" at={health.openUntil} precise />],
              ]}
            />
          </Section>
          <Section title="By hour">
            <Hours hours={health.hours} />
          </Section>
        </>
      )}
    </Detail>
  );
}

function Hours({ hours }: Pick<PlatformHealth, 'hours'>) {
  return (
    <Figures label="By hour" columns={['Hour', 'Attempts', 'Approved', 'No answer', 'Median time', '95th percentile']}>
      {hours.map((hour) => (
        <TableRow key={hour.startsAt}>
          <TableCell component="th" scope="row">
            <Time at={hour.startsAt} />
          </TableCell>
          <TableCell align="right">{hour.attempts.toLocaleString()}</TableCell>
          <TableCell align="right">
            <Share of="approved" counts={hour} />
          </TableCell>
          <TableCell align="right">
            <Share of="unanswered" counts={hour} />
          </TableCell>
          <TableCell align="right">
            <Seconds ms={hour.latency?.medianMs} />
          </TableCell>
          <TableCell align="right">
            <Seconds ms={hour.latency?.p95Ms} />
          </TableCell>
        </TableRow>
      ))}
    </Figures>
  );
}

/** A number of attempts, and its part of all. */
function Share({ of, counts }: { readonly of: 'approved' | 'unanswered'; readonly counts: AttemptCounts }) {
  const { [of]: count, attempts } = counts;
  if (attempts === 0) return <None />;
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {count.toLocaleString()} ({formatRate(count / attempts)})
    </span>
  );
}

function Seconds({ ms }: { readonly ms: number | undefined }) {
  return ms === undefined ? <None /> : <span style={{ whiteSpace: 'nowrap' }}>{inSeconds(ms)}</span>;
}
