import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { addSearchAttributes } from '../../temporal/register-search-attributes.ts';
import { workflowSource } from '../../worker/workflow-source.ts';
import { PAYMENTS_TASK_QUEUE } from '../../workflows/messages.ts';
import type { ScriptedActivities } from './scripted-activities.ts';
import { provideTestServer } from './test-server.ts';

/** A time-skipping server with one worker, whose activities are those of the test that uses it. */
export interface TimeSkippingServer {
  readonly env: TestWorkflowEnvironment;
  /** Has the worker run these activities from now on. */
  play(activities: PlayedActivities): void;
  close(): Promise<void>;
}

/** Activities by name; `clock` is set to the server's time. */
export type PlayedActivities = Pick<ScriptedActivities, 'clock'>;

const NAMESPACE = 'default';
let ahead: Promise<TimeSkippingServer> | undefined;
let runtimeInstalled = false;

/**
 * Lends `use` a server of its own: the clock is one for all workflows of a server, and one that ended still moves it. The
 * next server starts meanwhile.
 */
export async function withTimeSkippingServer(use: (server: TimeSkippingServer) => Promise<void>): Promise<void> {
  const server = await (ahead ?? startServer());
  ahead = startServer();
  ahead.catch(() => undefined);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

/** Stops the server that was started for a test that did not come; it would outlive this process. */
export async function closeTimeSkippingServers(): Promise<void> {
  const unused = ahead;
  ahead = undefined;
  await unused?.then((server) => server.close());
}

async function startServer(): Promise<TimeSkippingServer> {
  silenceRuntime();
  const env = await startEnvironment();
  let playing: PlayedActivities | undefined;
  try {
    await addSearchAttributes(env.nativeConnection, NAMESPACE);
    const worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue: PAYMENTS_TASK_QUEUE,
      ...workflowSource(),
      activities: { default: (...args: unknown[]) => runActivity(playing, args) },
    });
    const running = worker.run();
    running.catch(() => undefined);
    return {
      env,
      play(activities) {
        activities.clock = () => env.currentTimeMs();
        playing = activities;
      },
      async close() {
        if (worker.getState() === 'RUNNING') worker.shutdown();
        await running.finally(() => env.teardown());
      },
    };
  } catch (error) {
    await env.teardown();
    throw error;
  }
}

/** The server has 5 seconds to start, which a busy machine may not give it at once. */
async function startEnvironment(triesLeft = 3): Promise<TestWorkflowEnvironment> {
  const executable = { type: 'existing-path' as const, path: await provideTestServer() };
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  } catch (error) {
    if (triesLeft <= 1) throw error;
    return startEnvironment(triesLeft - 1);
  }
}

function silenceRuntime(): void {
  if (runtimeInstalled) return;
  runtimeInstalled = true;
  const logging = { filter: { core: 'ERROR' as const, other: 'ERROR' as const }, forward: {} };
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
}

async function runActivity(playing: PlayedActivities | undefined, args: readonly unknown[]): Promise<unknown> {
  const { activityType } = activityInfo();
  const activity = Object.entries(playing ?? {}).find(([name]) => name === activityType)?.[1] as unknown;
  if (typeof activity !== 'function') throw ApplicationFailure.nonRetryable(`no test plays ${activityType}`);
  const result: unknown = await Reflect.apply(activity, playing, args);
  return result;
}
