import { SelectInput, TextInput } from 'react-admin';
import type { AuditEvent } from '../../../sdk/server/generated/schemas.ts';
import { useMay } from '../core/session.ts';
import { inWords } from '../core/words.ts';
import { Detail } from '../parts/detail.tsx';
import { Facts, Id, Json, None, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';
import { useReadAll } from '../parts/use-data.ts';

/** A row for each, so that the compiler finds one that is missing. */
const ACTIONS: Readonly<Record<AuditEvent['action'], true>> = {
  'api_key.created': true,
  'api_key.updated': true,
  'api_key.rotated': true,
  'api_key.revoked': true,
  'merchant_account.created': true,
  'merchant_account.updated': true,
  'merchant_account.suspended': true,
  'merchant_account.activated': true,
  'payment_route.created': true,
  'payment_route.updated': true,
  'payment_route.deleted': true,
  'channel_limit.created': true,
  'channel_limit.updated': true,
  'channel_limit.deleted': true,
  'webhook_endpoint.created': true,
  'webhook_endpoint.updated': true,
  'webhook_endpoint.disabled': true,
  'webhook_endpoint.secret_rotated': true,
  'webhook_endpoint.deleted': true,
  'provider_account.created': true,
  'provider_account.updated': true,
  'provider_account.credentials_rotated': true,
  'provider_account.deleted': true,
  'test_clock.advanced': true,
  'payment_link.created': true,
  'payment_link.updated': true,
  'payment_intent.updated': true,
  'payment_intent.provider_asked': true,
  'payment_intent.resolution_requested': true,
  'payment_intent.resolved_by_hand': true,
  'payment_intent.capture_requested': true,
  'payment_intent.cancel_requested': true,
  'refund.created': true,
  'team_member.joined': true,
  'team_member.updated': true,
  'team_member.removed': true,
  'invitation.created': true,
  'invitation.resent': true,
  'invitation.deleted': true,
};

const FILTERS = [
  <SelectInput
    key="action"
    source="action"
    label="Change"
    choices={Object.keys(ACTIONS).map((id) => ({ id, name: inWords(id) }))}
    alwaysOn
  />,
  <TextInput key="resourceId" source="resourceId" label="ID of what was changed" alwaysOn />,
];

const ACTORS: Readonly<Record<string, string>> = {
  api_key: 'API key',
  operator: 'Operator of the platform',
  platform: 'The platform',
  system: 'The engine',
  person: 'Person',
};

const COLUMNS: readonly Column<AuditEvent>[] = [
  { label: 'Change', onPhone: true, show: ({ action }) => inWords(action) },
  { label: 'Entry', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'What was changed', show: ({ resourceId }) => <Id id={resourceId} link={false} /> },
  { label: 'By', show: ({ actor }) => <Actor actor={actor} /> },
  { label: 'From', show: ({ actor }) => actor.address },
  { label: 'Time', show: ({ createdAt }) => <Time at={createdAt} precise /> },
];

interface Named {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Who made a change: a member by name, as far as the role may read the team. */
function Actor({ actor }: { readonly actor: AuditEvent['actor'] }) {
  const enabled = useMay('team:read') && actor.type === 'person';
  const { data: members = [] } = useReadAll<Named>('team-members', { enabled });
  const member = members.find(({ id }) => id === actor.id);
  if (member === undefined) return <>{ACTORS[actor.type] ?? actor.type}</>;
  return <>{member.name === '' ? member.email : member.name}</>;
}

export function AuditList() {
  return (
    <ResourceList<AuditEvent>
      title="Audit log"
      columns={COLUMNS}
      filters={FILTERS}
      empty="No changes yet. Every change of a setting is recorded here."
    />
  );
}

export function AuditPage() {
  return (
    <Detail<AuditEvent> title={({ action }) => inWords(action)}>
      {(entry) => (
        <>
          <Section title="Change">
            <Facts
              rows={[
                ['ID', <Id key="id" id={entry.id} link={false} whole />],
                ['Change', inWords(entry.action)],
                ['What was changed', <Id key="resource" id={entry.resourceId} whole />],
                ['By', <Actor key="by" actor={entry.actor} />],
                ['Who', <Id key="who" id={entry.actor.id} link={entry.actor.type === 'api_key'} whole />],
                ['From', entry.actor.address],
                ['Time', <Time key="time" at={entry.createdAt} precise />],
              ]}
            />
          </Section>
          <Section title="What is different">
            <Differences before={entry.before ?? {}} after={entry.after ?? {}} />
          </Section>
        </>
      )}
    </Detail>
  );
}

type State = Readonly<Record<string, unknown>>;

/** The members that changed, with their values before and after. */
function Differences({ before, after }: { readonly before: State; readonly after: State }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return <None />;
  return (
    <div style={{ overflowX: 'auto' }} role="region" aria-label="Values before and after" tabIndex={0}>
      <table style={{ borderSpacing: '1rem 0.5rem', textAlign: 'left', marginLeft: '-1rem' }}>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changed.map((name) => (
            <tr key={name}>
              <th scope="row" style={{ fontWeight: 400, verticalAlign: 'top' }}>
                {name}
              </th>
              <td>{name in before ? <Json value={before[name]} /> : <None />}</td>
              <td>{name in after ? <Json value={after[name]} /> : <None />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
