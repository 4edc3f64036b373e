import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { Random } from '../../chaos/random.ts';
import type { WorkflowState } from '../../workflow-client/workflow-states.ts';
import { runningIn, type VirtualTime } from './virtual-time.ts';
import type { WorkerProcess } from './worker-process.ts';
import {
  type Activation,
  type Command,
  type Instance,
  type Job,
  msOf,
  type WorkflowRuntime,
} from './workflow-runtime.ts';

type Failure = temporal.api.failure.v1.IFailure;
const { RetryState, TimeoutType } = proto.temporal.api.enums.v1;
const { ActivityCancellationType } = proto.coresdk.workflow_commands;

/** How one try of an activity ended in its worker. */
export type TryResult =
  | { readonly kind: 'completed'; readonly result: Payload }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'canceled' };

/** One try of an activity, as a worker gets it. */
export interface ActivityTry {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly runId: string;
  readonly activityId: string;
  readonly type: string;
  readonly args: readonly Payload[];
  readonly attempt: number;
  /** @returns whether the server asks the worker to cancel the activity */
  readonly heartbeat: () => boolean;
}

/** Executes activities in the present process. */
export type ActivityExecutor = (activityTry: ActivityTry) => Promise<TryResult>;

/** What a client learns of an update. */
export type UpdateOutcome =
  | { readonly kind: 'completed'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'finished' }
  | { readonly kind: 'not_started' }
  /** The server has forgotten the update; it may have been executed in part. */
  | { readonly kind: 'lost' };

interface Update {
  readonly id: string;
  readonly name: string;
  readonly input: readonly Payload[];
  state: 'admitted' | 'sent' | 'accepted' | 'done';
  outcome: UpdateOutcome | null;
  readonly waiting: ((outcome: UpdateOutcome) => void)[];
}

interface OpenTimer {
  readonly seq: number;
  readonly atMs: number;
}

type Schedule = NonNullable<Command['scheduleActivity']>;

interface OpenActivity {
  readonly seq: number;
  readonly schedule: Schedule;
  readonly scheduledAtMs: number;
  isCancelRequested: boolean;
}

interface RunningActivity extends OpenActivity {
  attempt: number;
  /** Another number for each try; a report of an earlier try is refused. */
  token: number;
  isStarted: boolean;
  startedAtMs: number;
  heartbeatAtMs: number;
  lastFailure: Failure | null;
}

/** A completed workflow task as the history has it. */
interface Task {
  readonly jobs: readonly Job[];
  readonly activations: readonly (Activation & { readonly commands: string })[];
  readonly openTimers: readonly OpenTimer[];
  readonly openActivities: readonly OpenActivity[];
  readonly updateIds: readonly string[];
}

type Closed = 'completed' | 'failed' | 'canceled' | 'terminated';

interface Run {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly input: Payload;
  readonly startedAtMs: number;
  readonly seed: number;
  firstTaskAtMs: number;
  closedAs: Closed | null;
  tasks: Task[];
  /** Events since the last task. */
  jobs: Job[];
  readonly updates: Map<string, Update>;
  readonly timers: Map<number, OpenTimer>;
  readonly activities: Map<number, RunningActivity>;
  readonly patches: Set<string>;
  readonly flags: Set<number>;
  task: 'none' | 'scheduled' | 'started';
  /** Another number for each task; a completion of an earlier one is refused. */
  taskToken: number;
  cache: { readonly worker: WorkerProcess; readonly instance: Instance } | null;
  /** The types of the activities that its history has scheduled. */
  readonly scheduled: string[];
  searchAttributes: Map<string, unknown>;
  result: unknown;
}

/** The probabilities of faults of the server and of its connections to workers. */
export interface TemporalFaults {
  /** A task is dispatched seconds late. */
  readonly lateTask: number;
  /** The completion of an activity never arrives. */
  readonly lostCompletion: number;
  /** A worker has dropped the run from its cache. */
  readonly evicted: number;
  /** A workflow task is lost in the worker, and times out. */
  readonly lostTask: number;
}

const NO_FAULTS: TemporalFaults = { lateTask: 0, lostCompletion: 0, evicted: 0, lostTask: 0 };
const TASK_TIMEOUT_MS = 10_000;
/** The worker keeps a task with local activities alive by completing it at this age and going on in the next one. */
const TASK_HEARTBEAT_MS = 8_000;
const LOCAL_RETRY = { initialMs: 100, coefficient: 2, maximumMs: 10_000 };

export interface TemporalModelOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly runtime: WorkflowRuntime;
  readonly execute: ActivityExecutor;
  readonly workers: () => readonly WorkerProcess[];
  readonly trace: (line: string) => void;
  /** Called when a workflow task fails: a bug of workflow code. */
  readonly onTaskFailure: (what: string) => void;
}

/**
 * What the Temporal server, and the core of the worker, do for workflows: histories, tasks, timers, activities with their retries,
 * updates, signals, cancel, terminate and reset. `docs/design/simulation.md` says what is left out.
 */
export class TemporalModel {
  faults: TemporalFaults = NO_FAULTS;
  readonly #options: TemporalModelOptions;
  readonly #runs = new Map<string, Run[]>();
  readonly #scheduled = new Set<string>();
  #ids = 0;
  #tasksWithoutWorker: (() => void)[] = [];

  constructor(options: TemporalModelOptions) {
    this.#options = options;
  }

