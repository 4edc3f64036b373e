import type { Database } from '../../../prisma/connection/client.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { accountEvents, selectSequence } from '../../../prisma/queries/event.ts';
import { isId } from '../../../domain/ids.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import type { ListEvents } from '../../../contract/schemas/event.ts';
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
 * @throws ApiError `RESOURCE_NOT_FOUND` when the event to read on from, or one after it, is unknown or purged
 */
export async function listEvents(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, type, resourceId, after, before }: ListEvents,
): Promise<ReadPage<StoredEvent>> {
  const { merchantAccountId } = scope;
  const place = await sequenceOf(database, scope, 'startingAfter', startingAfter);
  const afterSequence = await sequenceOf(database, scope, 'after', after);
  const beforeSequence = await sequenceOf(database, scope, 'before', before);
  const window =
    afterSequence === null
      ? { afterSequence, beforeSequence: earlierOf(beforeSequence, place) }
      : { afterSequence: Math.max(afterSequence, place ?? 0), beforeSequence };
  const listed = accountEvents({ merchantAccountId, ...window, type, resourceId });
  return readPage(database, listed, STORED_EVENT, { page, limit });
}

function earlierOf(first: number | null, second: number | null): number | null {
  return first === null || second === null ? (first ?? second) : Math.min(first, second);
}

/** The sequence of the event that a parameter of the query names; null where it names none. */
async function sequenceOf(
  database: Database,
  { merchantAccountId }: AccountScope,
  name: 'startingAfter' | 'after' | 'before',
  eventId: string | undefined,
): Promise<number | null> {
  if (eventId === undefined) return null;
  const known = await database.direct.row(selectSequence(isId('event', eventId) ? eventId : '', merchantAccountId));
  if (known !== undefined) return known.sequence;
  throw new ApiError('RESOURCE_NOT_FOUND', {
    message:
      `Expected in ${name} the id of an event of the account that is still kept (evt_…); got another text. Leave ${name} out: ` +
      'the list then begins with the newest event.',
    details: { [name]: eventId },
  });
}
