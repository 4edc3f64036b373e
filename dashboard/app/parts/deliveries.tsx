import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Event, WebhookDelivery } from '../../../sdk/server/generated/schemas.ts';
import { LARGEST_PAGE } from '../core/request.ts';
import { useMay } from '../core/session.ts';
import { inWords } from '../core/words.ts';
import { ActionButton } from './action-dialog.tsx';
import { Code, Id, Json, None, Status, Time } from './fields.tsx';
import { Newest } from './newest.tsx';
import { Loaded, Section } from './section.tsx';
import { useData, useRead } from './use-data.ts';

const POLL_EVERY_MS = 3_000;
/** The deliveries of a new event begin a moment after it. */
const FIRST_READS = 10;

function isUnderWay(deliveries: readonly WebhookDelivery[], count: number): boolean {
  return deliveries.length === 0 ? count < FIRST_READS : deliveries.some(({ status }) => status === 'pending');
}

/** Every delivery of an event to an endpoint, with each request and its answer. */
export function Deliveries({ eventId }: { readonly eventId: string }) {
  const query = useRead<readonly WebhookDelivery[]>(`events/${eventId}/deliveries`, {
    query: { limit: 100 },
    poll: (deliveries = [], count) => (isUnderWay(deliveries, count) ? POLL_EVERY_MS : false),
  });
  return (
    <Loaded query={query}>
      {(shown) =>
        shown.length === 0 ? (
          <Typography color="textSecondary">
            No delivery is recorded: no endpoint was subscribed to this event when it happened.
          </Typography>
        ) : (
          shown.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} refetch={() => void query.refetch()} />
          ))
        )
      }
    </Loaded>
  );
}

interface DeliveryProps {
  readonly delivery: WebhookDelivery;
  readonly refetch: () => void;
  /** Whether the event is named, and not the endpoint, whose page it is. */
  readonly namesEvent?: boolean;
}

/** One delivery, with each request and its answer. */
export function Delivery({ delivery, refetch, namesEvent = false }: DeliveryProps) {
  const { eventId, webhookEndpointId, status, reason, attempts, nextAttemptAt, createdAt } = delivery;
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider', py: 1.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Status of={status} />
        <Typography component="span" sx={{ flexGrow: 1 }}>
          {namesEvent ? (
            <>
              <Id id={eventId} /> · <Time at={createdAt} precise />
            </>
          ) : (
            <>
              to <Id id={webhookEndpointId} />
            </>
          )}
          {reason === null ? null : ` · ${inWords(reason)}`}
          {nextAttemptAt === null ? null : (
            <>
              {' '}
              · next attempt <Time at={nextAttemptAt} precise />
            </>
          )}
        </Typography>
        <RedeliverButton eventId={eventId} endpointId={webhookEndpointId} onDone={refetch} />
      </Box>
      {attempts.map(({ number, startedAt, durationMs, statusCode, error, responseBody }) => (
        <Box key={number} sx={{ pl: 1, mt: 1 }}>
          <Typography variant="body2">
            Attempt {number} · <Time at={startedAt} precise /> · {durationMs} ms ·{' '}
            {statusCode === null ? null : <Code>{statusCode}</Code>} {error === null ? '' : inWords(error)}
          </Typography>
          {responseBody === null || responseBody === '' ? null : (
            <details>
              <summary>Answer</summary>
              <Json value={responseBody} />
            </details>
          )}
        </Box>
      ))}
      {attempts.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          No attempt yet <None />
        </Typography>
      ) : null}
    </Box>
  );
}

interface RedeliverProps {
  readonly eventId: string;
  /** Left out: every endpoint that subscribes to the event. */
  readonly endpointId?: string;
  readonly onDone: () => void;
}

export function RedeliverButton({ eventId, endpointId, onDone }: RedeliverProps) {
  const { act } = useData();
  const may = useMay('events:redeliver');
  if (!may) return null;
  return (
    <ActionButton
      label="Redeliver"
      title="Send this event again?"
      explanation="The endpoint gets the same event with the same id once more. Your server recognises it by the id."
      act={(_values, key) =>
        act(`events/${eventId}/redeliver`, endpointId === undefined ? {} : { webhookEndpointId: endpointId }, key)
      }
      done="The event is sent again."
      onDone={onDone}
    />
  );
}

export function useEvents(resourceId: string) {
  const enabled = useMay('events:read');
  return useRead<readonly Event[]>('events', { query: { resourceId, limit: LARGEST_PAGE }, enabled });
}

/** The events about a resource, with their deliveries. */
export function EventsOf({ resourceId }: { readonly resourceId: string }) {
  const may = useMay('events:read');
  const query = useEvents(resourceId);
  if (!may) return null;
  return (
    <Section title="Events and webhook deliveries">
      <Loaded query={query} empty="No events are kept.">
        {(events) => (
          <>
            <EventsWithDeliveries events={events} />
            <Newest resource="events" filter={{ resourceId }} count={events.length} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Events, each with its deliveries, which are read when they are opened. */
function EventsWithDeliveries({ events }: { readonly events: readonly Event[] }) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {events.map((event) => (
        <EventLine key={event.id} event={event} />
      ))}
    </Box>
  );
}

function EventLine({ event: { id, type, createdAt } }: { readonly event: Event }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: 'divider', py: 1 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Typography component="span" sx={{ flexGrow: 1 }}>
          <Code>{type}</Code> · <Time at={createdAt} precise /> · <Id id={id} />
        </Typography>
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide deliveries' : 'Show deliveries'}
        </Button>
      </Box>
      {isOpen ? <Deliveries eventId={id} /> : null}
    </Box>
  );
}
