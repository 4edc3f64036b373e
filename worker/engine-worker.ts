import { fileURLToPath } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';
import { Worker } from '@temporalio/worker';
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm.js';
import type { WorkerThreadInput } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js';
import { SECOND_MS } from '../domain/time.ts';

const THREAD_PROGRAM = fileURLToPath(new URL('workflow-thread.js', import.meta.url));
const CHECK_EVERY_MS = SECOND_MS;
/** Counted rather than timed: while this process gets no processor at all, nothing is counted. */
const CHECKS_WITHOUT_ANSWER = 5;
/** For `vm`, no time limit. */
const NO_TIMEOUT = undefined as unknown as number;

/**
 * Temporal's worker, with a cheaper thread for workflows. The SDK has Node start and join another thread for each call into a
 * workflow, which would end the call after 5 s, and hooks every promise: together, half of a short workflow's processor time. Here
 * this process watches the thread instead: when a workflow does not end its task, it says which, and ends itself.
 * Uses parts of the SDK that it does not document: look again at each new version, which a test asks for.
 */
export class EngineWorker extends Worker {
  protected static override async createWorkflowCreator(
    ...[workflowBundle, options, logger]: Parameters<typeof Worker.createWorkflowCreator>
  ): ReturnType<typeof Worker.createWorkflowCreator> {
    if (options.debugMode) return super.createWorkflowCreator(workflowBundle, options, logger);
    const onStuck = (workflow: WorkflowName) => {
      logger.error('a workflow does not end its task; the worker ends', { ...workflow, alert: 'WORKFLOW_LOOPS' });
      process.exit(1);
    };
    const thread = new WatchedThread(new Thread(THREAD_PROGRAM), logger, onStuck);
    await thread.send({
      type: 'init',
      workflowBundle,
      isolateExecutionTimeoutMs: NO_TIMEOUT,
      reuseV8Context: true,
      registeredActivityNames: new Set(options.activities.keys()),
      hasPatchActivationCallback: false,
    });
    return new ThreadedVMWorkflowCreator([thread]);
  }
}

interface WorkflowName {
  readonly workflowId: string;
  readonly workflowType: string;
}

/** The thread of the workflows. It handles one request after the other, so the oldest without an answer is the one that it is at. */
class WatchedThread extends WorkerThreadClient {
  readonly #onStuck: (workflow: WorkflowName) => void;
  readonly #waiting = new Set<WorkerThreadInput>();
  readonly #names = new Map<string, WorkflowName>();
  readonly #checks = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  #checksWithoutAnswer = 0;

  /** @param onStuck called when nothing was answered for 5 to 6 s */
  constructor(
    thread: Thread,
    logger: ConstructorParameters<typeof WorkerThreadClient>[1],
    onStuck: (workflow: WorkflowName) => void,
  ) {
    super(thread, logger);
    this.#onStuck = onStuck;
  }

  override async send(input: WorkerThreadInput): ReturnType<WorkerThreadClient['send']> {
    if (input.type === 'create-workflow') {
      const { runId, workflowId, workflowType } = input.options.info;
      this.#names.set(runId, { workflowId, workflowType });
    }
    if (input.type !== 'init') this.#waiting.add(input);
    try {
      return await super.send(input);
    } finally {
      this.#checksWithoutAnswer = 0;
      this.#waiting.delete(input);
      if (input.type === 'dispose-workflow') this.#names.delete(input.runId);
    }
  }

  override async destroy(): Promise<void> {
    try {
      await super.destroy();
    } finally {
      clearInterval(this.#checks);
    }
  }

  #check(): void {
    const [oldest] = this.#waiting;
    this.#checksWithoutAnswer = oldest === undefined ? 0 : this.#checksWithoutAnswer + 1;
    if (oldest === undefined || this.#checksWithoutAnswer <= CHECKS_WITHOUT_ANSWER) return;
    this.#onStuck(this.#nameOf(oldest));
  }

  #nameOf(input: WorkerThreadInput): WorkflowName {
    const runId = input.type === 'create-workflow' ? input.options.info.runId : 'runId' in input ? input.runId : '';
    return this.#names.get(runId) ?? { workflowId: runId, workflowType: 'unknown' };
  }
}
