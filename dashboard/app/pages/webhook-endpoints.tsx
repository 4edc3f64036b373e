import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useState } from 'react';
import {
  BooleanInput,
  DateTimeInput,
  DeleteWithConfirmButton,
  SelectArrayInput,
  SelectInput,
  TextInput,
  useNotify,
  useRefresh,
} from 'react-admin';
import { useNavigate } from 'react-router';
import type {
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookTest,
} from '../../../sdk/server/generated/schemas.ts';
import { pathOf, useMay, usePlace } from '../core/session.ts';
import { EVENT_TYPES, inWords, isoOf, nameOf } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Delivery } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { Facts, Id, Maker, Status, Time } from '../parts/fields.tsx';
import { EditForm } from '../parts/forms.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { useSecrets } from '../parts/secrets.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { countOf, formatRate } from '../parts/statistic-words.ts';
import { useData, useRead } from '../parts/use-data.ts';

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { label: 'Address', onPhone: true, show: ({ url }) => url },
  { label: 'Status', onPhone: true, show: (endpoint) => <Status of={shownStatus(endpoint)} /> },
  { label: 'Endpoint', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Delivered in 24 h', align: 'right', show: ({ recentDeliveries }) => shareOf(recentDeliveries) },
  { label: 'Waiting', align: 'right', show: ({ pendingDeliveries }) => pendingDeliveries?.toLocaleString() },
  { label: 'Last success', show: ({ lastSuccessAt }) => <Time at={lastSuccessAt} /> },
  { label: 'Last failure', show: ({ lastFailureAt }) => <Time at={lastFailureAt} /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

/** An enabled endpoint that takes nothing is no good news. */
function shownStatus({ status, failingSince }: WebhookEndpoint): string {
  return failingSince === null ? status : 'failing';
}

/** `0 % of 1,364` */
function shareOf(counts: WebhookEndpoint['recentDeliveries']): string {
  if (counts === null || counts.total === 0) return '–';
  return `${formatRate(counts.delivered / counts.total)} of ${counts.total.toLocaleString()}`;
}

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
      poll={() => POLL_EVERY_MS}
      canEdit
      actions={(endpoint) => <EndpointActions endpoint={endpoint} />}
    >
      {(endpoint) => (
        <>
          <FailureNotice endpoint={endpoint} />
          <Section title="Webhook endpoint">
            <Facts
              rows={[
                ['ID', <Id key="id" id={endpoint.id} link={false} whole />],
                ['Address', endpoint.url],
                ['Status', <Status key="status" of={shownStatus(endpoint)} />],
                ['Disabled because', endpoint.disabledReason === null ? null : inWords(endpoint.disabledReason)],
                ['Disabled at', <Time key="disabled" at={endpoint.disabledAt} precise />],
                ['Delivered in 24 hours', shareOf(endpoint.recentDeliveries)],
                ['Deliveries that wait', endpoint.pendingDeliveries],
                ['The oldest waits since', <Time key="oldest" at={endpoint.oldestPendingAt} precise />],
                ['Description', endpoint.description],
                ['Last success', <Time key="success" at={endpoint.lastSuccessAt} precise />],
                ['Last failure', <Time key="failure" at={endpoint.lastFailureAt} precise />],
                ['What failed', endpoint.lastFailure],
                ['Old secret signs until', <Time key="previous" at={endpoint.previousSecretExpiresAt} precise />],
                ['Made by', <Maker key="maker" of={endpoint.createdBy} />],
                ['Created', <Time key="created" at={endpoint.createdAt} precise />],
                ['Events', endpoint.enabledEvents.map((type) => (type === '*' ? 'Every event' : type)).join(', ')],
              ]}
            />
          </Section>
          <DeliveriesByStatus endpoint={endpoint} />
        </>
      )}
    </Detail>
  );
}

