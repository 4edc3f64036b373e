import { type ChildProcess, fork, spawn } from 'node:child_process';
import { closeSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import { createLogFile, type LogFile } from './log-file.ts';
import { type ProcessRecord, processStartedAt, stopProcess } from './processes.ts';
import { DIST_DIR } from './project.ts';
import { UserError } from '../../domain/user-error.ts';
import { sentenceOf } from './explain-error.ts';

/** A process to be kept running. */
export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
  /** Whether it is a Node program that drains when its parent is gone. */
  readonly isNode: boolean;
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  readonly stopWithinMs: number;
  readonly readyWithinMs: number;
  /** Clears away what an earlier run may have left. */
  readonly beforeStart?: () => Promise<void>;
  /** Whether it answers; is given what it has written since its start. */
  readonly isReady: (output: string) => Promise<boolean> | boolean;
  /** What its last words mean to a person; undefined when nothing is known. */
  readonly explain?: (output: string) => string | undefined;
}

export interface Supervisor {
  /** Starts a process and waits until it is ready. @throws SentenceError when it does not come up */
  start(spec: ChildSpec): Promise<void>;
  /** Drains and starts one again; resolves when it is ready. */
  restart(name: string): Promise<void>;
  /** Sends one a signal; when it dies of it, it is started again. Resolves when that process has ended. */
  kill(name: string, signal: NodeJS.Signals): Promise<void>;
  /** Resolves when that one is ready (again). */
  whenReady(name: string): Promise<void>;
  pidOf(name: string): number | undefined;
  /** Drains all, in the reverse of their order. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly dataDir: string;
  /** Names of the processes, from the one that is stopped last to the one that is stopped first. */
  readonly order?: readonly string[];
  /** Takes a line for the person at the keyboard. */
  readonly report: (line: string) => void;
}

interface Child {
  readonly spec: ChildSpec;
  readonly log: LogFile;
  process: ChildProcess | undefined;
  record: ProcessRecord | undefined;
  /** Resolves with how the latest run ended. */
  ended: Promise<string>;
  /** Whether its end is wanted. */
  stopping: boolean;
  failuresInARow: number;
  ready: Promise<void>;
}

const BACKOFF_MS = { first: 100, longest: 10 * SECOND_MS };
const STEADY_AFTER_MS = 30 * SECOND_MS;
const FAILURES_UNTIL_COMPLAINT = 5;
const READY_POLL_MS = 20;
const PRIVATE_FILES = 0o077;
const ROTATE_EVERY_MS = 30 * SECOND_MS;
const EXPLANATION_LINES = 8;

/** Names the file that lists the processes of the stack, for the next start to clean up after a crash. */
export function processesFile(dataDir: string): string {
  return path.join(dataDir, 'processes.json');
}

/** Keeps processes running until `stop`; none of them outlives this process for long, however it ends. */
export function createSupervisor({ dataDir, report, order = [] }: SupervisorOptions): Supervisor {
  const children = new Map<string, Child>();
  const logDir = path.join(dataDir, 'logs');
  mkdirSync(logDir, { recursive: true, mode: 0o700 });
  const guardian = createGuardian();
  const rotation = setInterval(() => children.forEach(({ log }) => log.rotate()), ROTATE_EVERY_MS);
  rotation.unref();
  let stopped = false;

  const inOrder = (): Child[] =>
    [...children.values()].sort((a, b) => order.indexOf(a.spec.name) - order.indexOf(b.spec.name));
  const publish = (): void => {
    const records = inOrder().flatMap(({ record }) => (record === undefined ? [] : [record]));
    guardian.tell(records);
    writeRecords(dataDir, records);
  };

  async function launch(child: Child): Promise<void> {
    const { spec, log } = child;
    await guardian.ready();
    await spec.beforeStart?.();
    if (stopped) throw new UserError('Stopped before everything was started.');
    const offset = log.size();
    const launchedAt = Date.now();
    const { process: started, ended } = spawnChild(spec, log);
    child.process = started;
    child.record = recordOf(spec, started);
    child.ended = ended;
    publish();
    void ended.then((how) => {
      child.process = undefined;
      child.record = undefined;
      if (!stopped) publish();
      if (child.stopping) return;
      if (Date.now() - launchedAt > STEADY_AFTER_MS) child.failuresInARow = 0;
      revive(child, how);
    });
    await untilReady(child, ended, offset);
  }

  /** A first start that fails is the caller's to report; later ones are tried for ever, ever more slowly. */
  function revive(child: Child, how: string): void {
    if (child.failuresInARow < 0) return;
    child.failuresInARow += 1;
    const pauseMs = Math.min(BACKOFF_MS.first * 2 ** (child.failuresInARow - 1), BACKOFF_MS.longest);
    if (child.failuresInARow === FAILURES_UNTIL_COMPLAINT) {
      report(
        `${child.spec.name} keeps ending as soon as it is started; see ${child.log.file}. Trying on every few seconds.`,
      );
    } else if (child.failuresInARow < FAILURES_UNTIL_COMPLAINT) {
      report(`${child.spec.name} ended (${how}); starting it again.`);
    }
    child.ready = sleep(pauseMs).then(async () => {
      if (child.stopping || stopped) return;
      await launch(child);
      report(`${child.spec.name} runs again.`);
    });
    const { ended } = child;
    child.ready.catch((error: unknown) => {
      if (child.process !== undefined || child.stopping || stopped) return;
      const problem = sentenceOf(error) ?? String(error);
      if (child.failuresInARow < FAILURES_UNTIL_COMPLAINT) report(problem);
      // A process that began is revived by its end; one that did not even begin has none.
      if (child.ended === ended) revive(child, problem);
    });
  }

  async function stopChild(child: Child): Promise<void> {
    child.stopping = true;
    if (child.record === undefined) return;
    await stopProcess(child.record);
    await child.ended;
  }

  const childNamed = (name: string): Child => {
    const child = children.get(name);
    if (child === undefined) throw new RangeError(`no process named ${name}`);
    return child;
  };

  return {
    async start(spec) {
      const log = createLogFile(path.join(logDir, `${spec.name}.log`));
      const child: Child = {
        spec,
        log,
        process: undefined,
        record: undefined,
        ended: Promise.resolve('never started'),
        stopping: false,
        failuresInARow: -1,
        ready: Promise.resolve(),
      };
      children.set(spec.name, child);
      await launch(child);
      child.failuresInARow = 0;
    },
    async restart(name) {
      const child = childNamed(name);
      await stopChild(child);
      child.stopping = false;
      child.ready = launch(child);
      await child.ready;
    },
    async kill(name, signalName) {
      const child = childNamed(name);
      const { ended } = child;
      child.process?.kill(signalName);
      await ended;
    },
    async whenReady(name) {
      const child = childNamed(name);
      for (let ready; ready !== child.ready;) {
        ready = child.ready;
        await ready.catch(() => undefined);
      }
    },
    pidOf: (name) => children.get(name)?.record?.pid,
    async stop() {
      stopped = true;
      clearInterval(rotation);
      for (const child of children.values()) child.stopping = true;
      for (const child of inOrder().reverse()) await stopChild(child);
      guardian.tell([]);
      writeRecords(dataDir, []);
      guardian.close();
    },
  };
}

