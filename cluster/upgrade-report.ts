import { countsOf } from '../chaos/report.ts';
import { type ClientTry, isDefinite } from '../chaos/snapshot/client-try.ts';
import type { Snapshot } from '../chaos/snapshot/snapshot.ts';
import type { VersionedRun } from './run-versions.ts';

type Phase = 'before' | 'during' | 'after';

/** What was done to the engine, and when. */
export interface UpgradeStep {
  readonly what: string;
  /** Of both releases' processes, those of the earlier one run before and during the upgrade. */
  readonly phase: Phase;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly tookMs: number;
}

/** A payment that was open when the upgrade began. */
export interface OpenedPayment {
  readonly id: string;
  /** The title of what was to become of it. */
  readonly scenario: string;
  /** Why the rest was refused; null where it was not. */
  readonly problem: string | null;
}

export interface UpgradeRecord {
  readonly steps: readonly UpgradeStep[];
  readonly opened: readonly OpenedPayment[];
  readonly runs: readonly VersionedRun[];
  /** The version of the workflow code of the earlier release. */
  readonly earlierBuildId: string;
}

type Counts = Readonly<Record<string, number>>;

/** The figures of an upgrade. */
export interface UpgradeResult {
  readonly steps: readonly StepResult[];
  /** By when they were created. */
  readonly payments: Counts;
  /** Payments by the versions of their first and their latest run. */
  readonly versions: Counts;
  /** The payments that were open when the upgrade began, by kind and status. */
  readonly opened: Counts;
  readonly problems: readonly string[];
}

interface StepResult {
  readonly what: string;
  /** From the beginning of the first step. */
  readonly atSeconds: number;
  readonly tookSeconds: number;
  /** Those sent between its beginning and that of the next step. */
  readonly requests: number;
  /** Of these, how many got no definite answer, such as 503 or none. */
  readonly unanswered: number;
  /** Of these, how many were repeated with their key, how many the first repeat answered, and how many got an answer in the end. */
  readonly repeated: number;
  readonly answeredByFirstRepeat: number;
  readonly answeredInTheEnd: number;
}

export function upgradeResult(
  { steps, opened, runs, earlierBuildId }: UpgradeRecord,
  snapshot: Snapshot,
): UpgradeResult {
  const beganAtMs = steps[0]?.startedAtMs ?? 0;
  const statusOf = new Map(snapshot.intents.map(({ id, status }) => [id, status]));
  return {
    steps: steps.map(({ what, startedAtMs, tookMs }, index) => ({
      what,
      atSeconds: seconds(startedAtMs - beganAtMs),
      tookSeconds: seconds(tookMs),
      ...answersBetween(snapshot.tries, startedAtMs, steps[index + 1]?.startedAtMs ?? Infinity),
    })),
    payments: paymentsByTime(steps, snapshot),
    versions: countsOf(versionsOfPayments(runs, earlierBuildId)),
    opened: countsOf(opened.map(({ id, scenario }) => `${scenario}: ${statusOf.get(id) ?? 'missing'}`)),
    problems: opened.flatMap(({ id, scenario, problem }) =>
      problem === null ? [] : [`${id} (${scenario}): ${problem}`],
    ),
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function answersBetween(tries: readonly ClientTry[], fromMs: number, toMs: number) {
  const isWithin = ({ sentAt }: ClientTry): boolean => Date.parse(sentAt) >= fromMs && Date.parse(sentAt) < toMs;
  const byKey = new Map<string, ClientTry[]>();
  for (const each of tries) {
    if (each.idempotencyKey !== null) byKey.set(each.idempotencyKey, [...(byKey.get(each.idempotencyKey) ?? []), each]);
  }
  const repeated = [...byKey.values()].filter(
    ([first, second]) => first !== undefined && second !== undefined && isWithin(first) && !isDefinite(first.answer),
  );
  const sent = tries.filter(isWithin);
  return {
    requests: sent.length,
    unanswered: sent.filter(({ answer }) => !isDefinite(answer)).length,
    repeated: repeated.length,
    answeredByFirstRepeat: repeated.filter(([, second]) => isDefinite(second?.answer ?? null)).length,
    answeredInTheEnd: repeated.filter((each) => each.some(({ answer }) => isDefinite(answer))).length,
  };
}

function paymentsByTime(steps: readonly UpgradeStep[], { intents }: Snapshot): Counts {
  const upgrading = steps.filter(({ phase }) => phase === 'during');
  const fromMs = Math.min(...upgrading.map(({ startedAtMs }) => startedAtMs));
  const toMs = Math.max(...upgrading.map(({ startedAtMs, tookMs }) => startedAtMs + tookMs));
  const created = intents.map(({ timeline }) => Date.parse(timeline[0]?.at ?? ''));
  return {
    before: created.filter((atMs) => atMs < fromMs).length,
    during: created.filter((atMs) => atMs >= fromMs && atMs < toMs).length,
    after: created.filter((atMs) => atMs >= toMs).length,
  };
}

function versionsOfPayments(runs: readonly VersionedRun[], earlierBuildId: string): readonly string[] {
  const byPayment = new Map<string, VersionedRun[]>();
  for (const run of runs.filter(({ workflowId }) => workflowId.startsWith('pi_'))) {
    byPayment.set(run.workflowId, [...(byPayment.get(run.workflowId) ?? []), run]);
  }
  const nameOf = (run: VersionedRun | undefined): string => (run?.buildId === earlierBuildId ? 'old' : 'new');
  return [...byPayment.values()].map((each) => {
    const inOrder = each.toSorted((left, right) => left.startedAtMs - right.startedAtMs);
    return `began on ${nameOf(inOrder[0])}, ended on ${nameOf(inOrder.at(-1))}`;
  });
}

/** The figures as a table for each of steps, payments and versions. */
export function upgradeTable({ steps, payments, versions, opened, problems }: UpgradeResult): string {
  const width = Math.max(...steps.map(({ what }) => what.length));
  const header = `${'step'.padEnd(width)}      at    took  requests  no definite answer  repeated  answered then  in the end`;
  const lines = steps.map(
    ({ what, atSeconds, tookSeconds, requests, unanswered, repeated, answeredByFirstRepeat, answeredInTheEnd }) =>
      [
        what.padEnd(width),
        cell(atSeconds.toFixed(1), 8),
        cell(tookSeconds.toFixed(1), 8),
        cell(requests, 10),
        cell(unanswered, 20),
        cell(repeated, 10),
        cell(answeredByFirstRepeat, 15),
        cell(answeredInTheEnd, 12),
      ].join(''),
  );
  return [
    header,
    ...lines,
    `payments created: ${listOf(payments)}`,
    `versions of payments: ${listOf(versions)}`,
    `opened before: ${listOf(opened)}`,
    ...problems.map((problem) => `refused: ${problem}`),
  ].join('\n');
}

function cell(value: string | number, width: number): string {
  return String(value).padStart(width);
}

function listOf(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
