import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../domain/backoff.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { UserError } from '../../domain/user-error.ts';
import type { ChildSpec } from './child-spec.ts';
import { userMessageOf } from './explain-error.ts';
import { createLogFile, type LogFile } from './log-file.ts';
import { type ProcessRecord, stopProcess } from './processes.ts';
import { type SpawnedChild, spawnChild, waitUntilReady } from './spawn-child.ts';

/** What a supervised process needs of its supervisor. */
export interface SupervisorContext {
  readonly logDir: string;
  /** Prints a line for the user. */
  readonly report: (line: string) => void;
  /** Resolves when the watchdog watches: nothing is started before. */
  readonly whenWatched: () => Promise<unknown>;
  /** Called when a process has started or ended. */
  readonly onChange: () => void;
  /** Whether the supervisor stops: then nothing is started any more. */
  readonly isStopping: () => boolean;
}

const BACKOFF = { shortestMs: 100, longestMs: 10 * SECOND_MS };
/** A run that lasted so long does not count as failed when it ends. */
const STEADY_AFTER_MS = 30 * SECOND_MS;
/** From then on, failures are no longer reported one by one. */
const FAILURES_UNTIL_SUMMARY = 5;

/** A process that is started again, with backoff, whenever it ends unasked. */
export class SupervisedProcess {
  readonly log: LogFile;
  private readonly spec: ChildSpec;
  private readonly context: SupervisorContext;
  private run: SpawnedChild | undefined;
  /** Resolves with how the latest run ended. */
  private ended: Promise<string> = Promise.resolve('never started');
  private ready: Promise<void> = Promise.resolve();
  private hasStarted = false;
  /** The number of the latest launch, also of one that waits. An earlier one that has not come to its spawn leaves it to that. */
  private latestLaunch = 0;
  /** Whether its end is wanted. */
  private stopping = false;
  private failuresInARow = 0;

  constructor(spec: ChildSpec, context: SupervisorContext) {
    this.spec = spec;
    this.context = context;
    this.log = createLogFile(path.join(context.logDir, `${spec.name}.log`));
  }

  get name(): string {
    return this.spec.name;
  }

  /** The current run; undefined while there is none. */
  get record(): ProcessRecord | undefined {
    return this.run?.record;
  }

  /** Starts it for the first time, once: only later starts are tried again. @throws UserError when it does not get ready */
  async start(): Promise<void> {
    await this.launch();
    this.hasStarted = true;
  }

  /** Drains it and starts it again; resolves when it is ready. @throws Error when it does not get ready; it is then started again */
  async restart(): Promise<void> {
    this.stopping = false;
    const number = this.numberLaunch();
    this.ready = this.drain().then(() => this.launch(number));
    this.ready.catch((error: unknown) => this.onLaunchFailed(number, error));
    await this.ready;
  }

  /** Sends a signal; resolves when the current run has ended. */
  async kill(signalName: NodeJS.Signals): Promise<void> {
    const { ended } = this;
    this.run?.process.kill(signalName);
    await ended;
  }

  /** Resolves when it is ready, also after the starts that are made meanwhile. */
  async whenReady(): Promise<void> {
    for (let ready; ready !== this.ready;) {
      ready = this.ready;
      await ready.catch(() => undefined);
    }
  }

  /** From now on it is not started again. */
  expectEnd(): void {
    this.stopping = true;
  }

  /** Drains it; resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.drain();
  }

  private async drain(): Promise<void> {
    if (this.record === undefined) return;
    await stopProcess(this.record);
    await this.ended;
  }

  private numberLaunch(): number {
    this.latestLaunch += 1;
    return this.latestLaunch;
  }

  private async launch(number = this.numberLaunch()): Promise<void> {
    const { spec, log, context } = this;
    await context.whenWatched();
    await spec.beforeStart?.();
    if (number !== this.latestLaunch) return this.ready;
    if (this.isEndWanted()) throw new UserError('Stopped before everything was started.');
    const offset = log.size();
    const launchedAt = Date.now();
    const run = spawnChild(spec, log);
    this.run = run;
    this.ended = run.ended;
    context.onChange();
    void run.ended.then((how) => this.onEnd(number, how, Date.now() - launchedAt));
    await waitUntilReady(spec, log, run.ended, offset);
  }

  private onEnd(number: number, how: string, ranForMs: number): void {
    this.run = undefined;
    if (!this.context.isStopping()) this.context.onChange();
    // A restart that drains a run has numbered its own launch.
    if (this.stopping || number !== this.latestLaunch) return;
    if (ranForMs > STEADY_AFTER_MS) this.failuresInARow = 0;
    if (this.hasStarted) this.startAgain(how);
  }

  /** Without end, at ever longer intervals. */
  private startAgain(how: string): void {
    this.failuresInARow += 1;
    this.reportFailure(how);
    const number = this.numberLaunch();
    this.ready = sleep(backoffMs(this.failuresInARow, BACKOFF)).then(async () => {
      if (this.isEndWanted() || number !== this.latestLaunch) return;
      await this.launch(number);
      this.context.report(`${this.name} runs again.`);
    });
    this.ready.catch((error: unknown) => this.onLaunchFailed(number, error));
  }

  private onLaunchFailed(number: number, error: unknown): void {
    if (this.run !== undefined || this.isEndWanted()) return;
    const message = userMessageOf(error) ?? String(error);
    if (this.failuresInARow < FAILURES_UNTIL_SUMMARY) this.context.report(message);
    // A process that was spawned is started again by `onEnd`; one that could not be spawned never ends.
    if (number === this.latestLaunch) this.startAgain(message);
  }

  private reportFailure(how: string): void {
    const { report } = this.context;
    if (this.failuresInARow < FAILURES_UNTIL_SUMMARY) report(`${this.name} ended (${how}); starting it again.`);
    if (this.failuresInARow !== FAILURES_UNTIL_SUMMARY) return;
    report(
      `${this.name} ends again and again soon after its start; see ${this.log.file}. Trying again every few seconds.`,
    );
  }

  private isEndWanted(): boolean {
    return this.stopping || this.context.isStopping();
  }
}
