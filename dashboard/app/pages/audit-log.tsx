import { AutocompleteInput, DateTimeInput, SelectInput, TextInput } from 'react-admin';
import type { AuditEvent } from '../../../sdk/server/generated/schemas.ts';
import { inWords, isoOf } from '../core/words.ts';
import { Detail } from '../parts/detail.tsx';
import { Facts, Id, Json, None, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';
import { useRead } from '../parts/use-data.ts';

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
  'card_group.created': true,
  'card_group.updated': true,
  'card_group.deleted': true,
  'route_set.created': true,
  'route_set.activated': true,
  'routing_setting.updated': true,
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
  'dispute.submit_requested': true,
  'dispute.accept_requested': true,
  'team.updated': true,
  'team_member.joined': true,
  'team_member.updated': true,
  'team_member.removed': true,
  'team_member.signed_in': true,
  'team_member.sign_in_failed': true,
  'team_member.locked_out': true,
  'team_member.session_ended': true,
  'team_member.password_changed': true,
  'team_member.password_reset_requested': true,
  'team_member.second_factor_enabled': true,
  'team_member.second_factor_disabled': true,
  'team_member.recovery_codes_created': true,
  'settlement.bank_confirmed': true,
  'settlement_entry.resolved': true,
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
  <ActorInput key="actorId" source="actorId" label="By" alwaysOn />,
  <TextInput key="resourceId" source="resourceId" label="ID of what was changed" alwaysOn />,
  <DateTimeInput key="createdFrom" source="createdFrom" label="From" parse={isoOf} />,
  <DateTimeInput key="createdBefore" source="createdBefore" label="Before" parse={isoOf} />,
];

/** What there is no name for, or whose name says not what it is. */
const ACTORS: Readonly<Record<AuditEvent['actor']['type'], string>> = {
  api_key: 'API key',
  operator: 'operator of the platform',
  platform: 'The platform',
  system: 'The engine',
  person: 'Person',
  anonymous: 'Somebody at the sign-in',
};

const COLUMNS: readonly Column<AuditEvent>[] = [
  { label: 'Change', onPhone: true, show: ({ action }) => inWords(action) },
  { label: 'Entry', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'What was changed', show: ({ resourceId }) => <Id id={resourceId} link={false} /> },
  { label: 'By', show: ({ actor }) => actorName(actor) },
  { label: 'From', show: ({ actor }) => actor.address },
  { label: 'Time', show: ({ createdAt }) => <Time at={createdAt} precise /> },
];

/** Who made a change, by name; what is not a person is named as what it is. */
function actorName({ type, name, id }: Pick<AuditEvent['actor'], 'type' | 'name' | 'id'>): string {
  if (type === 'platform' || type === 'system') return ACTORS[type];
  if (type === 'person') return name ?? `${ACTORS[type]} ${id}`;
  return `${name ?? id} (${ACTORS[type]})`;
}

type AuditActor = Omit<AuditEvent['actor'], 'address'>;

/** The filter by who made a change. */
function ActorInput(props: { readonly source: string; readonly label: string; readonly alwaysOn?: boolean }) {
  const { data: actors, isPending } = useRead<readonly AuditActor[]>('audit-actors');
  const choices = (actors ?? []).map((actor) => ({ id: actor.id, name: actorName(actor) }));
  return (
    <AutocompleteInput
      source={props.source}
      label={props.label}
      choices={choices}
      isPending={isPending}
      sx={{ minWidth: '13rem' }}
    />
  );
}

export function AuditList() {
  return (
    <ResourceList<AuditEvent>
      title="Audit log"
      columns={COLUMNS}
      filters={FILTERS}
      empty="No changes are kept. Every change of a setting is recorded here, and deleted a year or more later."
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
                ['By', actorName(entry.actor)],
                ['ID of who did it', <Id key="who" id={entry.actor.id} link={entry.actor.type === 'api_key'} whole />],
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
