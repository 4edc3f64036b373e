import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { fileURLToPath } from 'node:url';
import type { coresdk } from '@temporalio/proto';
import proto from '@temporalio/proto';
import { TypedSearchAttributes } from '@temporalio/common';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import type { WorkflowBundleWithSourceMapAndFilename } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js';

export type Job = coresdk.workflow_activation.IWorkflowActivationJob;
export type Command = coresdk.workflow_commands.IWorkflowCommand;

const { WorkflowActivation } = proto.coresdk.workflow_activation;

/** One activation as a worker gets it from the core of the SDK. */
export interface Activation {
  readonly atMs: number;
  readonly jobs: readonly Job[];
}

/** The execution of one run in one worker's cache. */
export interface Instance {
  /**
   * @param flags the SDK's own flags that the history has; those that are used are added
   * @returns the commands of the workflow code. @throws Error where the workflow task fails
   */
  activate(activation: Activation, flags: Set<number>, isReplaying?: boolean): Promise<readonly Command[]>;
  dispose(): Promise<void>;
}

interface Execution {
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
  readonly startedAtMs: number;
  readonly seed: number;
}

/** The workflow code of a worker, executed by the SDK's own runtime (`@temporalio/workflow` in its sandbox), without the core and a server. */
export interface WorkflowRuntime {
  create(execution: Execution): Promise<Instance>;
}

const BUNDLE_PATH = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));

/**
 * The runtime as a worker has it, in one reused context. It has no limit of time, whose watchdog costs a thread for each call, and no stack
 * traces for the UI.
 */
export function createWorkflowRuntime(activityNames: readonly string[]): WorkflowRuntime {
  const code = readFileSync(BUNDLE_PATH, 'utf8');
  const bundle = { code, filename: BUNDLE_PATH, sourceMap: {} } as unknown as WorkflowBundleWithSourceMapAndFilename;
  const creator = new ReusableVMWorkflowCreator(
    new Script(code, { filename: BUNDLE_PATH }),
    bundle,
    undefined as unknown as number,
    new Set(activityNames),
  );
  return { create: (execution) => createInstance(creator, execution) };
}

async function createInstance(creator: ReusableVMWorkflowCreator, execution: Execution): Promise<Instance> {
  const { runId, workflowId, workflowType, startedAtMs, seed } = execution;
  const startTime = new Date(startedAtMs);
  const workflow = await creator.createWorkflow({
    info: {
      workflowId,
      runId,
      workflowType,
      firstExecutionRunId: runId,
      searchAttributes: {},
      typedSearchAttributes: new TypedSearchAttributes(),
      namespace: 'default',
      taskQueue: 'payments',
      taskTimeoutMs: 10_000,
      attempt: 1,
      historyLength: 3,
      historySize: 0,
      continueAsNewSuggested: false,
      startTime,
      runStartTime: startTime,
      unsafe: { isReplaying: false, isReplayingHistoryEvents: false, now: () => startedAtMs },
    } as never,
    randomnessSeed: [0, 0, 0, 0, seed & 0xff, (seed >>> 8) & 0xff, (seed >>> 16) & 0xff, seed >>> 24],
    now: startedAtMs,
    showStackTraceSources: false,
  });
  return {
    activate: async ({ atMs, jobs }, flags, isReplaying = false) => {
      const timestamp = msToTs(Math.floor(atMs));
      const { successful, failed } = await workflow.activate(
        WorkflowActivation.fromObject({
          runId,
          timestamp,
          isReplaying,
          historyLength: 3,
          availableInternalFlags: [...flags],
          jobs: [...jobs],
        }),
      );
      await workflow.getAndResetSinkCalls();
      if (failed != null)
        throw new Error(`the workflow task fails: ${failed.failure?.message}\n${failed.failure?.stackTrace}`);
      for (const flag of successful?.usedInternalFlags ?? []) flags.add(flag);
      return successful?.commands ?? [];
    },
    dispose: () => workflow.dispose(),
  };
}

/** A duration of a command in ms; null where there is none. */
export function msOf(duration: Parameters<typeof optionalTsToMs>[0]): number | null {
  return optionalTsToMs(duration) ?? null;
}
