import { setTimeout as wait } from 'node:timers/promises';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type RunningLoop, startLoop } from './jobs/run-loop.ts';
import { SECOND_MS } from '../domain/time.ts';
import { DEPLOYMENT_NAME, type WorkerVersions } from '../workflows/client/worker-versions.ts';
import { PAYMENTS_TASK_QUEUE } from '../workflows/messages.ts';

/** Each run stays on the version that took its first task. */
export function deploymentOptions(buildId: string): WorkerDeploymentOptions {
  return {
    version: { deploymentName: DEPLOYMENT_NAME, buildId },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'PINNED',
  };
}

export interface CurrentVersionOptions {
  readonly versions: WorkerVersions;
  /** The version of this worker. */
  readonly buildId: string;
  readonly logger: Logger;
  /** Called once, when runs begin on this version or on another that has workers. */
  readonly onReady: () => void;
}

const LOOK_EVERY_MS = 10 * SECOND_MS;
const TRY_EVERY_MS = 200;

/**
 * Makes the version of this worker the current one as soon as it polls, and again when the current version has lost its
 * workers. A version that another has replaced stays replaced as long as there is a worker of the other.
 */
export function keepVersionCurrent({ versions, buildId, logger, onReady }: CurrentVersionOptions): RunningLoop {
  const shouldBeCurrent = createElection(versions, buildId);
  let isReady = false;
  const makeCurrent = async (signal: AbortSignal): Promise<void> => {
    if (!(await shouldBeCurrent())) return;
    // Refused until this worker polls for all the task queues that are in use.
    while (!signal.aborted && !(await versions.makeCurrent(buildId))) {
      await wait(TRY_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  return startLoop({
    name: 'current-version',
    intervalMs: LOOK_EVERY_MS,
    logger,
    async run(signal) {
      await makeCurrent(signal);
      if (!isReady && !signal.aborted) onReady();
      isReady = true;
      return 'done';
    },
  });
}

/** Looks in a row that must find no worker of the current version: Temporal forgets polls when it restarts. */
const LOOKS_WITHOUT_POLLS = 2;

/** Decides at each look whether a version should be made the current one. */
export function createElection(versions: WorkerVersions, buildId: string): () => Promise<boolean> {
  let looksWithoutPolls = 0;
  return async () => {
    const { current, activated } = await versions.deployment();
    if (current === buildId) return false;
    if (current === null || !activated.has(buildId)) return true;
    const isPolled = (await versions.polled(PAYMENTS_TASK_QUEUE)).has(current);
    looksWithoutPolls = isPolled ? 0 : looksWithoutPolls + 1;
    return looksWithoutPolls >= LOOKS_WITHOUT_POLLS;
  };
}
