import Typography from '@mui/material/Typography';
import Box from '@mui/material/Box';
import { Title } from 'react-admin';
import type { ProviderHealth } from '../../../sdk/server/generated/schemas.ts';
import { inWords } from '../core/words.ts';
import { Facts, Time } from '../parts/fields.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { formatRate, inSeconds } from '../parts/statistic-words.ts';
import { useRead } from '../parts/use-data.ts';

const POLL_EVERY_MS = 30_000;
/** The API's largest page; an account has a handful of providers. */
const LIMIT = 100;

export function ProviderHealthPage() {
  const query = useRead<readonly ProviderHealth[]>('provider-health', {
    query: { limit: LIMIT },
    poll: () => POLL_EVERY_MS,
  });
  return (
    <Box sx={{ display: 'grid', gap: 2, mt: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Title title="Provider health" />
      <Typography color="textSecondary">
        The attempts of this account in the last hour. While a circuit breaker is open, its provider is asked last.
      </Typography>
      <Loaded
        query={query}
        empty="No routes yet, and no attempts within the last hour. Create a route to a provider first."
      >
        {(providers) => providers.map((each) => <Health key={each.provider} health={each} />)}
      </Loaded>
    </Box>
  );
}

function Health({ health }: { readonly health: ProviderHealth }) {
  const { provider, attempts, approved, unanswered, successRate, latency, circuit } = health;
  return (
    <Section title={provider}>
      <Facts
        rows={[
          ['Circuit breaker', inWords(circuit.state)],
          ['Open until', <Time key="open" at={circuit.openUntil} precise />],
          ['No usable answer since', <Time key="failing" at={circuit.failingSince} precise />],
          ['Attempts', attempts],
          ['Approved', successRate === null ? approved : `${approved} (${formatRate(successRate)})`],
          ['Without a usable answer', unanswered],
          ['Median time', latency === null ? null : inSeconds(latency.medianMs)],
          ['95th percentile', latency === null ? null : inSeconds(latency.p95Ms)],
        ]}
      />
    </Section>
  );
}
