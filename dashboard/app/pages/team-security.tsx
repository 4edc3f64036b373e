import Box from '@mui/material/Box';
import { Title } from 'react-admin';
import type { AuditEvent } from '../../../sdk/server/generated/schemas.ts';
import { roleName } from '../core/session.ts';
import { Code, Id, None, Status, Time } from '../parts/fields.tsx';
import { Changes } from '../parts/key-report.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { useRead } from '../parts/use-data.ts';
import { browserOf } from './security.tsx';

interface Session {
  readonly beganAt: string;
  readonly lastUsedAt: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly gaveSecondFactor: boolean;
}

interface Overview {
  readonly apiKeys: readonly {
    readonly id: string;
    readonly name: string;
    readonly prefix: string;
    readonly status: string;
    readonly lastUsedAt: string | null;
    readonly lastUsedFrom: string | null;
  }[];
  readonly people: readonly {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: string;
    readonly hasSecondFactor: boolean;
    readonly sessions: readonly Session[];
  }[];
  readonly webhookEndpoints: readonly { readonly id: string; readonly url: string; readonly status: string }[];
  readonly signIns: readonly AuditEvent[];
}

/** Who and what can act for the merchant. */
export function TeamSecurityPage() {
  const query = useRead<Overview>('security');
  return (
    <Box sx={{ display: 'grid', gap: 2, mt: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Title title="Security" />
      <Section title="API keys">
        <Loaded query={query}>
          {({ apiKeys }) => (
            <PlainTable
              empty="There are no API keys."
              rows={apiKeys}
              keyOf={({ id }) => id}
              columns={[
                ['Name', ({ name }) => name],
                ['Key', ({ id }) => <Id id={id} />],
                ['Begins with', ({ prefix }) => <Code>{prefix}…</Code>],
                ['Status', ({ status }) => <Status of={status} />],
                ['Last used', ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} precise />)],
                ['From', ({ lastUsedFrom }) => lastUsedFrom ?? <None />],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title="People and second factors">
        <Loaded query={query}>
          {({ people }) => (
            <PlainTable
              empty="There are no people."
              rows={people}
              keyOf={({ id }) => id}
              columns={[
                ['Name', ({ name }) => name],
                ['E-mail', ({ email }) => email],
                ['Role', ({ role }) => roleName(role)],
                ['Second factor', ({ hasSecondFactor }) => <Status of={hasSecondFactor ? 'enabled' : 'disabled'} />],
                ['Sessions', ({ sessions }) => sessions.length],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Sessions">
        <Loaded query={query}>
          {({ people }) => (
            <PlainTable
              empty="Nobody is signed in."
              rows={people.flatMap(({ email, sessions }) => sessions.map((session) => ({ email, ...session })))}
              keyOf={({ email, beganAt }) => `${email} ${beganAt}`}
              columns={[
                ['Person', ({ email }) => email],
                ['Browser', ({ userAgent }) => browserOf(userAgent ?? '')],
                ['From', ({ address }) => address],
                ['Second factor', ({ gaveSecondFactor }) => (gaveSecondFactor ? 'given' : 'not given')],
                ['Since', ({ beganAt }) => <Time at={beganAt} precise />],
                ['Last used', ({ lastUsedAt }) => <Time at={lastUsedAt} precise />],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Webhook endpoints">
        <Loaded query={query}>
          {({ webhookEndpoints }) => (
            <PlainTable
              empty="There are no webhook endpoints."
              rows={webhookEndpoints}
              keyOf={({ id }) => id}
              columns={[
                ['Address', ({ url }) => url],
                ['Endpoint', ({ id }) => <Id id={id} />],
                ['Status', ({ status }) => <Status of={status} />],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Sign-ins">
        <Loaded query={query}>{({ signIns }) => <Changes rows={signIns} empty="Nothing was recorded yet." />}</Loaded>
      </Section>
    </Box>
  );
}
