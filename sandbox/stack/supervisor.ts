import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { SECOND_MS } from '../../domain/time.ts';
import type { ChildSpec } from './child-spec.ts';
import { writeProcessRecords } from './process-records.ts';
import { startWatchdog } from './start-watchdog.ts';
import { SupervisedProcess, type SupervisorContext } from './supervised-process.ts';

export interface Supervisor {
  /** Starts a process and waits until it is ready. @throws UserError when it does not get ready */
  start(spec: ChildSpec): Promise<void>;
  /** Drains one and starts it again; resolves when it is ready. */
  restart(name: string): Promise<void>;
  /** Sends a signal to one; if it ends, it is started again. Resolves when that run has ended. */
  kill(name: string, signal: NodeJS.Signals): Promise<void>;
  /** Drains one, which is not started again. */
  end(name: string): Promise<void>;
  /** From now on that one is not started again when it ends. */
  expectEnd(name: string): void;
  /** Resolves when that one is ready (again). */
  whenReady(name: string): Promise<void>;
  pidOf(name: string): number | undefined;
  /** Drains all, in the reverse of their order. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly dataDir: string;
  /** Names of the processes, from the one that is stopped last to the one that is stopped first. Others are stopped before. */
  readonly order?: readonly string[];
  /** Prints a line for the user. */
  readonly report: (line: string) => void;
}

const ROTATE_EVERY_MS = 30 * SECOND_MS;

/**
 * Keeps processes running until `stop`; none of them outlives this process for long, however this one ends. That is why no library
 * (execa, concurrently) does it: theirs end children only when the parent ends by itself, not when it gets SIGKILL.
 */
export function createSupervisor({ dataDir, report, order = [] }: SupervisorOptions): Supervisor {
  const processes = new Map<string, SupervisedProcess>();
  const logDir = path.join(dataDir, 'logs');
  mkdirSync(logDir, { recursive: true, mode: 0o700 });
  const watchdog = startWatchdog();
  const rotation = setInterval(() => processes.forEach(({ log }) => log.rotate()), ROTATE_EVERY_MS);
  rotation.unref();
  let stopping = false;

  const placeOf = ({ name }: SupervisedProcess): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const inOrder = (): SupervisedProcess[] => [...processes.values()].sort((a, b) => placeOf(a) - placeOf(b));
  const recordProcesses = (): void => {
    const records = inOrder().flatMap(({ record }) => (record === undefined ? [] : [record]));
    watchdog.watch(records);
    writeProcessRecords(dataDir, records);
  };
  const processNamed = (name: string): SupervisedProcess => {
    const found = processes.get(name);
    if (found === undefined) throw new RangeError(`no process named ${name}`);
    return found;
  };
  const context: SupervisorContext = {
    logDir,
    report,
    whenWatched: () => watchdog.ready(),
    onChange: recordProcesses,
    isStopping: () => stopping,
  };

  return {
    async start(spec) {
      const started = new SupervisedProcess(spec, context);
      processes.set(spec.name, started);
      await started.start();
    },
    restart: async (name) => processNamed(name).restart(),
    kill: async (name, signalName) => processNamed(name).kill(signalName),
    end: async (name) => processNamed(name).stop(),
    expectEnd: (name) => processNamed(name).expectEnd(),
    whenReady: async (name) => processNamed(name).whenReady(),
    pidOf: (name) => processes.get(name)?.record?.pid,
    async stop() {
      stopping = true;
      clearInterval(rotation);
      for (const each of processes.values()) each.expectEnd();
      for (const each of inOrder().reverse()) await each.stop();
      watchdog.watch([]);
      writeProcessRecords(dataDir, []);
      watchdog.close();
    },
  };
}
