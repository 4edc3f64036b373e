import { hasEnded, type DisputeFacts, type DisputeOperation, type StoredDisputeStatus } from './dispute.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** How long before the end of the time to answer a merchant is reminded of it. */
const REMINDER_HOURS = [72, 24] as const;
export type ReminderHours = (typeof REMINDER_HOURS)[number];

/** How often a provider is asked about a dispute whose time to answer has passed. */
const ASK_EVERY_MS = DAY_MS;

/** A dispute as its workflow reads it. */
export interface DisputeState extends Pick<
  DisputeFacts,
  'stage' | 'reason' | 'amountMinor' | 'currency' | 'respondBy' | 'withdrawnMinor'
> {
  readonly status: StoredDisputeStatus;
  /** What the provider has been, or is to be, asked to do; null for nothing. */
  readonly operation: { readonly id: string; readonly kind: DisputeOperation } | null;
  /** When the engine first heard of it, ISO 8601 UTC. */
  readonly createdAt: string;
}

/** What a run of the workflow has done, which it need not do again. */
export interface DisputeProgress {
  /** The latest reminder, by the time to which it refers. */
  readonly reminded: { readonly respondBy: string; readonly hours: ReminderHours } | null;
  /** When the provider was last asked, in ms since the epoch; null for never. */
  readonly askedAtMs: number | null;
}

/** What a dispute's workflow does next. */
export type DisputeWork =
  | { readonly kind: 'end' }
  | { readonly kind: 'operate'; readonly operationId: string; readonly operation: DisputeOperation }
  | { readonly kind: 'remind'; readonly respondBy: string; readonly hours: ReminderHours }
  | { readonly kind: 'inquire' }
  /** Until something is reported or requested, or until a time, in ms since the epoch. */
  | { readonly kind: 'wait'; readonly untilMs: number | null; readonly nextKind: 'remind' | 'inquire' | null };

/** What a dispute's workflow does next. Pure. */
export function nextWork(dispute: DisputeState, progress: DisputeProgress, nowMs: number): DisputeWork {
  const { status, operation, respondBy } = dispute;
  if (operation !== null) return { kind: 'operate', operationId: operation.id, operation: operation.kind };
  if (hasEnded(status)) return { kind: 'end' };
  if (respondBy === null || status !== 'needs_response') return { kind: 'wait', untilMs: null, nextKind: null };
  return workBefore({ ...dispute, respondBy }, progress, nowMs);
}

function workBefore(
  { respondBy, createdAt }: DisputeState & { readonly respondBy: string },
  { reminded, askedAtMs }: DisputeProgress,
  nowMs: number,
): DisputeWork {
  const endMs = Date.parse(respondBy);
  const askAtMs = Math.max(endMs, (askedAtMs ?? -Infinity) + ASK_EVERY_MS);
  if (nowMs >= askAtMs) return { kind: 'inquire' };
  if (nowMs >= endMs) return { kind: 'wait', untilMs: askAtMs, nextKind: 'inquire' };
  const isAfterOpening = (hours: number): boolean => endMs - hours * HOUR_MS > Date.parse(createdAt);
  const remindedHours = reminded?.respondBy === respondBy ? reminded.hours : Infinity;
  const open = REMINDER_HOURS.filter((hours) => hours < remindedHours && isAfterOpening(hours));
  const due = open.findLast((hours) => nowMs >= endMs - hours * HOUR_MS);
  if (due !== undefined) return { kind: 'remind', respondBy, hours: due };
  const [next] = open;
  return next === undefined
    ? { kind: 'wait', untilMs: askAtMs, nextKind: 'inquire' }
    : { kind: 'wait', untilMs: endMs - next * HOUR_MS, nextKind: 'remind' };
}
