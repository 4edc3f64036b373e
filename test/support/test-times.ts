import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { SECOND_MS } from '../../domain/time.ts';
import type { Time } from '../../scripts/tests/results.ts';

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** In `/proc/<pid>/stat`, after the name of the program: user and system time, of the process and of its ended children. */
const PARENT_FIELD = 1;
const TIME_FIELDS = [11, 12, 13, 14];

const starts: Time[] = [];

/** Each start of a server in this process, so far. */
export function startTimes(): readonly Time[] {
  return starts;
}

/** Starts something, and keeps how long that took. @param name for example `engine` */
export async function timeStart<Started>(name: string, start: () => Promise<Started>): Promise<Started> {
  const stop = startWatch();
  try {
    return await start();
  } finally {
    starts.push(stop(name));
  }
}

/**
 * Begins to measure; the answer ends it. Processor time is that of this process and of all that it started, or only of this process where
 * there is no `/proc`.
 */
export function startWatch(): (name: string) => Time {
  const startedAt = performance.now();
  const processorBefore = processorSeconds();
  return (name) => ({
    name,
    seconds: rounded((performance.now() - startedAt) / SECOND_MS),
    processorSeconds: rounded(processorSeconds() - processorBefore),
  });
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

function processorSeconds(): number {
  try {
    return secondsOfTree();
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
}

interface ProcessTime {
  readonly parent: number;
  readonly seconds: number;
}

/** The time of this process and of its descendants that are alive. That of ended ones is counted with their parents. */
function secondsOfTree(): number {
  const all = new Map(processIds().flatMap((pid) => readTime(pid)));
  const isOurs = (pid: number): boolean => pid === process.pid || (all.has(pid) && isOurs(all.get(pid)?.parent ?? 0));
  return [...all].reduce((sum, [pid, { seconds }]) => sum + (isOurs(pid) ? seconds : 0), 0);
}

function processIds(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** Nothing of a process that has ended meanwhile. */
function readTime(pid: number): [number, ProcessTime][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = TIME_FIELDS.reduce((sum, field) => sum + (fields[field] ?? 0), 0);
    return [[pid, { parent: fields[PARENT_FIELD] ?? 0, seconds: ticks / TICKS_PER_SECOND }]];
  } catch {
    return [];
  }
}
