import { CancellationScope, log } from '@temporalio/workflow';
import type { ProviderEventReference } from '../../domain/provider-outcome.ts';
import { isRecord, isText } from './message-shape.ts';

export interface EventReader<Event> {
  /** Reads the event's row; null where there is none. */
  readonly read: (reference: ProviderEventReference) => Promise<Event | null>;
  readonly handle: (event: Event) => Promise<void> | void;
}

/**
 * The handler of a signal that names a provider's event. Anybody who reaches Temporal can send a signal, so only the row of a
 * verified webhook counts. Events are read one after the other, in the order of their signals. An event without a row is
 * ignored; only the first one of a run is logged.
 */
export function createEventHandler<Event extends ProviderEventReference>({
  read,
  handle,
}: EventReader<Event>): (message: unknown) => Promise<void> {
  let previous = Promise.resolve();
  let hasLogged = false;
  const readAndHandle = async (message: unknown): Promise<void> => {
    const event = isReference(message) ? await read(message) : null;
    if (event !== null) return handle(event);
    if (!hasLogged) log.warn('a signal names no stored event of a provider');
    hasLogged = true;
  };
  return (message) => {
    previous = previous.then(() => CancellationScope.nonCancellable(() => readAndHandle(message)));
    return previous;
  };
}

function isReference(message: unknown): message is ProviderEventReference {
  return isRecord(message) && isText(message.provider) && isText(message.eventId);
}
