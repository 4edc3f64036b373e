import { setTimeout as wait } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import type { EventTail } from './event-tail.ts';

const TAIL_WITHIN_MS = 5 * SECOND_MS;

/** Waits until the tail stands at a position. @throws Error when it does not within 5 s */
export async function waitForStart(tail: Pick<EventTail, 'started'>): Promise<void> {
  const giveUp = new AbortController();
  const late = wait(TAIL_WITHIN_MS, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error('the event tail has not started yet');
  });
  late.catch(() => undefined);
  await Promise.race([tail.started, late]).finally(() => giveUp.abort());
}