  /** @returns false where the policy refuses: one runs, or for `once` one has run. */
  start(
    {
      workflowId,
      type,
      input,
      firstTaskAfterMs = 0,
    }: { workflowId: string; type: string; input: unknown; firstTaskAfterMs?: number },
    policy: 'once' | 'again',
  ): boolean {
    const runs = this.#runs.get(workflowId) ?? [];
    const latest = runs.at(-1);
    if (latest !== undefined && (policy === 'once' || latest.closedAs === null)) return false;
    const { time } = this.#options;
    const run = this.#newRun(
      { workflowId, type, input: defaultPayloadConverter.toPayload(input) },
      time.nowMs + firstTaskAfterMs,
    );
    this.#runs.set(workflowId, [...runs, run]);
    this.#trace(run, `started${policy === 'again' ? ' again' : ''}`);
    run.jobs.push({ initializeWorkflow: this.#initialize(run) });
    if (firstTaskAfterMs === 0) this.#schedule(run);
    else time.outside(firstTaskAfterMs, () => this.#schedule(run));
    return true;
  }

  /** Sends an update. The same id gets the same outcome. */
  update(workflowId: string, id: string, name: string, input: unknown): Promise<UpdateOutcome> {
    const run = this.#latest(workflowId);
    if (run === undefined) return Promise.resolve({ kind: 'not_started' });
    const known = run.updates.get(id);
    if (known?.outcome != null) return Promise.resolve(known.outcome);
    if (run.closedAs !== null) return Promise.resolve({ kind: 'finished' });
    const update: Update = known ?? {
      id,
      name,
      input: [defaultPayloadConverter.toPayload(input)],
      state: 'admitted',
      outcome: null,
      waiting: [],
    };
    run.updates.set(id, update);
    run.firstTaskAtMs = Math.min(run.firstTaskAtMs, this.#options.time.nowMs);
    if (known === undefined) {
      this.#trace(run, `update ${name} ${id} admitted`);
      this.#schedule(run);
    }
    return new Promise((resolve) => update.waiting.push(resolve));
  }

  signal(workflowId: string, name: string, input: readonly unknown[]): 'delivered' | 'finished' | 'not_started' {
    const run = this.#latest(workflowId);
    if (run === undefined) return 'not_started';
    if (run.closedAs !== null) return 'finished';
    run.jobs.push({
      signalWorkflow: { signalName: name, input: input.map((each) => defaultPayloadConverter.toPayload(each)) },
    });
    this.#trace(run, `signal ${name}`);
    // During the delay of a first task, a signal schedules none.
    if (this.#options.time.nowMs >= run.firstTaskAtMs) this.#schedule(run);
    return 'delivered';
  }

  /** Requests the orderly cancel of a workflow. */
  cancel(workflowId: string): void {
    const run = this.#running(workflowId);
    if (run === undefined) return;
    run.jobs.push({ cancelWorkflow: { reason: 'by hand' } });
    run.firstTaskAtMs = Math.min(run.firstTaskAtMs, this.#options.time.nowMs);
    this.#trace(run, 'cancel requested');
    this.#schedule(run);
  }

  terminate(workflowId: string): void {
    const run = this.#running(workflowId);
    if (run === undefined) return;
    this.#trace(run, 'terminated');
    this.#close(run, 'terminated', null);
  }

  /**
   * Resets a workflow to one of its completed tasks: another run goes on from there, with the signals and accepted updates since.
   * @param place from 0 for the first task up to but not including 1
   */
  reset(workflowId: string, place: number): void {
    const run = this.#latest(workflowId);
    if (run === undefined || run.tasks.length === 0) return;
    const index = Math.floor(place * run.tasks.length);
    const task = run.tasks[index];
    if (task === undefined) return;
    if (run.closedAs === null) this.#close(run, 'terminated', null);
    const kept = run.tasks.slice(0, index);
    const before = kept.at(-1);
    const fresh = this.#newRun(run, this.#options.time.nowMs, run.startedAtMs);
    this.#trace(run, `reset to task ${index + 1} of ${run.tasks.length}, as ${fresh.runId}`);
    fresh.tasks = kept;
    for (const patch of run.patches) fresh.patches.add(patch);
    for (const flag of run.flags) fresh.flags.add(flag);
    const later = run.tasks.slice(index + 1).flatMap(({ jobs }) => jobs);
    const isReapplied = ({ signalWorkflow, doUpdate }: Job): boolean => signalWorkflow != null || doUpdate != null;
    const reapplied = [
      ...task.jobs.filter(({ doUpdate }) => doUpdate != null),
      ...later.filter(isReapplied),
      ...run.jobs.filter(isReapplied),
    ];
    fresh.jobs = [
      ...task.jobs.filter(({ doUpdate, updateRandomSeed }) => doUpdate == null && updateRandomSeed == null),
      ...reapplied.filter(({ doUpdate }) => doUpdate == null),
      { updateRandomSeed: { randomnessSeed: fresh.seed as never } },
    ];
    for (const { doUpdate } of reapplied) {
      if (doUpdate?.id == null || fresh.updates.has(doUpdate.id)) continue;
      fresh.updates.set(doUpdate.id, {
        id: doUpdate.id,
        name: doUpdate.name ?? '',
        input: doUpdate.input ?? [],
        state: 'admitted',
        outcome: null,
        waiting: [],
      });
    }
    for (const { updateIds } of kept) {
      for (const id of updateIds) {
        const update = run.updates.get(id);
        if (update !== undefined && !fresh.updates.has(id)) {
          const isDone = kept.some(({ activations }) => activations.some(({ commands }) => ends(commands, id)));
          fresh.updates.set(id, {
            ...update,
            state: isDone ? 'done' : 'accepted',
            outcome: isDone ? update.outcome : null,
            waiting: [],
          });
        }
      }
    }
    this.#runs.get(workflowId)?.push(fresh);
    const resolved = new Set(task.jobs.flatMap(({ resolveActivity }) => resolveActivity?.seq ?? []));
    const fired = new Set(task.jobs.flatMap(({ fireTimer }) => fireTimer?.seq ?? []));
    for (const timer of before?.openTimers ?? []) if (!fired.has(timer.seq)) this.#startTimer(fresh, timer);
    for (const { seq, schedule, isCancelRequested } of before?.openActivities ?? []) {
      if (resolved.has(seq)) continue;
      this.#scheduleActivity(fresh, seq, schedule);
      if (isCancelRequested) this.#requestCancel(fresh, seq);
    }
    this.#schedule(fresh);
  }

  /** The server restarts: updates that no workflow has accepted are forgotten, and tasks under way that only they had led to. */
  restart(): void {
    for (const runs of this.#runs.values()) {
      const run = runs.at(-1);
      if (run === undefined || run.closedAs !== null) continue;
      for (const update of [...run.updates.values()]) {
        if (update.state === 'admitted' || update.state === 'sent') this.#forget(run, update);
      }
      if (run.task === 'started') this.#retryTask(run, 'the server restarted');
    }
  }

  stateOf(workflowId: string): WorkflowState {
    const run = this.#latest(workflowId);
    if (run === undefined) return { kind: 'ended', as: 'forgotten' };
    if (run.closedAs === null) return { kind: 'running', runId: run.runId };
    return run.closedAs === 'completed' ? { kind: 'completed' } : { kind: 'ended', as: run.closedAs };
  }

  searchAttributesOf(workflowId: string): ReadonlyMap<string, unknown> {
    return this.#latest(workflowId)?.searchAttributes ?? new Map();
  }

  /** The types of the activities that each run's history has scheduled, in order. */
  activitiesOf(workflowId: string): readonly (readonly string[])[] {
    return (this.#runs.get(workflowId) ?? []).map(({ scheduled }) => scheduled);
  }

  /** Whether the history of a run has scheduled an activity. */
  hasScheduled(runId: string, activityId: string): boolean {
    return this.#scheduled.has(`${runId} ${activityId}`);
  }

  /** The ids of all workflows of a type. */
  workflowsOf(type: string): readonly string[] {
    return [...this.#runs].filter(([, runs]) => runs[0]?.type === type).map(([id]) => id);
  }

  /** Whether anything of a run is still under way other than timers. */
  isBusy(workflowId: string): boolean {
    const run = this.#running(workflowId);
    return (
      run !== undefined &&
      (run.task !== 'none' ||
        run.activities.size > 0 ||
        [...run.updates.values()].some(({ state }) => state !== 'done'))
    );
  }

  /** To be called when a worker takes tasks again. */
  workersCameBack(): void {
    const tasks = this.#tasksWithoutWorker;
    this.#tasksWithoutWorker = [];
    for (const task of tasks) task();
  }

  async dispose(): Promise<void> {
    for (const run of [...this.#runs.values()].flat()) await this.#dropCache(run);
  }

  #newRun(
    { workflowId, type, input }: { workflowId: string; type: string; input: Payload },
    firstTaskAtMs: number,
    startedAtMs = this.#options.time.nowMs,
  ): Run {
    const number = (this.#ids += 1);
    return {
      workflowId,
      runId: `run-${number}-${workflowId}`,
      type,
      input,
      startedAtMs,
      seed: this.#options.random.between(1, 2 ** 31),
      firstTaskAtMs,
      closedAs: null,
      tasks: [],
      jobs: [],
      updates: new Map(),
      timers: new Map(),
      activities: new Map(),
      patches: new Set(),
      flags: new Set(),
      task: 'none',
      taskToken: 0,
      cache: null,
      scheduled: [],
      searchAttributes: new Map(),
      result: null,
    };
  }

  #initialize({ workflowId, runId, type, input, startedAtMs, seed }: Run): NonNullable<Job['initializeWorkflow']> {
    return {
      workflowId,
      workflowType: type,
      arguments: [input],
      randomnessSeed: seed as never,
      attempt: 1,
      firstExecutionRunId: runId,
      startTime: msToTs(Math.floor(startedAtMs)),
    };
  }

  #latest(workflowId: string): Run | undefined {
    return this.#runs.get(workflowId)?.at(-1);
  }

  #running(workflowId: string): Run | undefined {
    const run = this.#latest(workflowId);
    return run?.closedAs === null ? run : undefined;
  }

  #trace({ runId }: Run, what: string): void {
    this.#options.trace(`${runId.slice(0, 9)} ${what}`);
  }

  #schedule(run: Run): void {
    if (run.closedAs !== null || run.task !== 'none') return;
    const hasUpdate = [...run.updates.values()].some(({ state }) => state === 'admitted');
    if (run.jobs.length === 0 && !hasUpdate) return;
    run.task = 'scheduled';
    const token = (run.taskToken += 1);
    this.#dispatch((worker) => {
      if (run.closedAs === null && run.task === 'scheduled' && run.taskToken === token) this.#beginTask(run, worker);
    }, run.cache?.worker);
  }

  /** Gives a task to a worker, now or when there is one. */
  #dispatch(begin: (worker: WorkerProcess) => void, preferred?: WorkerProcess): void {
    const { time, random, workers } = this.#options;
    const delayMs = random.chance(this.faults.lateTask) ? random.between(1_000, 20_000) : random.between(0, 6);
    const hand = (): void => {
      const able = workers().filter(({ takesTasks }) => takesTasks);
      if (able.length === 0) return void this.#tasksWithoutWorker.push(hand);
      begin(preferred?.takesTasks === true ? preferred : random.pick(able));
    };
    time.outside(delayMs, hand);
  }

  #beginTask(run: Run, worker: WorkerProcess): void {
    const { time, random, trace } = this.#options;
    run.task = 'started';
    const token = run.taskToken;
    const updates = [...run.updates.values()].filter(({ state }) => state === 'admitted');
    for (const update of updates) update.state = 'sent';
    const jobs = [...run.jobs];
    run.jobs = [];
    const restore = (): void => {
      run.jobs = [...jobs, ...run.jobs];
      for (const update of updates) if (update.state === 'sent') update.state = 'admitted';
    };
    const isCurrent = (): boolean => run.closedAs === null && run.task === 'started' && run.taskToken === token;
    this.#restoreTask.set(run, restore);
    time.outside(TASK_TIMEOUT_MS, () => {
      if (isCurrent()) this.#retryTask(run, `its task ${token} timed out`);
    });
    if (random.chance(this.faults.lostTask)) return trace(`${run.runId.slice(0, 9)} task ${token} lost`);
    runningIn.run(worker, () => {
      void time
        .whileStanding(this.#executeTask(run, { worker, token, jobs, updates, isCurrent }))
        .catch((error: unknown) => {
          this.#options.onTaskFailure(`${run.type} ${String(error instanceof Error ? error.stack : error)}`);
        });
    });
  }

  readonly #restoreTask = new Map<Run, () => void>();

  #retryTask(run: Run, why: string): void {
    this.#trace(run, why);
    this.#restoreTask.get(run)?.();
    run.task = 'none';
    run.taskToken += 1;
    void this.#dropCache(run);
    this.#schedule(run);
  }

