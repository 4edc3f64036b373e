import { type Client, isGrpcServiceError } from '@temporalio/client';
import { SECOND_MS } from '../domain/time.ts';
import { PAYMENTS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE } from '../protocol/messages.ts';
import { callTemporal } from './temporal-errors.ts';

/** The worker deployment that the workers of all versions belong to. */
export const DEPLOYMENT_NAME = 'payment-engine';

/** The task queues that workers poll, that of payments first. */
export const TASK_QUEUES = [PAYMENTS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE] as const;

/** The versions that have ever polled, by build id. */
interface Deployment {
  /** The version on which new runs begin; null before any version was made current. */
  readonly current: string | null;
  /** Versions that are current or have been. */
  readonly activated: ReadonlySet<string>;
}

export interface PinnedRun {
  readonly workflowId: string;
  readonly runId: string;
}

/** The versions of the workflow code in Temporal. Every call has a deadline. */
export interface WorkerVersions {
  /** @throws TemporalUnavailableError */
  deployment(): Promise<Deployment>;
  /**
   * Build ids of the versions that a worker polls a task queue for. Temporal forgets polls when it restarts, and a worker
   * polls again only after some seconds, so callers act only after several checks in a row without a poll.
   * @throws TemporalUnavailableError
   */
  polled(taskQueue: string): Promise<ReadonlySet<string>>;
  /**
   * Makes new runs begin on a version; a repeat changes nothing.
   * @param signal ends the wait for the answer
   * @returns false where no worker of that version polls yet for all the task queues that are in use
   * @throws TemporalUnavailableError
   */
  makeCurrent(buildId: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Build ids of the versions that are current or have been, and that no worker polls a task queue for.
   * @throws TemporalUnavailableError
   */
  versionsWithoutWorker(taskQueue: string): Promise<readonly string[]>;
  /**
   * Open runs of a task queue that are pinned to one of some versions, as Temporal's list of workflows knows them.
   * @throws TemporalUnavailableError
   */
  runsOf(taskQueue: string, buildIds: readonly string[], limit: number): Promise<readonly PinnedRun[]>;
}

export interface WorkerVersionsOptions {
  readonly deploymentName: string;
  /** How long after its latest poll a version counts as polled for. */
  readonly polledWithinMs: number;
}

/** Temporal ends a poll that found nothing after 60 s, and notes the next one; it lists polls for 5 minutes. */
const DEFAULTS: WorkerVersionsOptions = { deploymentName: DEPLOYMENT_NAME, polledWithinMs: 90 * SECOND_MS };

const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;
/** The deployment does not know the version, which it learns a moment after the first poll; or a task queue is not polled. */
const NOT_YET_POLLED = [NOT_FOUND, FAILED_PRECONDITION];
/** Temporal answers when all partitions of all task queues know, which takes a busy server longer than other calls. */
const MAKE_CURRENT_TIMEOUT_MS = 30 * SECOND_MS;

export function createWorkerVersions(client: Client, options: WorkerVersionsOptions = DEFAULTS): WorkerVersions {
  const { deploymentName, polledWithinMs } = options;
  const { workflowService: service } = client;
  const { namespace } = client.options;
  const ask = <T>(call: () => Promise<T>, timeoutMs?: number) => callTemporal(client, call, timeoutMs);

  const deployment = async (): Promise<Deployment> => {
    const describe = () => service.describeWorkerDeployment({ namespace, deploymentName });
    const answer = await ask(() => describe().catch(answerOf([NOT_FOUND], null)));
    const { routingConfig, versionSummaries } = answer?.workerDeploymentInfo ?? {};
    const activated = (versionSummaries ?? []).filter(({ firstActivationTime }) => firstActivationTime != null);
    return {
      current: routingConfig?.currentDeploymentVersion?.buildId || null,
      activated: new Set(activated.map(({ deploymentVersion }) => deploymentVersion?.buildId ?? '')),
    };
  };

  const polled = async (taskQueue: string): Promise<ReadonlySet<string>> => {
    const { pollers } = await ask(() => service.describeTaskQueue({ namespace, taskQueue: { name: taskQueue } }));
    const polls = pollers.map(({ deploymentOptions, lastAccessTime }) => ({
      buildId: deploymentOptions?.deploymentName === deploymentName ? (deploymentOptions.buildId ?? '') : '',
      atMs: Number(lastAccessTime?.seconds ?? 0) * SECOND_MS,
    }));
    // Compared with the latest poll, because this machine's clock may differ from the server's.
    const sinceMs = Math.max(...polls.map(({ atMs }) => atMs)) - polledWithinMs;
    return new Set(polls.flatMap(({ buildId, atMs }) => (buildId !== '' && atMs >= sinceMs ? [buildId] : [])));
  };

  return {
    deployment,
    polled,
    async makeCurrent(buildId, signal) {
      // One identity for all workers: Temporal treats the same request by the same identity as a repeat.
      const request = { namespace, deploymentName, buildId, identity: deploymentName };
      const set = () => service.setWorkerDeploymentCurrentVersion(request).then(() => true);
      const setUnlessAborted = () => client.withAbortSignal(signal, () => set().catch(answerOf(NOT_YET_POLLED, false)));
      return ask(setUnlessAborted, MAKE_CURRENT_TIMEOUT_MS);
    },
    async versionsWithoutWorker(taskQueue) {
      const [{ activated }, alive] = await Promise.all([deployment(), polled(taskQueue)]);
      return [...activated].filter((buildId) => !alive.has(buildId));
    },
    async runsOf(taskQueue, buildIds, limit) {
      if (buildIds.length === 0) return [];
      const pins = buildIds.map((buildId) => `'pinned:${deploymentName}:${buildId}'`).join(', ');
      const query = `BuildIds IN (${pins}) AND TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'`;
      const { executions } = await ask(() => service.listWorkflowExecutions({ namespace, query, pageSize: limit }));
      return executions.map(({ execution }) => ({
        workflowId: execution?.workflowId ?? '',
        runId: execution?.runId ?? '',
      }));
    },
  };
}

/** Returns `answer` for some gRPC error codes, and throws any other error. */
function answerOf<Answer>(codes: readonly number[], answer: Answer): (error: unknown) => Answer {
  return (error) => {
    if (isGrpcServiceError(error) && codes.includes(Number(error.code))) return answer;
    throw error;
  };
}
