import { setTimeout as wait } from 'node:timers/promises';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type RunningLoop, startLoop } from './jobs/run-loop.ts';
import { SECOND_MS } from '../domain/time.ts';
import { DEPLOYMENT_NAME, type WorkerVersions } from '../workflow-client/worker-versions.ts';
import { PAYMENTS_TASK_QUEUE } from '../protocol/messages.ts';

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
  const decide = createElection(versions, buildId);
  let isReady = false;
  const makeCurrent = async (signal: AbortSignal): Promise<void> => {
    try {
      // Temporal rejects this until the worker polls all task queues that are in use.
      while (!(await versions.makeCurrent(buildId, signal))) await wait(TRY_EVERY_MS, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  return startLoop({
    name: 'current-version',
    intervalMs: CHECK_EVERY_MS,
    logger,
    async run(signal) {
      const decision = await decide();
      if (decision === 'make_current') await makeCurrent(signal);
      if (!isReady && decision !== 'undecided' && !signal.aborted) {
        isReady = true;
        onReady();
      }
      return 'done';
    },
  });
}

/** Checks in a row that must find no worker of the current version: Temporal forgets polls when it restarts. */
const CHECKS_WITHOUT_POLLS = 2;

/** `undecided`: the current version seems to have no workers, which one more check must confirm. */
export type ElectionDecision = 'make_current' | 'keep' | 'undecided';

/** Creates the check whether a version should be made the current one. */
export function createElection(versions: WorkerVersions, buildId: string): () => Promise<ElectionDecision> {
  let checksWithoutPolls = 0;
  return async () => {
    const { current, activated } = await versions.deployment();
    if (current === buildId) return 'keep';
    if (current === null || !activated.has(buildId)) return 'make_current';
    const isPolled = (await versions.polled(PAYMENTS_TASK_QUEUE)).has(current);
    checksWithoutPolls = isPolled ? 0 : checksWithoutPolls + 1;
    if (isPolled) return 'keep';
    return checksWithoutPolls >= CHECKS_WITHOUT_POLLS ? 'make_current' : 'undecided';
  };
}
