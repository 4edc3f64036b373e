import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { UserError } from '../../domain/user-error.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { type PartResult, reportSchema, type SecondTry, type Time } from './results.ts';

const FOLDER = 'test-reports';
const TIMES = path.join(FOLDER, 'times.json');
/** A line of JSON for each file that passed when it ran once more. */
export const SECOND_TRIES: string = path.join(FOLDER, 'second-tries.jsonl');

const partSchema = reportSchema
  .pick({ fileTimes: true, startTimes: true })
  .extend({ name: z.string(), seconds: z.number() });

/** Keeps how long everything took in place of what the last run kept. */
export function saveTimes(results: readonly PartResult[]): void {
  mkdirSync(pathOf(FOLDER), { recursive: true });
  const parts = results.map(({ name, seconds, fileTimes, startTimes }) => ({ name, seconds, fileTimes, startTimes }));
  writeFileSync(pathOf(TIMES), `${JSON.stringify(parts, null, 2)}\n`);
}

/** Adds files that passed only when they ran once more, with the titles and errors of their failures. */
export function saveSecondTries(tries: readonly SecondTry[]): void {
  if (tries.length === 0) return;
  mkdirSync(pathOf(FOLDER), { recursive: true });
  const at = new Date().toISOString();
  for (const each of tries) appendFileSync(pathOf(SECOND_TRIES), `${JSON.stringify({ at, ...each })}\n`);
}

/** Of the last run: its parts, files and starts of servers, slowest first. @throws UserError where there was none */
export function describeTimes(): string {
  if (!existsSync(pathOf(TIMES))) throw new UserError('There are no times yet: run some tests first.');
  const parts = z.array(partSchema).parse(JSON.parse(readFileSync(pathOf(TIMES), 'utf8')));
  const inPart = (name: string) => (time: Time) => ({ ...time, name: `${name}: ${time.name}` });
  const files = parts.flatMap(({ name, fileTimes }) => fileTimes.map(inPart(name)));
  const starts = parts.flatMap(({ name, startTimes }) => startTimes.map(inPart(name)));
  return [
    `Parts, with their seconds\n${parts
      .toSorted(slowestFirst)
      .map(({ name, seconds }) => lineOf(seconds, name))
      .join('\n')}`,
    `Files, with their seconds and processor seconds\n${linesOf(files)}`,
    `Starts of servers, with their seconds and processor seconds\n${linesOf(starts)}`,
  ].join('\n\n');
}

function linesOf(times: readonly Time[]): string {
  const lines = times
    .toSorted(slowestFirst)
    .map(({ name, seconds, processorSeconds }) => lineOf(seconds, `${inColumn(processorSeconds)}  ${name}`));
  return lines.join('\n');
}

function slowestFirst(one: { readonly seconds: number }, other: { readonly seconds: number }): number {
  return other.seconds - one.seconds;
}

function lineOf(seconds: number, text: string): string {
  return `${inColumn(seconds)}  ${text}`;
}

function inColumn(seconds: number): string {
  return seconds.toFixed(1).padStart(8);
}

function pathOf(file: string): string {
  return path.join(PROJECT_ROOT, file);
}