  async #dropCache(run: Run): Promise<void> {
    const { cache } = run;
    run.cache = null;
    await cache?.instance.dispose();
  }

  async #executeTask(
    run: Run,
    {
      worker,
      token,
      jobs,
      updates,
      isCurrent,
    }: {
      worker: WorkerProcess;
      token: number;
      jobs: readonly Job[];
      updates: readonly Update[];
      isCurrent: () => boolean;
    },
  ): Promise<void> {
    const { time, random } = this.#options;
    const startedAtMs = time.nowMs;
    const isCached = run.cache?.worker === worker && !random.chance(this.faults.evicted);
    if (!isCached) {
      await this.#dropCache(run);
      const instance = await this.#replay(run);
      run.cache = { worker, instance };
    }
    const { instance } = run.cache as NonNullable<Run['cache']>;
    const work = new TaskWork(run, updates);
    const first = sorted([
      ...jobs,
      ...updates.map(({ id, name, input }) => ({
        doUpdate: {
          id,
          protocolInstanceId: id,
          name,
          input: [...input],
          headers: {},
          meta: { identity: 'api', updateId: id },
          runValidator: true,
        },
      })),
    ]);
    await this.#activate(instance, work, { atMs: startedAtMs, jobs: first });
    if (work.openLocals.size > 0) {
      // The clock goes on while local activities run: the rest of the task is not part of this turn.
      void this.#finishWithLocals(run, { instance, work, token, jobs, isCurrent, worker, startedAtMs });
      return;
    }
    this.#completeLater(run, work, { jobs, isCurrent, startedAtMs });
  }

  #completeLater(
    run: Run,
    work: TaskWork,
    task: { jobs: readonly Job[]; isCurrent: () => boolean; startedAtMs: number },
  ): void {
    const { time, random } = this.#options;
    time.after(random.between(1, 5), () => {
      if (task.isCurrent()) this.#completeTask(run, work, task.jobs);
    });
  }

  /** Runs local activities; each result is an activation of its own. The task is completed when none is left, or after 8 s. */
  async #finishWithLocals(
    run: Run,
    task: {
      instance: Instance;
      work: TaskWork;
      token: number;
      jobs: readonly Job[];
      isCurrent: () => boolean;
      worker: WorkerProcess;
      startedAtMs: number;
    },
  ): Promise<void> {
    const { time } = this.#options;
    const { instance, work, isCurrent, startedAtMs } = task;
    const results: Job[] = [];
    let wake = (): void => undefined;
    const begun = new Set<number>();
    const isOver = (): boolean => !isCurrent() || run.cache?.instance !== instance;
    const cancelHeartbeat = time.after(TASK_HEARTBEAT_MS, () => wake());
    while (work.openLocals.size > 0) {
      for (const [seq, command] of work.openLocals) {
        if (begun.has(seq)) continue;
        begun.add(seq);
        void this.#runLocal(run, command, isOver).then((job) => {
          if (job === null) return;
          results.push(job);
          wake();
        });
      }
      if (results.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (isOver()) return;
      const next = results.splice(0);
      if (next.length === 0) {
        // A heartbeat of the task: what has happened meanwhile comes in the next one. This model begins the local activities again.
        if (time.nowMs - startedAtMs >= TASK_HEARTBEAT_MS)
          return this.#retryTask(run, 'its local activities take too long');
        continue;
      }
      for (const { resolveActivity } of next) work.openLocals.delete(resolveActivity?.seq ?? 0);
      await time.whileStanding(
        this.#activate(instance, work, { atMs: time.nowMs, jobs: next }).catch((error: unknown) =>
          this.#options.onTaskFailure(String(error)),
        ),
      );
      if (isOver()) return;
    }
    cancelHeartbeat();
    this.#completeLater(run, work, task);
  }

  /** Repeats a local activity in its worker until it has a result. @returns null where its task is over */
  async #runLocal(
    run: Run,
    command: NonNullable<Command['scheduleLocalActivity']>,
    isOver: () => boolean,
  ): Promise<Job | null> {
    const { time } = this.#options;
    const { seq, activityId, activityType, arguments: args } = command;
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#options.execute({
        workflowId: run.workflowId,
        workflowType: run.type,
        runId: run.runId,
        activityId: activityId ?? String(seq),
        type: activityType ?? '',
        args: args ?? [],
        attempt,
        heartbeat: () => false,
      });
      if (isOver()) return null;
      if (result.kind === 'completed')
        return { resolveActivity: { seq: seq ?? 0, isLocal: true, result: { completed: { result: result.result } } } };
      const failure = result.kind === 'failed' ? result.failure : {};
      if (failure.applicationFailureInfo?.nonRetryable === true) {
        const wrapped = activityFailure(failure, {
          activityId: activityId ?? '',
          type: activityType ?? '',
          retryState: RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE,
        });
        return { resolveActivity: { seq: seq ?? 0, isLocal: true, result: { failed: { failure: wrapped } } } };
      }
      await time.sleep(
        Math.min(LOCAL_RETRY.maximumMs, LOCAL_RETRY.initialMs * LOCAL_RETRY.coefficient ** (attempt - 1)),
      );
      if (isOver()) return null;
    }
  }

  /** Makes an instance of a run that no cache has, and repeats its activations. */
  async #replay(run: Run): Promise<Instance> {
    const instance = await this.#options.runtime.create({
      workflowId: run.workflowId,
      runId: run.runId,
      workflowType: run.type,
      startedAtMs: run.startedAtMs,
      seed: run.seed,
    });
    const patches: Job[] = [...run.patches].map((patchId) => ({ notifyHasPatch: { patchId } }));
    for (const [index, { atMs, jobs, commands }] of run.tasks.flatMap(({ activations }) => activations).entries()) {
      const repeated = await instance.activate(
        { atMs, jobs: index === 0 ? [...patches, ...jobs] : jobs },
        run.flags,
        true,
      );
      const again = digestOf(repeated);
      if (again !== commands) throw new Error(`replay is not deterministic: ${commands} became ${again}`);
    }
    return instance;
  }

  async #activate(instance: Instance, work: TaskWork, activation: Activation): Promise<void> {
    const commands = await instance.activate(activation, work.run.flags);
    work.add(activation, commands);
    const immediate = work.takeImmediate();
    if (immediate.length > 0) await this.#activate(instance, work, { atMs: activation.atMs, jobs: sorted(immediate) });
  }

  #completeTask(run: Run, work: TaskWork, jobs: readonly Job[]): void {
    const { random } = this.#options;
    const hasNews = run.jobs.length > 0 || [...run.updates.values()].some(({ state }) => state === 'admitted');
    if (work.closes && hasNews && run.jobs.length > 0) {
      const forgets = random.chance(0.5);
      for (const update of work.updates) if (forgets && update.state === 'sent') this.#forget(run, update);
      return this.#retryTask(run, 'its end is refused: there are events that it has not seen (UnhandledCommand)');
    }
    run.task = 'none';
    const kept = this.#answerUpdates(run, work);
    const leavesNothing = jobs.length === 0 && kept.length === 0 && work.commands.length === 0;
    this.#trace(run, `task done: ${describe(jobs, work)}`);
    if (!leavesNothing) {
      for (const command of work.commands) this.#apply(run, command);
      run.jobs = run.jobs.filter(
        ({ resolveActivity }) => resolveActivity == null || !work.canceled.has(resolveActivity.seq ?? 0),
      );
      const rejected = new Set(work.rejected);
      run.tasks.push({
        jobs: [
          ...jobs,
          ...work.activations.flatMap((each) =>
            each.jobs.filter(({ doUpdate }) => doUpdate != null && !rejected.has(doUpdate.id ?? '')),
          ),
        ],
        activations: work.activations.map(({ atMs, jobs: each, commands }) => ({
          atMs,
          jobs: each
            .filter(({ doUpdate }) => doUpdate == null || !rejected.has(doUpdate.id ?? ''))
            .map((job) => (job.doUpdate == null ? job : { doUpdate: { ...job.doUpdate, runValidator: false } })),
          commands: digestOf(
            commands.filter(
              ({ updateResponse }) => updateResponse == null || !rejected.has(updateResponse.protocolInstanceId ?? ''),
            ),
          ),
        })),
        openTimers: [...run.timers.values()],
        openActivities: [...run.activities.values()].map(({ seq, schedule, scheduledAtMs, isCancelRequested }) => ({
          seq,
          schedule,
          scheduledAtMs,
          isCancelRequested,
        })),
        updateIds: kept,
      });
    }
    this.#schedule(run);
  }

  /** @returns the ids of the updates that the history has */
  #answerUpdates(run: Run, work: TaskWork): readonly string[] {
    const accepted: string[] = [];
    for (const { updateResponse } of work.commands) {
      if (updateResponse == null) continue;
      const { protocolInstanceId: id, accepted: acceptance, rejected, completed } = updateResponse;
      const update = run.updates.get(id ?? '');
      if (update === undefined) continue;
      if (acceptance != null) {
        update.state = 'accepted';
        accepted.push(update.id);
      } else if (rejected != null) {
        const isAccepted = update.state === 'accepted';
        if (!isAccepted) work.rejected.push(update.id);
        this.#settle(run, update, { kind: isAccepted ? 'failed' : 'refused', failure: rejected });
      } else if (completed != null) {
        this.#settle(run, update, {
          kind: 'completed',
          result: defaultPayloadConverter.fromPayload(completed),
        });
      }
    }
    return accepted;
  }

  #settle(run: Run, update: Update, outcome: UpdateOutcome): void {
    update.state = 'done';
    update.outcome = outcome;
    // A refused update leaves nothing behind; the same id is a new one.
    if (outcome.kind === 'refused') run.updates.delete(update.id);
    for (const resolve of update.waiting.splice(0)) resolve(outcome);
  }

  #forget(run: Run, update: Update): void {
    this.#trace(run, `update ${update.id} forgotten`);
    run.updates.delete(update.id);
    update.state = 'done';
    for (const resolve of update.waiting.splice(0)) resolve({ kind: 'lost' });
  }

  #apply(run: Run, command: Command): void {
    if (run.closedAs !== null) return;
    if (command.startTimer != null) {
      const { seq, startToFireTimeout } = command.startTimer;
      this.#startTimer(run, { seq: seq ?? 0, atMs: this.#options.time.nowMs + (msOf(startToFireTimeout) ?? 0) });
    } else if (command.cancelTimer != null) run.timers.delete(command.cancelTimer.seq ?? 0);
    else if (command.scheduleActivity != null)
      this.#scheduleActivity(run, command.scheduleActivity.seq ?? 0, command.scheduleActivity);
    else if (command.requestCancelActivity != null) this.#requestCancel(run, command.requestCancelActivity.seq ?? 0);
    else if (command.setPatchMarker != null) run.patches.add(command.setPatchMarker.patchId ?? '');
    else if (command.upsertWorkflowSearchAttributes != null) this.#upsert(run, command.upsertWorkflowSearchAttributes);
    else if (command.completeWorkflowExecution != null) {
      const { result } = command.completeWorkflowExecution;
      this.#close(run, 'completed', result == null ? null : defaultPayloadConverter.fromPayload(result));
    } else if (command.failWorkflowExecution != null)
      this.#close(run, 'failed', command.failWorkflowExecution.failure ?? null);
    else if (command.cancelWorkflowExecution != null) this.#close(run, 'canceled', null);
    else if (command.continueAsNewWorkflowExecution != null)
      this.#options.onTaskFailure(`${run.type} continues as new, which the model does not know`);
  }

  #upsert(run: Run, { searchAttributes }: NonNullable<Command['upsertWorkflowSearchAttributes']>): void {
    const fields =
      (searchAttributes as { indexedFields?: Record<string, Payload> } | null | undefined)?.indexedFields ?? {};
    for (const [name, payload] of Object.entries(fields)) {
      run.searchAttributes.set(
        name,
        payload.data == null || payload.data.length === 0 ? null : JSON.parse(Buffer.from(payload.data).toString()),
      );
    }
  }

  #startTimer(run: Run, timer: OpenTimer): void {
    run.timers.set(timer.seq, timer);
    this.#options.time.outside(timer.atMs - this.#options.time.nowMs, () => {
      if (run.closedAs !== null || run.timers.get(timer.seq) !== timer) return;
      run.timers.delete(timer.seq);
      run.jobs.push({ fireTimer: { seq: timer.seq } });
      this.#schedule(run);
    });
  }

  #scheduleActivity(run: Run, seq: number, schedule: Schedule): void {
    const activity: RunningActivity = {
      seq,
      schedule,
      scheduledAtMs: this.#options.time.nowMs,
      attempt: 1,
      token: 0,
      isStarted: false,
      isCancelRequested: false,
      startedAtMs: 0,
      heartbeatAtMs: 0,
      lastFailure: null,
    };
    run.activities.set(seq, activity);
    run.scheduled.push(schedule.activityType ?? '');
    this.#scheduled.add(`${run.runId} ${schedule.activityId}`);
    const withinMs = msOf(schedule.scheduleToCloseTimeout) ?? 0;
    if (withinMs > 0) {
      this.#options.time.outside(withinMs, () => {
        if (this.#isOpen(run, activity))
          this.#resolveFailed(
            run,
            activity,
            timeoutFailure(TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE, activity.lastFailure),
            RetryState.RETRY_STATE_TIMEOUT,
          );
      });
    }
    this.#dispatchActivity(run, activity);
  }

  #isOpen(run: Run, activity: RunningActivity): boolean {
    return run.closedAs === null && run.activities.get(activity.seq) === activity;
  }

  #dispatchActivity(run: Run, activity: RunningActivity): void {
    const token = (activity.token += 1);
    this.#dispatch((worker) => {
      if (this.#isOpen(run, activity) && activity.token === token) this.#startActivity(run, activity, worker);
    });
  }

  #startActivity(run: Run, activity: RunningActivity, worker: WorkerProcess): void {
    const { time, random } = this.#options;
    const { token, schedule } = activity;
    activity.isStarted = true;
    activity.startedAtMs = time.nowMs;
    activity.heartbeatAtMs = time.nowMs;
    const isCurrent = (): boolean => this.#isOpen(run, activity) && activity.token === token;
    this.#watchTimeouts(run, activity, isCurrent);
    this.#trace(run, `${schedule.activityType} (${activity.seq}) try ${activity.attempt} in ${worker.name}`);
    runningIn.run(worker, () => {
      void this.#options
        .execute({
          workflowId: run.workflowId,
          workflowType: run.type,
          runId: run.runId,
          activityId: schedule.activityId ?? String(activity.seq),
          type: schedule.activityType ?? '',
          args: schedule.arguments ?? [],
          attempt: activity.attempt,
          heartbeat: () => {
            if (!isCurrent()) return true;
            activity.heartbeatAtMs = time.nowMs;
            return activity.isCancelRequested;
          },
        })
        .then((result) => {
          if (random.chance(this.faults.lostCompletion))
            return this.#trace(run, `the completion of ${schedule.activityType} (${activity.seq}) is lost`);
          time.after(random.between(0, 3), () => {
            if (isCurrent()) this.#tryEnded(run, activity, result);
          });
        });
    });
  }

  #watchTimeouts(run: Run, activity: RunningActivity, isCurrent: () => boolean): void {
    const { time } = this.#options;
    const startToCloseMs = msOf(activity.schedule.startToCloseTimeout) ?? Infinity;
    const heartbeatMs = msOf(activity.schedule.heartbeatTimeout) ?? 0;
    const check = (): void => {
      if (!isCurrent()) return;
      const closeAtMs = activity.startedAtMs + startToCloseMs;
      const heartbeatAtMs = heartbeatMs > 0 ? activity.heartbeatAtMs + heartbeatMs : Infinity;
      const dueAtMs = Math.min(closeAtMs, heartbeatAtMs);
      if (time.nowMs < dueAtMs) return void time.outside(dueAtMs - time.nowMs, check);
      const type =
        closeAtMs <= heartbeatAtMs ? TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE : TimeoutType.TIMEOUT_TYPE_HEARTBEAT;
      this.#trace(run, `${activity.schedule.activityType} (${activity.seq}) timed out`);
      this.#tryEnded(run, activity, { kind: 'failed', failure: timeoutFailure(type, null) });
    };
    check();
  }

  #tryEnded(run: Run, activity: RunningActivity, result: TryResult): void {
    activity.isStarted = false;
    activity.token += 1;
    if (result.kind === 'completed') return this.#resolve(run, activity, { completed: { result: result.result } });
    if (result.kind === 'canceled') return this.#resolveCanceled(run, activity);
    const { failure } = result;
    activity.lastFailure = failure;
    if (failure.applicationFailureInfo?.nonRetryable === true)
      return this.#resolveFailed(run, activity, failure, RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE);
    if (activity.isCancelRequested)
      return this.#resolveFailed(run, activity, failure, RetryState.RETRY_STATE_CANCEL_REQUESTED);
    const { retryPolicy, scheduleToCloseTimeout } = activity.schedule;
    const maximum = retryPolicy?.maximumAttempts ?? 0;
    if (maximum > 0 && activity.attempt >= maximum)
      return this.#resolveFailed(run, activity, failure, RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED);
    const initialMs = msOf(retryPolicy?.initialInterval) ?? 1_000;
    const longestMs = msOf(retryPolicy?.maximumInterval) ?? initialMs * 100;
    const backoffMs = Math.min(initialMs * (retryPolicy?.backoffCoefficient ?? 2) ** (activity.attempt - 1), longestMs);
    const pauseMs = msOf(failure.applicationFailureInfo?.nextRetryDelay) ?? backoffMs;
    const withinMs = msOf(scheduleToCloseTimeout) ?? 0;
    const { time } = this.#options;
    if (withinMs > 0 && time.nowMs + pauseMs > activity.scheduledAtMs + withinMs)
      return this.#resolveFailed(run, activity, failure, RetryState.RETRY_STATE_TIMEOUT);
    activity.attempt += 1;
    const { token } = activity;
    time.outside(pauseMs, () => {
      if (this.#isOpen(run, activity) && activity.token === token) this.#dispatchActivity(run, activity);
    });
  }

  #requestCancel(run: Run, seq: number): void {
    const activity = run.activities.get(seq);
    if (activity === undefined) return;
    activity.isCancelRequested = true;
    // One that runs learns of it by its next heartbeat.
    if (!activity.isStarted) this.#resolveCanceled(run, activity);
  }

  #resolveCanceled(run: Run, activity: RunningActivity): void {
    this.#resolve(run, activity, { cancelled: { failure: canceledFailure(activity.schedule) } });
  }

  #resolveFailed(run: Run, activity: RunningActivity, failure: Failure, retryState: number): void {
    const { activityId, activityType } = activity.schedule;
    this.#resolve(run, activity, {
      failed: {
        failure: activityFailure(failure, { activityId: activityId ?? '', type: activityType ?? '', retryState }),
      },
    });
  }

  #resolve(
    run: Run,
    activity: RunningActivity,
    result: NonNullable<NonNullable<Job['resolveActivity']>['result']>,
  ): void {
    run.activities.delete(activity.seq);
    this.#trace(run, `${activity.schedule.activityType} (${activity.seq}) ${Object.keys(result)[0]}`);
    if (
      activity.isCancelRequested &&
      activity.schedule.cancellationType !== ActivityCancellationType.WAIT_CANCELLATION_COMPLETED
    )
      return;
    run.jobs.push({ resolveActivity: { seq: activity.seq, result } });
    this.#schedule(run);
  }

  #close(run: Run, as: Closed, result: unknown): void {
    run.closedAs = as;
    run.result = result;
    run.task = 'none';
    run.timers.clear();
    run.activities.clear();
    this.#trace(run, `closed as ${as}`);
    for (const update of run.updates.values())
      if (update.state !== 'done') this.#settle(run, update, { kind: 'finished' });
    void this.#dropCache(run);
  }
}

