import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { addSearchAttributes } from '../../workflow-client/register-search-attributes.ts';
import { paymentWorkerTuning } from '../../worker/create-worker.ts';
import { workflowSource } from '../../worker/workflow-source.ts';
import { PAYMENTS_TASK_QUEUE } from '../../protocol/messages.ts';
import { inTime } from './eventually.ts';
import { silenceRuntime } from './silence-runtime.ts';
import { provideTestServer } from './test-server.ts';
import { timeStart } from './test-times.ts';

/**
 * A time-skipping server with one worker, whose activities are those of the test that uses it.
 *
 * Unlike Temporal, version 1.38.0 of this server never goes on with a workflow after one of these races. A test must avoid them:
 * - A workflow task cancels an activity that completes during the task: its completion is refused as `ACTIVITY_UNKNOWN`.
 * - A workflow task cancels a timer that fires during the task: the same, as `invalid history builder state for action`
 *   (temporalio/sdk-java#3088).
 * - An activity fails, and could be tried again, after its cancellation was requested: the failure is lost.
 */
export interface TimeSkippingServer {
  readonly env: TestWorkflowEnvironment;
  /** Has the worker run these activities for workflows that are started from now on. */
  play(activities: PlayedActivities): void;
  close(): Promise<void>;
}

/** Activities by name. */
export interface PlayedActivities {
  readonly activities: object;
  /** Set to the server's time, as it is while an activity runs: it does not jump then. */
  clock: () => number;
}

const NAMESPACE = 'default';
const CACHED_WORKFLOWS = 100;

/**
 * While a result is on its way the clock goes on to the next timer: where there is no other, to the timeout of a workflow,
 * which would be ten years if none were given.
 */
export const EXECUTION_TIMEOUT_MS = 30 * DAY_MS;

/** How long a server may take to jump over a minute. */
const JUMP_LIMIT_MS = 2 * SECOND_MS;
/** How long a worker may take to stop. */
const STOP_LIMIT_MS = 10 * SECOND_MS;

interface Shared {
  readonly server: Promise<TimeSkippingServer>;
  /** Whether a test has it, or had it and did not leave it as it was. */
  isInUse: boolean;
}
let shared: Shared | undefined;

/**
 * Lends `use` the server that all tests of a process share, for starting one takes seconds. What earlier ones left open
 * goes on with their own activities; only the clock is one for all. After a test that failed, or that ran out of time and
 * still moves the clock, the next one gets another server.
 */
export async function withTimeSkippingServer(use: (server: TimeSkippingServer) => Promise<void>): Promise<void> {
  if (shared?.isInUse === true) await closeTimeSkippingServer();
  const lent = (shared ??= { server: timeStart('time-skipping server', startServer), isInUse: false });
  lent.isInUse = true;
  const server = await lent.server;
  await use(server);
  lent.isInUse = !(await isQuiet(server));
}

/** Stops the shared server, if it has started; it would outlive this process. */
export async function closeTimeSkippingServer(): Promise<void> {
  const open = await shared?.server.catch(() => undefined);
  shared = undefined;
  await open?.close();
}

/**
 * A call that is never answered keeps the clock from jumping, so that whatever comes next would wait in real time; one that
 * is made again and again keeps it from jumping far.
 */
async function isQuiet({ env: { client, connection, sleep } }: TimeSkippingServer): Promise<boolean> {
  const { executions } = await client.workflowService.listOpenWorkflowExecutions({ namespace: NAMESPACE });
  for (const { execution } of executions) {
    const { raw } = await client.workflow.getHandle(execution?.workflowId ?? '').describe();
    if (raw.pendingActivities?.length) return false;
  }
  const jump = connection.withDeadline(Date.now() + JUMP_LIMIT_MS, () => sleep(MINUTE_MS));
  return jump.then(
    () => true,
    () => false,
  );
}

async function startServer(): Promise<TimeSkippingServer> {
  silenceRuntime();
  const scripts = new Map<string, PlayedActivities>();
  let playing: PlayedActivities | undefined;
  let aheadMs = 0;
  const env = await startEnvironment((workflowId) => {
    if (playing !== undefined) scripts.set(workflowId, playing);
  });
  try {
    await addSearchAttributes(env.nativeConnection, NAMESPACE);
    const worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue: PAYMENTS_TASK_QUEUE,
      ...workflowSource(),
      ...paymentWorkerTuning({ maxCachedWorkflows: CACHED_WORKFLOWS, shutdownGraceMs: SECOND_MS }),
      activities: {
        default: async (...args: unknown[]) => {
          aheadMs = (await env.currentTimeMs()) - Date.now();
          return runActivity(scripts.get(activityInfo().workflowExecution?.workflowId ?? ''), args);
        },
      },
    });
    const running = worker.run();
    running.catch(() => undefined);
    return {
      env,
      play(activities) {
        activities.clock = () => Date.now() + aheadMs;
        playing = activities;
      },
      async close() {
        await terminateOpenWorkflows(env).catch(() => undefined);
        if (worker.getState() === 'RUNNING') worker.shutdown();
        try {
          await inTime(running, 'the end of the worker', STOP_LIMIT_MS);
        } finally {
          await env.teardown();
        }
      },
    };
  } catch (error) {
    await env.teardown();
    throw error;
  }
}

/**
 * Settles what a failed test still waits for: its client would ask again after its connection was closed, and the error of that would
 * fail the tests that run then.
 */
async function terminateOpenWorkflows({ client, connection }: TestWorkflowEnvironment): Promise<void> {
  await connection.withDeadline(Date.now() + STOP_LIMIT_MS, async () => {
    const { executions } = await client.workflowService.listOpenWorkflowExecutions({ namespace: NAMESPACE });
    for (const { execution } of executions) await client.workflow.getHandle(execution?.workflowId ?? '').terminate();
  });
}

/**
 * The server has 5 seconds to start, which a busy machine may not give it at once.
 * @param onStart called with each workflow's id before it is started
 */
async function startEnvironment(
  onStart: (workflowId: string) => void,
  triesLeft = 10,
): Promise<TestWorkflowEnvironment> {
  const executable = { type: 'existing-path' as const, path: await provideTestServer() };
  const interceptor: WorkflowClientInterceptor = {
    start: (input, next) => {
      onStart(input.options.workflowId);
      return next(input);
    },
  };
  const client = { interceptors: { workflow: [interceptor] } };
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable }, client });
  } catch (error) {
    if (triesLeft <= 1) throw error;
    return startEnvironment(onStart, triesLeft - 1);
  }
}

async function runActivity(playing: PlayedActivities | undefined, args: readonly unknown[]): Promise<unknown> {
  const { activityType } = activityInfo();
  const activity: unknown = Reflect.get(playing?.activities ?? {}, activityType);
  if (typeof activity !== 'function') throw ApplicationFailure.nonRetryable(`no test plays ${activityType}`);
  const result: unknown = await Reflect.apply(activity, playing?.activities, args);
  return result;
}
