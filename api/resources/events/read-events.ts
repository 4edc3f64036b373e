import type { Database } from '../../../prisma/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import { readPage, type ReadPage } from '../lists.ts';
import type { AccountScope } from '../../../prisma/conditions.ts';
import { accountEvents, selectSequence } from '../../../prisma/queries/event.ts';
import { isId } from '../../../domain/ids.ts';
import { requireId } from '../row-scope.ts';
import type { ListEvents } from '../../schemas/event.ts';
import { selectAccountEvent, STORED_EVENT, type StoredEvent } from '../../../prisma/queries/stored-event.ts';

/**
 * One event of the account.
 * @throws ApiError `RESOURCE_NOT_FOUND` when the account has none of that id, or no longer
 */
export async function readEvent(database: Database, scope: AccountScope, id: string): Promise<StoredEvent> {
  const event = await database.direct.row(selectAccountEvent(requireId('event', id), scope));
  if (event === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
  return event;
}

/**
 * One page of the account's events, newest first; those after a given event oldest first, so that a reader can go on
 * from the last one it knows.
 * @throws ApiError `RESOURCE_NOT_FOUND` when the event to go on from, or one after it, is unknown or purged
 */
export async function listEvents(
  database: Database,
  scope: AccountScope,
  { page, limit, type, resourceId, after }: ListEvents,
): Promise<ReadPage<StoredEvent>> {
  const { merchantAccountId } = scope;
  const afterSequence = after === undefined ? null : await sequenceOf(database, scope, after);
  const listed = accountEvents({ merchantAccountId, afterSequence, type, resourceId });
  return readPage(database, listed, STORED_EVENT, { page, limit });
}

async function sequenceOf(database: Database, { merchantAccountId }: AccountScope, eventId: string): Promise<number> {
  const known = await database.direct.row(selectSequence(isId('event', eventId) ? eventId : '', merchantAccountId));
  if (known === undefined) {
    throw new ApiError('RESOURCE_NOT_FOUND', {
      message:
        'Expected in after the id of an event of the account that is still kept (evt_…); got another text. Start from the first ' +
        'event: leave after out.',
      details: { after: eventId },
    });
  }
  return known.sequence;
}