/** What one workflow task has led to so far. */
class TaskWork {
  readonly run: Run;
  readonly updates: readonly Update[];
  readonly activations: (Activation & { readonly commands: readonly Command[] })[] = [];
  readonly commands: Command[] = [];
  readonly openLocals = new Map<number, NonNullable<Command['scheduleLocalActivity']>>();
  readonly rejected: string[] = [];
  /** Activities whose cancellation the workflow code knows already: what they still come to is dropped. */
  readonly canceled = new Set<number>();
  closes = false;
  #immediate: Job[] = [];

  constructor(run: Run, updates: readonly Update[]) {
    this.run = run;
    this.updates = updates;
  }

  add(activation: Activation, commands: readonly Command[]): void {
    this.activations.push({ ...activation, commands });
    for (const command of commands) this.#take(command);
  }

  /** Results that the core of the SDK gives at once, in a further activation of the same task. */
  takeImmediate(): Job[] {
    const immediate = this.#immediate;
    this.#immediate = [];
    return immediate;
  }

  #take(command: Command): void {
    const { scheduleLocalActivity, requestCancelLocalActivity, requestCancelActivity } = command;
    if (scheduleLocalActivity != null)
      return void this.openLocals.set(scheduleLocalActivity.seq ?? 0, scheduleLocalActivity);
    if (requestCancelLocalActivity != null) {
      const seq = requestCancelLocalActivity.seq ?? 0;
      const local = this.openLocals.get(seq);
      this.openLocals.delete(seq);
      if (local !== undefined)
        this.#immediate.push({
          resolveActivity: { seq, isLocal: true, result: { cancelled: { failure: canceledFailure(local) } } },
        });
      return;
    }
    if (requestCancelActivity != null) {
      const seq = requestCancelActivity.seq ?? 0;
      const place = this.commands.findIndex(({ scheduleActivity }) => scheduleActivity?.seq === seq);
      const schedule = this.commands[place]?.scheduleActivity ?? this.run.activities.get(seq)?.schedule;
      if (schedule == null) return;
      // Scheduled in the same task: neither command is sent.
      if (place >= 0) this.commands.splice(place, 1);
      else this.commands.push(command);
      if (place < 0 && schedule.cancellationType === ActivityCancellationType.WAIT_CANCELLATION_COMPLETED) return;
      this.canceled.add(seq);
      this.#immediate.push({ resolveActivity: { seq, result: { cancelled: { failure: canceledFailure(schedule) } } } });
      return;
    }
    const { cancelTimer, completeWorkflowExecution, failWorkflowExecution, cancelWorkflowExecution } = command;
    if (cancelTimer != null) {
      const place = this.commands.findIndex(({ startTimer }) => startTimer?.seq === cancelTimer.seq);
      if (place >= 0) return void this.commands.splice(place, 1);
    }
    this.closes ||=
      completeWorkflowExecution != null || failWorkflowExecution != null || cancelWorkflowExecution != null;
    this.commands.push(command);
  }
}

