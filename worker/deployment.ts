import { setTimeout as wait } from 'node:timers/promises';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type RunningLoop, startLoop } from './jobs/run-loop.ts';
import { SECOND_MS } from '../domain/time.ts';
import { DEPLOYMENT_NAME, type WorkerVersions } from '../workflows/client/worker-versions.ts';
import { PAYMENTS_TASK_QUEUE } from '../workflows/messages.ts';

/** Each run is pinned to the version that executed its first task. */
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

const CHECK_EVERY_MS = 10 * SECOND_MS;
const TRY_EVERY_MS = 200;

/**
 * Makes the version of this worker the current one as soon as it polls, and again when the current version has no workers any
 * more. A version that was replaced does not become current again while the newer one has a worker.
 */
export function keepVersionCurrent({ versions, buildId, logger, onReady }: CurrentVersionOptions): RunningLoop {
  const shouldBeCurrent = createElection(versions, buildId);
  let isReady = false;
  const makeCurrent = async (signal: AbortSignal): Promise<void> => {
    if (!(await shouldBeCurrent())) return;
    // Temporal rejects this until the worker polls all task queues that are in use.
    while (!signal.aborted && !(await versions.makeCurrent(buildId))) {
      await wait(TRY_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  return startLoop({
    name: 'current-version',
    intervalMs: CHECK_EVERY_MS,
    logger,
    async run(signal) {
      await makeCurrent(signal);
      if (!isReady && !signal.aborted) onReady();
      isReady = true;
      return 'done';
    },
  });
}

/** Checks in a row that must find no worker of the current version: Temporal forgets polls when it restarts. */
const CHECKS_WITHOUT_POLLS = 2;

/** Returns a check whether a version should be made the current one. */
export function createElection(versions: WorkerVersions, buildId: string): () => Promise<boolean> {
  let checksWithoutPolls = 0;
  return async () => {
    const { current, activated } = await versions.deployment();
    if (current === buildId) return false;
    if (current === null || !activated.has(buildId)) return true;
    const isPolled = (await versions.polled(PAYMENTS_TASK_QUEUE)).has(current);
    checksWithoutPolls = isPolled ? 0 : checksWithoutPolls + 1;
    return checksWithoutPolls >= CHECKS_WITHOUT_POLLS;
  };
}
