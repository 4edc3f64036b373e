import { z } from 'zod';

const failureSchema = z.object({ title: z.string(), error: z.string() });

const timeSchema = z.object({ name: z.string(), seconds: z.number(), processorSeconds: z.number() });

const fileSchema = z.object({
  /** Its path below the folder of its suite, without an ending; null for what belongs to no file. */
  file: z.string().nullable(),
  passes: z.number(),
  failed: z.array(failureSchema),
  skipped: z.array(z.string()),
});

/** What the process of a part reports when it is done. */
export const reportSchema = z.object({
  files: z.array(fileSchema),
  /** How long each file took, and what happened between files. */
  fileTimes: z.array(timeSchema),
  /** How long each start of a server took, whether or not in the time of a file. */
  startTimes: z.array(timeSchema),
});

type Failure = z.infer<typeof failureSchema>;
/** How long a file, or the start of a server, took. */
export type Time = z.infer<typeof timeSchema>;
/** What became of the tests of a file. */
export type FileResult = z.infer<typeof fileSchema>;
export type Report = z.infer<typeof reportSchema>;

/** A part that has ended. */
export interface PartResult extends Report {
  readonly name: string;
  readonly suite: string;
  readonly seconds: number;
  /** What a person should do about a trial that failed. */
  readonly advice?: string;
}

/** A file that failed, and passed when it ran once more. */
export interface SecondTry {
  readonly suite: string;
  readonly file: string;
  readonly failed: readonly Failure[];
}

/** More files than this fail because the change is wrong, and not by chance. */
const REPEATED_AT_MOST = 5;
/** Its result depends on the files that ran before it. */
const NEVER_REPEATED = 'without-secrets.slow';

/** The files that failed and may run once more, by suite. None if there are many. */
export function filesToRepeat(results: readonly PartResult[]): ReadonlyMap<string, readonly string[]> {
  const failed = results.flatMap(({ suite, files }) =>
    files.flatMap(({ file, failed }) => (isRepeatable(file) && failed.length > 0 ? [{ suite, file }] : [])),
  );
  if (failed.length > REPEATED_AT_MOST) return new Map();
  const suites = new Map<string, string[]>();
  for (const { suite, file } of failed) suites.set(suite, [...(suites.get(suite) ?? []), file]);
  return suites;
}

function isRepeatable(file: string | null): file is string {
  return file !== null && file !== NEVER_REPEATED;
}

/** The files of the first run, those that ran once more with their second results. */
export function withSecondTries(first: readonly PartResult[], second: readonly PartResult[]): readonly FileResult[] {
  const withoutFile = second.flatMap(({ files }) => files.filter(({ file }) => file === null));
  const repeated = first.flatMap(({ suite, files }) =>
    files.map((result) => (result.failed.length === 0 ? result : (repeatOf(suite, result, second) ?? result))),
  );
  return [...repeated, ...withoutFile];
}

/** Those that failed, and passed when they ran once more. */
export function secondTries(first: readonly PartResult[], second: readonly PartResult[]): readonly SecondTry[] {
  return first.flatMap(({ suite, files }) =>
    files.flatMap((result) => {
      const { file, failed } = result;
      const hasPassed = failed.length > 0 && repeatOf(suite, result, second)?.failed.length === 0;
      return file !== null && hasPassed ? [{ suite, file, failed }] : [];
    }),
  );
}

function repeatOf(suite: string, { file }: FileResult, second: readonly PartResult[]): FileResult | undefined {
  if (file === null) return undefined;
  return second.find((part) => part.suite === suite)?.files.find((result) => result.file === file);
}

/** The line that ends a run: `N passed, N failed`, and how many were skipped, if any were. */
export function describeCounts(files: readonly FileResult[]): string {
  const passes = files.reduce((sum, each) => sum + each.passes, 0);
  const failed = files.flatMap((each) => each.failed).length;
  const skipped = files.flatMap((each) => each.skipped).length;
  return `${passes} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

/** Whether something has passed, and nothing has failed. */
export function isGreen(files: readonly FileResult[]): boolean {
  return files.some(({ passes }) => passes > 0) && files.every(({ failed }) => failed.length === 0);
}
