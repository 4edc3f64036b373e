import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { releaseJobLease, takeJobLease } from '../../prisma/queries/job-lease.ts';
import { type RunningLoop, startLoop } from './run-loop.ts';

export interface JobLeaderOptions {
  readonly database: Pick<Database, 'direct'>;
  /** The name of the lease: one worker leads under each name. */
  readonly name: string;
  readonly logger: Logger;
  /** Starts what only the leader runs; called each time that this worker becomes the leader. */
  readonly lead: () => RunningLoop;
}

/** After this time without a renewal another worker may take the lease; the others ask every second or two. */
export const LEASE_MS = 5 * SECOND_MS;
const RENEWAL_MS = SECOND_MS;

/**
 * Leads whenever the lease is free: of all workers on one database, one runs the jobs. The lease only saves work: a leader that
 * was paused runs beside its successor until it notices, so the jobs must tolerate two leaders.
 */
export function startJobLeader({ database, name, logger, lead }: JobLeaderOptions): RunningLoop {
  const lease = { name, holder: randomUUID(), durationMs: LEASE_MS };
  let running: RunningLoop | null = null;
  let heldUntilMs = 0;

  const resign = async (why: string): Promise<void> => {
    if (running === null) return;
    const stopped = running;
    running = null;
    logger.info({ lease: name, why }, 'no longer leads the background jobs');
    await stopped.stop();
  };

  const renew = async (): Promise<'done'> => {
    const beforeMs = performance.now();
    try {
      const isHeld = (await database.direct.row(takeJobLease(lease))) !== undefined;
      heldUntilMs = isHeld ? beforeMs + LEASE_MS : 0;
    } finally {
      await followLease();
    }
    return 'done';
  };

  /** Leads while this worker holds the lease, even after a failed renewal, until the lease has expired. */
  const followLease = async (): Promise<void> => {
    if (performance.now() >= heldUntilMs) return resign('the lease is not held any more');
    if (running !== null) return;
    running = lead();
    logger.info({ lease: name }, 'leads the background jobs');
  };

  const renewal = startLoop({
    name: 'job-leader',
    intervalMs: RENEWAL_MS,
    maximumBackoffMs: 2 * RENEWAL_MS,
    logger,
    run: renew,
  });
  return {
    async stop() {
      await renewal.stop();
      await resign('this worker stops');
      await database.direct.execute(releaseJobLease(lease)).catch((error: unknown) => {
        logger.info({ lease: name, err: error }, 'the lease was not given back; it expires');
      });
    },
  };
}
