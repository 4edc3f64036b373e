import type { ReactNode } from 'react';
import Typography from '@mui/material/Typography';
import type { AuditEvent } from '../../../sdk/server/generated/schemas.ts';
import { inWords } from '../core/words.ts';
import { Code, Id, None, Status, Time } from './fields.tsx';
import { PlainTable } from './plain-table.tsx';
import { Loaded, Section } from './section.tsx';
import { useRead } from './use-data.ts';

interface Counted {
  readonly requests: number;
  readonly refused: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

interface Report {
  readonly places: readonly (Counted & { readonly address: string })[];
  readonly operations: readonly (Counted & { readonly operation: string })[];
  readonly changes: readonly AuditEvent[];
  readonly changeCount: number;
  readonly remaining: readonly {
    readonly resource: string;
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly isMade: boolean;
  }[];
}

/** After the loss of a key: from where it was used, what was read, what was changed, and what still stands. */
export function KeyReport({ apiKeyId }: { readonly apiKeyId: string }) {
  const query = useRead<Report>(`security/api-keys/${apiKeyId}`);
  return (
    <>
      <Section title="What it made or changed that still stands">
        <Loaded query={query}>
          {({ remaining }) => (
            <PlainTable
              empty="Nothing."
              rows={remaining}
              keyOf={({ id }) => id}
              columns={[
                ['What', ({ resource }) => inWords(resource)],
                ['ID', ({ id }) => <Id id={id} />],
                ['Name', ({ name }) => (name === '' ? <None /> : name)],
                ['Status', ({ status }) => <Status of={status} />],
                ['By this key', ({ isMade }) => (isMade ? 'made' : 'changed')],
              ]}
            />
          )}
        </Loaded>
        <Typography color="textSecondary" variant="body2">
          Revoking the key does not end these. The keys in this list have such a list of their own.
        </Typography>
      </Section>
      <Section title="From where it was used">
        <Loaded query={query}>
          {({ places }) => (
            <PlainTable
              empty="It was not used in the last 90 days."
              rows={places}
              keyOf={({ address }) => address}
              columns={[['Address', ({ address }) => address], ...COUNTS]}
            />
          )}
        </Loaded>
      </Section>
      <Section title="What it was used for">
        <Loaded query={query}>
          {({ operations }) => (
            <PlainTable
              empty="It was not used in the last 90 days."
              rows={operations}
              keyOf={({ operation }) => operation}
              columns={[['Operation', ({ operation }) => <Code>{operation}</Code>], ...COUNTS]}
            />
          )}
        </Loaded>
      </Section>
      <Section title="What it changed">
        <Loaded query={query}>
          {({ changes, changeCount }) => (
            <>
              <Changes rows={changes} empty="It changed no settings." />
              {changeCount > changes.length ? `The latest ${changes.length} of ${changeCount}.` : null}
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const COUNTS: readonly (readonly [string, (row: Counted) => ReactNode])[] = [
  ['Requests', ({ requests }) => requests],
  ['Refused', ({ refused }) => refused],
  ['First', ({ firstAt }) => <Time at={firstAt} precise />],
  ['Last', ({ lastAt }) => <Time at={lastAt} precise />],
];

/** Entries of the audit log in short. */
export function Changes({ rows, empty }: { readonly rows: readonly AuditEvent[]; readonly empty: string }) {
  return (
    <PlainTable
      empty={empty}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        ['Change', ({ action }) => inWords(action)],
        ['Of', ({ resourceId }) => <Id id={resourceId} link={false} />],
        ['From', ({ actor }) => actor.address],
        ['Time', ({ createdAt }) => <Time at={createdAt} precise />],
      ]}
    />
  );
}