/** The guardian knows them as well, so a disk that is full at the moment must not end the engine. */
function writeRecords(dataDir: string, records: readonly ProcessRecord[]): void {
  const file = processesFile(dataDir);
  try {
    writeFileSync(`${file}.new`, JSON.stringify(records), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    rmSync(`${file}.new`, { force: true });
  }
}

/** The child leads a process group of its own: a Ctrl-C in the terminal reaches this process alone, which drains in order. */
function spawnChild(spec: ChildSpec, log: LogFile): { process: ChildProcess; ended: Promise<string> } {
  const output = log.open();
  // What a process of the stack writes is its owner's alone; the mask is inherited.
  const previousMask = process.umask(PRIVATE_FILES);
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: { ...spec.env },
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    ...(spec.gid === undefined ? {} : { gid: spec.gid }),
    detached: true,
    stdio: spec.isNode ? ['ignore', output, output, 'ipc'] : ['ignore', output, output],
  });
  process.umask(previousMask);
  closeSync(output);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signalName) => resolve(signalName ?? `exit code ${code ?? 'unknown'}`));
  });
  return { process: child, ended };
}

function recordOf(spec: ChildSpec, child: ChildProcess): ProcessRecord | undefined {
  if (child.pid === undefined) return undefined;
  const { name, stopSignal, stopWithinMs, isNode } = spec;
  const startedAt = processStartedAt(child.pid) ?? '';
  return { name, pid: child.pid, startedAt, stopSignal, stopWithinMs, endsWithParent: isNode };
}

async function untilReady({ spec, log }: Child, ended: Promise<string>, offset: number): Promise<void> {
  const deadline = Date.now() + spec.readyWithinMs;
  const fate: { end?: string } = {};
  void ended.then((how) => (fate.end = how));
  while (!(await spec.isReady(log.readFrom(offset)))) {
    const output = log.readFrom(offset);
    if (fate.end !== undefined) throw new UserError(explain(spec, log, output, `ended while it started (${fate.end})`));
    if (Date.now() > deadline) {
      throw new UserError(
        explain(spec, log, output, `did not become ready within ${spec.readyWithinMs / SECOND_MS} s`),
      );
    }
    await sleep(READY_POLL_MS);
  }
}

function explain(spec: ChildSpec, log: LogFile, output: string, what: string): string {
  const known = spec.explain?.(output);
  if (known !== undefined) return known;
  const lastWords = output.trim().split('\n').slice(-EXPLANATION_LINES).join('\n  ');
  return `${spec.name} ${what}. Its log is ${log.file}${lastWords === '' ? '.' : `, and ends with:\n  ${lastWords}`}`;
}

interface Guardian {
  /** Resolves when it watches. */
  ready(): Promise<unknown>;
  tell(records: readonly ProcessRecord[]): void;
  close(): void;
}

function createGuardian(): Guardian {
  let records: readonly ProcessRecord[] = [];
  let closed = false;
  let watching: Promise<unknown>;
  let guardian = start();

  function start(): ChildProcess {
    const child = fork(path.join(DIST_DIR, 'sandbox', 'stack', 'watchdog.js'), {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', () => undefined);
    // Only once it watches may this process end without regard to it.
    watching = Promise.race([once(child, 'message'), once(child, 'exit')]).finally(() => {
      child.unref();
      child.channel?.unref();
    });
    watching.catch(() => undefined);
    child.once('exit', () => {
      if (closed) return;
      guardian = start();
      guardian.send(records, () => undefined);
    });
    return child;
  }

  return {
    ready: () => watching,
    tell(newRecords) {
      records = newRecords;
      if (guardian.connected) guardian.send(records, () => undefined);
    },
    close() {
      closed = true;
      if (guardian.connected) guardian.disconnect();
    },
  };
}
