import type { Database } from '../../prisma/client.ts';
import { answerWith, answerWithPage } from '../answer.ts';
import { type Endpoint, listEndpoint, readEndpoint } from '../endpoint.ts';
import { eventResource, listEventsQuery } from '../schemas/event.ts';
import { presentEvent } from '../../presentation/event.ts';
import { listEvents, readEvent } from './read-events.ts';

const resource = 'events';

/** Everything below /events. */
export function createEventEndpoints({ database }: { readonly database: Database }): readonly Endpoint[] {
  return [
    listEndpoint({
      path: '/events',
      operationId: 'listEvents',
      summary: 'List events, newest first',
      description:
        'With `after`, the id of an event, only later events are listed, and **oldest first**: ask again with the id of ' +
        'the last event of the page to go on without a gap. An `after` that is unknown or no longer kept is ' +
        '`RESOURCE_NOT_FOUND`.',
      resource,
      query: listEventsQuery,
      answer: eventResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ access, query }) => {
        const { rows, ...total } = await listEvents(database, access, query);
        return answerWithPage(rows.map(presentEvent), { page: query.page, limit: query.limit, ...total });
      },
    }),
    readEndpoint({
      path: '/events/{id}',
      operationId: 'getEvent',
      summary: 'Retrieve an event; those too old to be kept do not exist any more',
      resource,
      answer: eventResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ access, id }) => answerWith(200, presentEvent(await readEvent(database, access, id))),
    }),
  ];
}
