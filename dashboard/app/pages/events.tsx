import { SelectInput, TextInput } from 'react-admin';
import type { Event } from '../../../sdk/server/generated/schemas.ts';
import { EVENT_TYPES } from '../core/words.ts';
import { Deliveries, RedeliverButton } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { Code, Facts, Id, Json, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';
import { useQueryClient } from '@tanstack/react-query';

const FILTERS = [
  <SelectInput key="type" source="type" label="Type" choices={EVENT_TYPES.map((id) => ({ id, name: id }))} alwaysOn />,
  <TextInput key="resourceId" source="resourceId" label="About (ID)" alwaysOn />,
];

const COLUMNS: readonly Column<Event>[] = [
  { label: 'Type', onPhone: true, show: ({ type }) => <Code>{type}</Code> },
  { label: 'Event', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'About', show: ({ data }) => <Id id={data.id} /> },
  { label: 'Number', show: ({ sequence }) => sequence.toLocaleString(), align: 'right' },
  { label: 'Time', show: ({ createdAt }) => <Time at={createdAt} precise /> },
];

export function EventList() {
  return (
    <ResourceList<Event>
      title="Events"
      columns={COLUMNS}
      filters={FILTERS}
      empty="No events are kept. Each step of a payment makes one; they are deleted some weeks later."
    />
  );
}

export function EventPage() {
  const queries = useQueryClient();
  const readAgain = () => void queries.invalidateQueries({ queryKey: ['read'] });
  return (
    <Detail<Event>
      title={({ type }) => type}
      actions={({ id, type }) =>
        type === 'webhook_endpoint.test' ? null : <RedeliverButton eventId={id} onDone={readAgain} />
      }
    >
      {(event) => (
        <>
          <Section title="Event">
            <Facts
              rows={[
                ['ID', <Id key="id" id={event.id} link={false} whole />],
                ['Type', <Code key="type">{event.type}</Code>],
                ['About', <Id key="about" id={event.data.id} whole />],
                ['Number', event.sequence.toLocaleString()],
                ['Time', <Time key="time" at={event.createdAt} precise />],
              ]}
            />
          </Section>
          <Section title="Deliveries">
            <Deliveries eventId={event.id} />
          </Section>
          <Section title="The resource as it was then">
            <Json value={event.data} />
          </Section>
        </>
      )}
    </Detail>
  );
}