function FailureNotice({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { failingSince, nextProbeAt, recentDeliveries, pendingDeliveries, lastFailure } = endpoint;
  if (failingSince === null) return null;
  return (
    <Alert severity="error">
      Failing since <Time at={failingSince} precise />
      {lastFailure === null ? '' : ` (${lastFailure})`}
      {recentDeliveries === null || recentDeliveries.total === 0
        ? ''
        : `, ${shareOf(recentDeliveries)} delivered within 24 hours`}
      {pendingDeliveries === null ? '' : `, ${pendingDeliveries.toLocaleString()} wait`}
      {nextProbeAt === null ? (
        ''
      ) : (
        <>
          , next try <Time at={nextProbeAt} precise />
        </>
      )}
      .
    </Alert>
  );
}

const STATUSES = ['pending', 'delivered', 'failed', 'canceled'] as const;
const SHOWN_DELIVERIES = 20;
const POLL_EVERY_MS = 10_000;

/** The newest deliveries to the endpoint with a status that the reader chooses. */
function DeliveriesByStatus({ endpoint: { id, failingSince, status: state } }: { readonly endpoint: WebhookEndpoint }) {
  const [status, setStatus] = useState<(typeof STATUSES)[number]>(failingSince === null ? 'delivered' : 'pending');
  const [page, setPage] = useState(1);
  const query = useRead<readonly WebhookDelivery[]>(`webhook-endpoints/${id}/deliveries`, {
    query: { status, page, limit: SHOWN_DELIVERIES },
    poll: () => POLL_EVERY_MS,
  });
  const choose = (chosen: (typeof STATUSES)[number]) => {
    setStatus(chosen);
    setPage(1);
  };
  return (
    <Section title="Deliveries" actions={state === 'enabled' ? <ResendMissed endpointId={id} /> : null}>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label="Status of the deliveries"
        value={status}
        onChange={(_event, chosen: (typeof STATUSES)[number] | null) => (chosen === null ? undefined : choose(chosen))}
        sx={{ flexWrap: 'wrap', mb: 1 }}
      >
        {STATUSES.map((each) => (
          <ToggleButton key={each} value={each}>
            {nameOf(each)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Loaded
        query={query}
        {...(page === 1 ? { empty: `No delivery to this endpoint is ${nameOf(status).toLowerCase()}.` } : {})}
      >
        {(deliveries) => (
          <>
            {deliveries.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} refetch={() => void query.refetch()} namesEvent />
            ))}
            <Box sx={{ display: 'flex', gap: 1, mt: 1 }}>
              {page === 1 ? null : (
                <Button size="small" onClick={() => setPage(page - 1)}>
                  Newer
                </Button>
              )}
              {deliveries.length < SHOWN_DELIVERIES ? null : (
                <Button size="small" onClick={() => setPage(page + 1)}>
                  Older
                </Button>
              )}
            </Box>
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface MissedRedelivery {
  readonly redelivered: number;
  readonly isComplete: boolean;
}

function ResendMissed({ endpointId }: { readonly endpointId: string }) {
  const { act } = useData();
  const refresh = useRefresh();
  const notify = useNotify();
  if (!useMay('events:redeliver')) return null;
  return (
    <ActionButton<MissedRedelivery>
      label="Resend missed events"
      title="Resend the events that this endpoint has missed"
      explanation={
        'The events since a time that it subscribes to, has not got and does not wait for: at most 1,000 at once, the oldest first. ' +
        'Your server recognises by the id what it knows already.'
      }
      confirmLabel="Resend"
      act={({ since }, key) => act('events/redeliver-missed', { webhookEndpointId: endpointId, since }, key)}
      done="The request is done."
      onDone={({ redelivered, isComplete }) => {
        const more = isComplete ? '' : ' There may be more: resend again for the next ones.';
        notify(`${countOf(redelivered, 'event')} will be sent again.${more}`, { type: 'info' });
        refresh();
      }}
    >
      <DateTimeInput source="since" label="Since" parse={isoOf} validate={requiredText} />
    </ActionButton>
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