/** In the order in which the core of the SDK gives jobs to workflow code (`variant_ordinal`): signals and updates come before timers and results. */
function sorted(jobs: readonly Job[]): Job[] {
  return jobs
    .map((job, index) => ({ job, index }))
    .sort((a, b) => ordinalOf(a.job) - ordinalOf(b.job) || a.index - b.index)
    .map(({ job }) => job);
}

function ordinalOf({
  initializeWorkflow,
  notifyHasPatch,
  updateRandomSeed,
  signalWorkflow,
  doUpdate,
  resolveActivity,
}: Job): number {
  if (initializeWorkflow != null) return 0;
  if (notifyHasPatch != null) return 1;
  if (updateRandomSeed != null) return 2;
  if (signalWorkflow != null || doUpdate != null) return 3;
  return resolveActivity?.isLocal === true ? 5 : 4;
}

/** Whether commands have answered an accepted update. */
function ends(commands: string, updateId: string): boolean {
  return commands.includes(`update:${updateId}:completed`) || commands.includes(`update:${updateId}:rejected`);
}

/** What replay compares, as Temporal does: the kinds of commands, and what they name. */
function digestOf(commands: readonly Command[]): string {
  return commands.map(commandText).join(' ');
}

function commandText(command: Command): string {
  const {
    startTimer,
    cancelTimer,
    scheduleActivity,
    requestCancelActivity,
    scheduleLocalActivity,
    updateResponse,
    setPatchMarker,
  } = command;
  if (startTimer != null) return `timer:${startTimer.seq}:${msOf(startTimer.startToFireTimeout)}`;
  if (cancelTimer != null) return `cancelTimer:${cancelTimer.seq}`;
  if (scheduleActivity != null) return `${scheduleActivity.activityType}:${scheduleActivity.seq}`;
  if (requestCancelActivity != null) return `cancelActivity:${requestCancelActivity.seq}`;
  if (scheduleLocalActivity != null) return `local:${scheduleLocalActivity.activityType}:${scheduleLocalActivity.seq}`;
  if (setPatchMarker != null) return `patch:${setPatchMarker.patchId}`;
  if (updateResponse != null) {
    const { protocolInstanceId, accepted, rejected } = updateResponse;
    return `update:${protocolInstanceId}:${accepted != null ? 'accepted' : rejected != null ? 'rejected' : 'completed'}`;
  }
  return Object.keys(command)[0] ?? '';
}

