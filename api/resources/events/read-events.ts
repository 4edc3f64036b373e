import { EVENT_COLUMNS } from '../../../presenters/columns.ts';
import type { Database } from '../../../prisma/client.ts';
import { purgedThrough } from '../../../prisma/event-horizon.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import { type ListOrder, ofAccount, type AccountScope, readPage, type ReadPage, withValues } from '../lists.ts';
import { storableId } from '../row-scope.ts';
import type { ListEvents } from '../../schemas/event.ts';
import type { StoredEvent } from '../../../presenters/stored-event.ts';

/** Only numbered events are listed: one without a number may still be ordered before another. */
const IS_NUMBERED = Prisma.sql`sequence IS NOT NULL`;

const BY_SEQUENCE = { key: ['merchant_account_id', 'sequence'], by: ['sequence'] } as const;
const NEWEST_FIRST: ListOrder = { ...BY_SEQUENCE, direction: 'DESC' };
const OLDEST_FIRST: ListOrder = { ...BY_SEQUENCE, direction: 'ASC' };

/**
 * One event of the account.
 * @throws ApiError `RESOURCE_NOT_FOUND` when the account has none of that id, or no longer
 */
export async function readEvent(database: Database, owner: AccountScope, id: string): Promise<StoredEvent> {
  const [event] = await database.direct.query<StoredEvent[]>`
    SELECT ${EVENT_COLUMNS} FROM event r
    WHERE id = ${storableId('event', id)} AND ${ofAccount(owner)} AND environment = ${owner.environment} AND ${IS_NUMBERED}`;
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
  owner: AccountScope,
  { page, limit, type, resourceId, after }: ListEvents,
): Promise<ReadPage<StoredEvent>> {
  const place = after === undefined ? IS_NUMBERED : await placeAfter(database, owner, after);
  const conditions = [ofAccount(owner), place, ...withValues({ type, resource_id: resourceId })];
  const order = after === undefined ? NEWEST_FIRST : OLDEST_FIRST;
  return readPage(database, { table: 'event', conditions, order }, EVENT_COLUMNS, { page, limit });
}

async function placeAfter(database: Database, owner: AccountScope, after: string): Promise<Prisma.Sql> {
  const [known] = await database.direct.query<{ sequence: bigint }[]>`
    SELECT sequence FROM event
    WHERE id = ${storableId('event', after)} AND ${ofAccount(owner)}
      AND sequence >= ${purgedThrough(Prisma.sql`merchant_account_id`)}`;
  if (known === undefined) throw new ApiError('RESOURCE_NOT_FOUND', { details: { after } });
  return Prisma.sql`sequence > ${known.sequence}`;
}
