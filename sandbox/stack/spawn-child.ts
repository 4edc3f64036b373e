import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import { UserError } from '../../domain/user-error.ts';
import type { ChildSpec } from './child-spec.ts';
import type { LogFile } from './log-file.ts';
import { processStartedAt } from './process-start.mjs';
import type { ProcessRecord } from './processes.ts';
import { raisePriority } from './raise-priority.ts';

/** One run of a child. */
export interface SpawnedChild {
  readonly process: ChildProcess;
  /** Undefined when it could not be spawned. */
  readonly record: ProcessRecord | undefined;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
}

const READY_POLL_MS = 20;
const PRIVATE_FILES_MASK = 0o077;
const LINES_OF_LOG_SHOWN = 8;

/** The child leads a process group of its own: Ctrl-C in the terminal reaches this process alone, which drains the others in order. */
export function spawnChild(spec: ChildSpec, log: LogFile): SpawnedChild {
  const output = log.open();
  // What a process of the stack writes is readable by its owner only; the child inherits the mask.
  const previousMask = process.umask(PRIVATE_FILES_MASK);
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: { ...spec.env },
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    ...(spec.gid === undefined ? {} : { gid: spec.gid }),
    detached: true,
    stdio: spec.isNode ? ['ignore', output, output, 'ipc'] : ['ignore', output, output],
  });
  process.umask(previousMask);
  if (spec.isUrgent === true && child.pid !== undefined) raisePriority(child.pid);
  closeSync(output);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signalName) => resolve(signalName ?? `exit code ${code ?? 'unknown'}`));
  });
  return { process: child, record: recordOf(spec, child), ended };
}

function recordOf(spec: ChildSpec, child: ChildProcess): ProcessRecord | undefined {
  if (child.pid === undefined) return undefined;
  const { name, stopSignal, stopWithinMs, isNode } = spec;
  const startedAt = processStartedAt(child.pid) ?? '';
  return { name, pid: child.pid, startedAt, stopSignal, stopWithinMs, endsWithParent: isNode };
}

/**
 * Waits until a child is ready.
 * @param ended resolves with how it ended
 * @param offset where its output begins in the log, in bytes
 * @throws UserError when it ends before, or takes too long
 */
export async function waitUntilReady(
  spec: ChildSpec,
  log: LogFile,
  ended: Promise<string>,
  offset: number,
): Promise<void> {
  const deadline = Date.now() + spec.readyWithinMs;
  let howItEnded: string | undefined;
  void ended.then((how) => {
    howItEnded = how;
  });
  const hasEnded = (): string | undefined => howItEnded;
  while (!(await spec.isReady(log.readFrom(offset)))) {
    const output = log.readFrom(offset);
    const how = hasEnded();
    if (how !== undefined) throw new UserError(explain(spec, log, output, `ended while it started (${how})`));
    if (Date.now() > deadline) {
      const seconds = spec.readyWithinMs / SECOND_MS;
      throw new UserError(explain(spec, log, output, `did not become ready within ${seconds} s`));
    }
    await sleep(READY_POLL_MS);
  }
}

function explain(spec: ChildSpec, log: LogFile, output: string, whatHappened: string): string {
  const known = spec.explain?.(output);
  if (known !== undefined) return known;
  const end = output.trim().split('\n').slice(-LINES_OF_LOG_SHOWN).join('\n  ');
  return `${spec.name} ${whatHappened}. Its log is ${log.file}${end === '' ? '.' : `, and ends with:\n  ${end}`}`;
}
