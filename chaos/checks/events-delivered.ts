import type { EventRow, Snapshot } from '../snapshot/snapshot.ts';
import type { Check, Problem } from './check.ts';

/** Every event reached the webhook receiver and the socket, in its order. */
export const eventsDelivered: Check = {
  name: 'events reached webhook receiver and socket in order',
  find: (snapshot) => [...numberProblems(snapshot), ...socketProblems(snapshot), ...webhookProblems(snapshot)],
};

/** Sequences are 1, 2, 3 … */
function numberProblems({ events }: Snapshot): Problem[] {
  const unnumbered = events
    .filter(({ sequence }) => sequence === null)
    .map(({ id, paymentIntentId }) => ({ intentId: paymentIntentId, what: `the event ${id} has no sequence` }));
  const numbers = events.flatMap(({ sequence }) => sequence ?? []).sort((left, right) => left - right);
  const gap = numbers.findIndex((number, index) => number !== index + 1);
  return gap < 0 ? unnumbered : [...unnumbered, { intentId: null, what: `no event has the sequence ${gap + 1}` }];
}

/** The socket delivers each event once, in the order of the account. */
function socketProblems({ events, socketEvents, unexpectedFrames }: Snapshot): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = unexpectedFrames.map((text) => ({
    intentId: null,
    what: `the socket sent the unexpected frame ${text}`,
  }));
  let last = 0;
  for (const { id, sequence, paymentIntentId: intentId } of socketEvents) {
    if (seen.has(id)) problems.push({ intentId, what: `the socket delivered the event ${id} twice` });
    else if (sequence <= last)
      problems.push({ intentId, what: `the socket delivered the event ${id} (${sequence}) after ${last}` });
    seen.add(id);
    last = Math.max(last, sequence);
  }
  return [...problems, ...missing(events, seen, 'the socket')];
}

/** The receiver has each event at least once; the events of one payment came first in their order. */
function webhookProblems({ events, webhooks, rejectedWebhooks, unorderedIntents }: Snapshot): Problem[] {
  const seen = new Set<string>();
  const lastByIntent = new Map<string, number>();
  const problems: Problem[] = rejectedWebhooks.map((reason) => ({
    intentId: null,
    what: `a webhook was rejected: ${reason}`,
  }));
  for (const { id, sequence, paymentIntentId: intentId } of webhooks) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (intentId === null || unorderedIntents.has(intentId)) continue;
    const last = lastByIntent.get(intentId) ?? 0;
    if (sequence < last)
      problems.push({ intentId, what: `the webhook of the event ${id} (${sequence}) came after that of ${last}` });
    lastByIntent.set(intentId, Math.max(last, sequence));
  }
  return [...problems, ...missing(events, seen, 'the webhook receiver')];
}

function missing(events: readonly EventRow[], seen: ReadonlySet<string>, who: string): Problem[] {
  return events
    .filter(({ id }) => !seen.has(id))
    .map(({ id, type, paymentIntentId }) => ({
      intentId: paymentIntentId,
      what: `${who} never got the event ${id} (${type})`,
    }));
}
