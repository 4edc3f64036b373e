import type { EventType } from '../../domain/events.ts';
import { newId } from '../../domain/new-id.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { decrementCounts, incrementCounts } from '../../prisma/queries/decline-count.ts';
import type { SuspectedCardTesting } from '../../prisma/queries/stored-event.ts';
import type { CardConfirm } from './decline-limits.ts';

/** Tells the merchant by an event that its account or a BIN has too many declines: once an hour, over all processes. */
export async function reportCardTesting(
  { direct, event }: Pick<Database, 'direct' | 'event'>,
  { merchantAccountId, environment }: Pick<CardConfirm, 'merchantAccountId' | 'environment'>,
  cardTesting: SuspectedCardTesting,
): Promise<void> {
  const key = `card-testing-event:${merchantAccountId}`;
  const reported = await direct.row(incrementCounts([key], { nowMs: Date.now(), windowMs: HOUR_MS }));
  if (reported?.points !== 1) return;
  const id = newId('event');
  const type: EventType = 'card_testing.suspected';
  const snapshot = { cardTesting: { ...cardTesting } };
  const row = { id, merchantAccountId, environment, type, resourceId: id, version: 0, snapshot, createdAt: new Date() };
  try {
    await event.createMany({ data: [row] });
  } catch (error) {
    await direct.execute(decrementCounts([key]));
    throw error;
  }
}