function describe(jobs: readonly Job[], { activations, commands }: TaskWork): string {
  const given = activations.flatMap((each) => each.jobs.map(jobText));
  return `[${given.length > 0 ? given.join(' ') : String(jobs.length)}] → ${digestOf(commands)}`;
}

function jobText(job: Job): string {
  const { signalWorkflow, doUpdate, fireTimer, resolveActivity } = job;
  if (signalWorkflow != null) return `signal:${signalWorkflow.signalName}`;
  if (doUpdate != null) return `update:${doUpdate.name}:${doUpdate.id}`;
  if (fireTimer != null) return `fired:${fireTimer.seq}`;
  if (resolveActivity != null) return `result:${resolveActivity.seq}:${Object.keys(resolveActivity.result ?? {})[0]}`;
  return Object.keys(job)[0] ?? '';
}

function activityFailure(
  cause: Failure,
  { activityId, type, retryState }: { activityId: string; type: string; retryState: number },
): Failure {
  return {
    message: 'Activity task failed',
    cause,
    activityFailureInfo: { activityId, activityType: { name: type }, retryState },
  };
}

function canceledFailure({
  activityId,
  activityType,
}: {
  activityId?: string | null;
  activityType?: string | null;
}): Failure {
  return {
    message: 'Activity cancelled',
    cause: { message: 'Activity cancelled', canceledFailureInfo: {} },
    activityFailureInfo: {
      activityId: activityId ?? '',
      activityType: { name: activityType ?? '' },
      retryState: RetryState.RETRY_STATE_CANCEL_REQUESTED,
    },
  };
}

function timeoutFailure(timeoutType: number, cause: Failure | null): Failure {
  return { message: 'activity timeout', timeoutFailureInfo: { timeoutType }, ...(cause === null ? {} : { cause }) };
}
