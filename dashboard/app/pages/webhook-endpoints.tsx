import { BooleanInput, DeleteWithConfirmButton, SelectArrayInput, SelectInput, TextInput } from 'react-admin';
import { useNavigate } from 'react-router';
import type {
  Event,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookTest,
} from '../../../sdk/server/generated/schemas.ts';
import { pathOf, useMay, usePlace } from '../core/session.ts';
import { EVENT_TYPES, inWords } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { EventsWithDeliveries } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { Facts, Id, Status, Time } from '../parts/fields.tsx';
import { EditForm } from '../parts/forms.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { useSecrets } from '../parts/secrets.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { useData, useRead } from '../parts/use-data.ts';

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { label: 'Address', onPhone: true, show: ({ url }) => url },
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Endpoint', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Last success', show: ({ lastSuccessAt }) => <Time at={lastSuccessAt} /> },
  { label: 'Last failure', show: ({ lastFailureAt }) => <Time at={lastFailureAt} /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

const EVENT_CHOICES = [
  { id: '*', name: 'Every event' },
  ...EVENT_TYPES.filter((type) => type !== 'webhook_endpoint.test').map((id) => ({ id, name: id })),
];

const OVERLAPS = [
  { id: 0, name: 'None: only the new secret at once' },
  { id: 3_600, name: '1 hour' },
  { id: 86_400, name: '1 day' },
  { id: 604_800, name: '7 days' },
];

export function EndpointList() {
  return (
    <ResourceList<WebhookEndpoint>
      title="Webhook endpoints"
      columns={COLUMNS}
      actions={<CreateEndpoint />}
      empty="No webhook endpoints yet. With one, your server learns what happens without asking."
    />
  );
}

const INPUTS = (
  <>
    <TextInput source="url" label="Address" type="url" validate={requiredText} helperText="https://…" />
    <TextInput source="description" label="Description" />
    <SelectArrayInput source="enabledEvents" label="Events" choices={EVENT_CHOICES} fullWidth />
  </>
);

function bodyOf({ url, description, enabledEvents }: Record<string, unknown>) {
  return { url, description: description === '' ? null : (description ?? null), enabledEvents };
}

function CreateEndpoint() {
  const { act } = useData();
  const may = useMay('webhook-endpoints:write');
  const { show, dialog } = useSecrets();
  if (!may) return null;
  return (
    <>
      <ActionButton<WebhookEndpointWithSecret>
        label="Create webhook endpoint"
        variant="contained"
        title="Create a webhook endpoint"
        explanation="Events are posted to the address, signed with a secret that is shown once."
        defaultValues={{ enabledEvents: ['*'] }}
        act={(values, key) => act('webhook-endpoints', bodyOf(values), key)}
        done="The webhook endpoint is created."
        onDone={({ secret }) => show({ title: 'The secret of the endpoint', secrets: [['Secret', secret]] })}
      >
        {INPUTS}
      </ActionButton>
      {dialog}
    </>
  );
}

export function EndpointPage() {
  return (
    <Detail<WebhookEndpoint>
      title={({ url }) => url}
      canEdit
      actions={(endpoint) => <EndpointActions endpoint={endpoint} />}
    >
      {(endpoint) => (
        <>
          <Section title="Webhook endpoint">
            <Facts
              rows={[
                ['ID', <Id key="id" id={endpoint.id} link={false} whole />],
                ['Address', endpoint.url],
                ['Status', <Status key="status" of={endpoint.status} />],
                ['Disabled because', endpoint.disabledReason === null ? null : inWords(endpoint.disabledReason)],
                ['Disabled at', <Time key="disabled" at={endpoint.disabledAt} precise />],
                ['Failing since', <Time key="failing" at={endpoint.failingSince} precise />],
                ['Next probe', <Time key="probe" at={endpoint.nextProbeAt} precise />],
                ['Deliveries that wait', endpoint.pendingDeliveries],
                ['The oldest waits since', <Time key="oldest" at={endpoint.oldestPendingAt} precise />],
                ['Description', endpoint.description],
                ['Last success', <Time key="success" at={endpoint.lastSuccessAt} precise />],
                ['Last failure', <Time key="failure" at={endpoint.lastFailureAt} precise />],
                ['What failed', endpoint.lastFailure],
                ['Old secret signs until', <Time key="previous" at={endpoint.previousSecretExpiresAt} precise />],
                ['Created', <Time key="created" at={endpoint.createdAt} precise />],
                ['Events', endpoint.enabledEvents.map((type) => (type === '*' ? 'Every event' : type)).join(', ')],
              ]}
            />
          </Section>
          <LatestEvents endpoint={endpoint} />
        </>
      )}
    </Detail>
  );
}

/** The account's latest events that the endpoint subscribes to, each with its deliveries. */
function LatestEvents({ endpoint: { id, enabledEvents } }: { readonly endpoint: WebhookEndpoint }) {
  const may = useMay('events:read');
  const latest = useRead<readonly Event[]>('events', { query: { limit: 50 }, enabled: may });
  const tests = useRead<readonly Event[]>('events', { query: { resourceId: id, limit: 10 }, enabled: may });
  const isWanted = ({ type }: Event) =>
    type !== 'webhook_endpoint.test' && (enabledEvents.includes('*') || enabledEvents.includes(type));
  if (!may) return null;
  return (
    <Section title="Latest events and their deliveries">
      <Loaded query={latest}>
        {(events) => {
          const shown = [...(tests.data ?? []), ...events.filter(isWanted)].slice(0, 20);
          return shown.length === 0 ? (
            <>No events yet. Send a test event to see a delivery.</>
          ) : (
            <EventsWithDeliveries events={shown} />
          );
        }}
      </Loaded>
    </Section>
  );
}

function EndpointActions({ endpoint: { id } }: { readonly endpoint: WebhookEndpoint }) {
  const { act } = useData();
  const { account } = usePlace();
  const may = useMay('webhook-endpoints:write');
  const navigate = useNavigate();
  const { show, dialog } = useSecrets();
  if (!may) return null;
  return (
    <>
      <ActionButton<WebhookTest>
        label="Send test event"
        title="Send a test event?"
        explanation="The endpoint gets one event of the type webhook_endpoint.test. You see its delivery next."
        act={(_values, key) => act(`webhook-endpoints/${id}/test`, {}, key)}
        done="The test event is sent."
        onDone={({ eventId }) => void navigate(`${pathOf(account)}/events/${eventId}/show`)}
      />
      <ActionButton<WebhookEndpointWithSecret>
        label="Rotate secret"
        title="Rotate the secret"
        explanation="Webhooks are signed with both secrets during the overlap, so that you can move your servers."
        defaultValues={{ overlapSeconds: 86_400 }}
        act={({ overlapSeconds }, key) => act(`webhook-endpoints/${id}/rotate-secret`, { overlapSeconds }, key)}
        done="The secret is rotated."
        onDone={({ secret }) => show({ title: 'The new secret of the endpoint', secrets: [['Secret', secret]] })}
      >
        <SelectInput source="overlapSeconds" label="Overlap" choices={OVERLAPS} validate={requiredText} fullWidth />
      </ActionButton>
      <DeleteWithConfirmButton
        mutationMode="pessimistic"
        confirmTitle="Delete this webhook endpoint?"
        confirmContent="It gets no more events. This cannot be taken back."
      />
      {dialog}
    </>
  );
}

export function EndpointEdit() {
  return (
    <EditForm
      title="Edit webhook endpoint"
      toBody={(values) => ({ ...bodyOf(values), active: values['status'] === 'enabled' })}
    >
      {INPUTS}
      <BooleanInput
        source="status"
        label="Send events"
        format={(status: unknown) => status === 'enabled'}
        parse={(isOn: unknown) => (isOn === true ? 'enabled' : 'disabled')}
      />
    </EditForm>
  );
}
