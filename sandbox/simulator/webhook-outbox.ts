import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { backoffMs } from '../../domain/backoff.ts';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import type { Ledger } from './ledger.ts';
import type { FaultInjector } from './faults.ts';
import type { OutgoingEvent } from './records.ts';
import type { WebhookSender } from './webhook-sender.ts';

const GIVE_UP_AFTER_MS = DAY_MS;
const CONCURRENCY = 8;
/** How long requests in progress may take when the simulator stops; interrupted ones are sent again after the next start. */
const STOP_GRACE_MS = SECOND_MS;

export interface WebhookTimings {
  /** The first pause between two tries; each further one is twice as long. */
  readonly webhookRetryMs: number;
  readonly maximumWebhookRetryMs: number;
  /** How long a webhook is held back so that later ones overtake it. */
  readonly webhookHoldBackMs: number;
}

/** Sends the events in the ledger until the receiver has them. */
export interface WebhookOutbox {
  /** Schedules an event that is in the ledger. */
  send(event: OutgoingEvent): void;
  /** Schedules all events that an earlier run left. */
  resume(): void;
  /** Starts no further sending and waits for what is on its way; the rest stays in the ledger. */
  stop(): Promise<void>;
}

export interface WebhookOutboxDependencies {
  readonly ledger: Pick<Ledger, 'event' | 'finishEvent' | 'waitingEvents'>;
  readonly faults: Pick<
    FaultInjector,
    'settings' | 'drawLostWebhook' | 'drawDuplicateWebhook' | 'drawOvertakenWebhook'
  >;
  readonly logger: Logger;
  readonly sender: WebhookSender;
  readonly timings: WebhookTimings;
}

export function createWebhookOutbox(dependencies: WebhookOutboxDependencies): WebhookOutbox {
  const { ledger, faults, logger, sender, timings } = dependencies;
  const triesById = new Map<string, number>();
  const queue = createDelayedQueue((eventId) =>
    deliver(eventId).catch((error: unknown) => {
      logger.error({ err: error, eventId }, 'webhook could not be recorded as sent');
    }),
  );

  async function deliver(eventId: string): Promise<void> {
    const event = ledger.event(eventId);
    if (event === undefined) {
      triesById.delete(eventId);
      return;
    }
    const duplicates = faults.drawDuplicateWebhook() ? [sender.send(event)] : [];
    const [problem = null] = await Promise.all([sender.send(event), ...duplicates]);
    const tries = (triesById.get(eventId) ?? 0) + 1;
    const tooOld = Date.now() - Date.parse(event.createdAt) > GIVE_UP_AFTER_MS;
    if (problem === null || tooOld) {
      triesById.delete(eventId);
      ledger.finishEvent(eventId);
      if (problem !== null) logger.error({ eventId, tries, problem }, 'webhook given up');
      return;
    }
    triesById.set(eventId, tries);
    logger.warn({ eventId, tries, problem }, 'webhook not accepted');
    queue.add(eventId, retryDelayMs(tries, timings));
  }

  return {
    send(event) {
      if (faults.drawLostWebhook()) {
        ledger.finishEvent(event.id);
        return;
      }
      const holdBackMs = faults.drawOvertakenWebhook() ? timings.webhookHoldBackMs : 0;
      queue.add(event.id, faults.settings().webhookDelayMs + holdBackMs);
    },
    resume() {
      for (const { id } of ledger.waitingEvents()) queue.add(id, 0);
    },
    async stop() {
      const abortTimer = setTimeout(() => sender.abort(), STOP_GRACE_MS);
      await queue.stop();
      clearTimeout(abortTimer);
      sender.abort();
    },
  };
}

interface DelayedQueue {
  add(eventId: string, delayMs: number): void;
  /** Begins nothing any more; resolves when what has begun has ended. */
  stop(): Promise<void>;
}

/** Delivers each event after its delay, a few at a time. @param deliver never rejects */
function createDelayedQueue(deliver: (eventId: string) => Promise<void>): DelayedQueue {
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const timers = new Set<NodeJS.Timeout>();
  return {
    add(eventId, delayMs) {
      if (queue.isPaused) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        void queue.add(() => deliver(eventId));
      }, delayMs);
      timers.add(timer);
    },
    async stop() {
      queue.pause();
      for (const timer of timers) clearTimeout(timer);
      await queue.onPendingZero();
    },
  };
}

/** How long to wait after the n-th try (n from 1): twice as long each time, up to the maximum. */
export function retryDelayMs(tries: number, timings: Omit<WebhookTimings, 'webhookHoldBackMs'>): number {
  return backoffMs(tries, { shortestMs: timings.webhookRetryMs, longestMs: timings.maximumWebhookRetryMs });
}
