import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { AttemptRow, IntentRow, Snapshot } from '../snapshot/snapshot.ts';
import type { Check, Problem } from './check.ts';

/** How long after a confirm its attempts may begin: the wait of the API and some seconds, then the time for further attempts. */
const ALLOWED_AFTER_CONFIRM_MS = 2 * MINUTE_MS + 20 * SECOND_MS;

/** No attempt began after the expiry of its payment, and none long after the last request that could have asked for it. */
export const attemptsInTime: Check = {
  name: 'attempts begin in time',
  find: ({ intents, tries }) => {
    const askedAtMs = lastConfirms(tries);
    return intents.flatMap((intent) =>
      intent.attempts.flatMap((attempt) => problemsOf(intent, attempt, askedAtMs.get(intent.id))),
    );
  },
};

function problemsOf({ id, expiresAtMs }: IntentRow, attempt: AttemptRow, askedAtMs: number | undefined): Problem[] {
  const problems: Problem[] = [];
  const lateMs = attempt.startedAtMs - expiresAtMs;
  if (lateMs > 0) problems.push({ intentId: id, what: `${attempt.id} began ${seconds(lateMs)} after the expiry` });
  // A confirm whose answer told no id belongs to no payment that is known here.
  if (askedAtMs === undefined) return problems;
  const afterMs = attempt.startedAtMs - askedAtMs;
  if (afterMs > ALLOWED_AFTER_CONFIRM_MS) {
    problems.push({ intentId: id, what: `${attempt.id} began ${seconds(afterMs)} after the last confirm was sent` });
  }
  return problems;
}

/** When the last confirm of each payment was sent, in milliseconds since the epoch. */
function lastConfirms(tries: Snapshot['tries']): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const { confirms, intentId, answer, sentAt } of tries) {
    const id = intentId ?? answer?.intentId ?? null;
    if (!confirms || id === null) continue;
    last.set(id, Math.max(last.get(id) ?? 0, Date.parse(sentAt)));
  }
  return last;
}

function seconds(ms: number): string {
  return `${Math.round(ms / SECOND_MS)} s`;
}
