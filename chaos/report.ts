import type { Problem } from './checks/check.ts';
import { CHECKS } from './checks/all-checks.ts';
import { describeAnswer } from './checks/answers-consistent.ts';
import type { FaultKind } from './faults/fault-kinds.ts';
import type { ChaosOptions } from './options.ts';
import { type ClientTry, isDefinite } from './snapshot/client-try.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** The result of a check. */
export interface Finding {
  readonly check: string;
  readonly problems: readonly Problem[];
}

/** The result of a run. */
export interface ChaosResult {
  readonly seed: number;
  readonly minutes: number;
  readonly payments: number;
  readonly requests: number;
  /** Requests that got no definite answer. */
  readonly unanswered: number;
  /** Counts by HTTP status and code. */
  readonly answers: Readonly<Record<string, number>>;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly intentsByStatus: Readonly<Record<string, number>>;
  /** Attempts in the ledgers, by the simulator or vendor. */
  readonly attemptsByProvider: Readonly<Record<string, number>>;
  /** In MiB, by process. */
  readonly memoryPeaks: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

const SHOWN_INTENTS_PER_CHECK = 5;
const SHOWN_LINES_PER_INTENT = 40;

const MEBIBYTE = 1024 * 1024;

/** The figures of a run. */
export function resultOf(
  {
    payments,
    faults,
    snapshot,
    findings,
  }: Pick<ChaosResult, 'payments' | 'faults' | 'findings'> & { readonly snapshot: Snapshot },
  { seed, minutes }: ChaosOptions,
): ChaosResult {
  const answers = snapshot.tries.map(({ answer }) =>
    answer === null ? 'none' : `${answer.status} ${answer.code ?? ''}`.trim(),
  );
  const peaks = [...snapshot.memoryPeaks].map(([name, bytes]) => [name, Math.round(bytes / MEBIBYTE)]);
  return {
    seed,
    minutes,
    payments,
    requests: snapshot.tries.length,
    unanswered: snapshot.tries.filter(({ answer }) => !isDefinite(answer)).length,
    answers: countsOf(answers),
    faults,
    intentsByStatus: countsOf(snapshot.intents.map(({ status }) => status)),
    // The name of an account begins with the vendor's.
    attemptsByProvider: countsOf(snapshot.ledger.map(({ provider }) => provider.replace(/_.*/, ''))),
    memoryPeaks: Object.fromEntries(peaks) as Record<string, number>,
    findings,
  };
}

/** How often each name occurs, in the order of the names. */
export function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([left], [right]) => left.localeCompare(right)));
}

export function runChecks(snapshot: Snapshot): readonly Finding[] {
  return CHECKS.map((check) => ({ check: check.name, problems: check.find(snapshot) }));
}

export function hasProblems(findings: readonly Finding[]): boolean {
  return findings.some(({ problems }) => problems.length > 0);
}

/** The problems, grouped by intent, with the timeline of each. */
export function describeFindings(findings: readonly Finding[], snapshot: Snapshot, seed: number): string {
  return findings
    .filter(({ problems }) => problems.length > 0)
    .map((finding) => describeFinding(finding, snapshot, seed))
    .join('\n');
}

function describeFinding({ check, problems }: Finding, snapshot: Snapshot, seed: number): string {
  const byIntent = new Map<string | null, string[]>();
  for (const { intentId, what } of problems) byIntent.set(intentId, [...(byIntent.get(intentId) ?? []), what]);
  const shown = [...byIntent]
    .slice(0, SHOWN_INTENTS_PER_CHECK)
    .flatMap(([intentId, whats]) => [
      `  ${intentId ?? 'no single intent'}`,
      ...whats.slice(0, SHOWN_LINES_PER_INTENT).map((what) => `    ! ${what}`),
      ...(intentId === null ? [] : timelineOf(intentId, snapshot).map((line) => `      ${line}`)),
    ]);
  const hidden = byIntent.size - SHOWN_INTENTS_PER_CHECK;
  const rest = hidden > 0 ? [`  … and ${hidden} more`] : [];
  return [`FAILED with seed ${seed}: ${check} (${problems.length} problems)`, ...shown, ...rest].join('\n');
}

/** The timeline of an intent: rows, client requests and operator actions, oldest first. */
function timelineOf(intentId: string, snapshot: Snapshot): readonly string[] {
  const intent = snapshot.intents.find(({ id }) => id === intentId);
  const refundIds = snapshot.refunds.filter((refund) => refund.paymentIntentId === intentId).map(({ id }) => id);
  const workflowIds = [intentId, ...refundIds];
  const timeline = intent?.timeline ?? [];
  const tries = snapshot.tries.filter((each) => each.intentId === intentId);
  const actions = snapshot.operatorActions.filter(({ workflowId }) => workflowIds.includes(workflowId));
  const lines = [
    ...timeline.map(({ at, version, kind, summary }) => `${at} row, version ${version}, ${kind}: ${summary}`),
    ...tries.map((each) => `${each.sentAt} ${describeTry(each)}`),
    ...actions.map(({ at, what, workflowId }) => `${at} ${what} (${workflowId})`),
  ].sort((left, right) => left.localeCompare(right));
  const run = snapshot.workflows.get(intentId);
  return [
    `row ${intent?.status ?? 'missing'}, workflow ${run?.status ?? 'missing'} (${run?.paymentStatus ?? 'no status'})`,
    ...lines.slice(0, SHOWN_LINES_PER_INTENT),
    ...(tries.length === 0 ? ['no client has seen it'] : []),
  ];
}

function describeTry({ client, operation, idempotencyKey, tookMs, answer }: ClientTry): string {
  const outcome = answer === null ? 'no answer' : describeAnswer(answer);
  const key = idempotencyKey === null ? '' : ` [${idempotencyKey.slice(0, 8)}]`;
  return `${client}: ${operation}${key} -> ${outcome} after ${tookMs} ms`;
}

/** The figures of a run and the result of each check, as a table. */
export function resultTable(result: ChaosResult): string {
  const { seed, minutes, payments, requests, unanswered, findings } = result;
  const failed = findings.filter(({ problems }) => problems.length > 0);
  const rows: readonly (readonly [string, string])[] = [
    ['seed, minutes', `${seed}, ${minutes}`],
    ['payments', String(payments)],
    ['requests', `${requests}, of which ${unanswered} got no definite answer`],
    ['answers', listOf(result.answers)],
    ['intents', listOf(result.intentsByStatus)],
    ['attempts', listOf(result.attemptsByProvider)],
    ['faults', listOf(result.faults)],
    ['peak MiB', listOf(result.memoryPeaks)],
    ...findings.map(({ check, problems }): readonly [string, string] => [
      check,
      problems.length === 0 ? 'passed' : `FAILED (${problems.length})`,
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...lines, `${findings.length - failed.length} passed, ${failed.length} failed`].join('\n');
}

function listOf(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
