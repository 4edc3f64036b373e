import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { Turn, TurnResult } from '../load/messages.ts';
import { type CpuMs, cpuMsBetween, readCpuMs } from '../measures/cpu.ts';
import type { Subject, Subjects } from './subjects.ts';

/** One turn of one subject. */
export interface SubjectTurn {
  readonly result: TurnResult;
  /** The processor time of each process in milliseconds; null where the system does not report it. */
  readonly cpuMs: CpuMs | null;
  /** The same of the processes that only the other subject needs. */
  readonly besideMs: CpuMs | null;
}

/** The turns of both subjects with one number of clients; turns with the same index ran one after the other. */
export interface Pairs {
  readonly clients: number;
  readonly payment: readonly SubjectTurn[];
  readonly baseline: readonly SubjectTurn[];
}

export interface TurnsOptions {
  readonly clients: readonly number[];
  readonly turns: number;
  readonly turnMs: number;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
  /** Called with the turns so far of one number of clients, when both subjects have had another turn. */
  readonly onTurn: (pair: Pairs) => void;
}

/** Time for the work that a turn leaves behind its responses. */
const SETTLE_MS = 0.25 * SECOND_MS;

/** Runs the subjects alternately; the order changes from turn to turn. */
export async function takeTurns(subjects: Subjects, options: TurnsOptions): Promise<readonly Pairs[]> {
  const { clients, turns, turnMs, signal, report, onTurn } = options;
  const pairs = clients.map((count) => ({
    clients: count,
    payment: [] as SubjectTurn[],
    baseline: [] as SubjectTurn[],
  }));
  for (let turn = 0; turn < turns; turn += 1) {
    report(`Turn ${turn + 1} of ${turns} …`);
    for (const pair of pairs) {
      const order = [subjects.payment, subjects.baseline];
      for (const subject of turn % 2 === 0 ? order : order.toReversed()) {
        signal.throwIfAborted();
        pair[subject.name].push(
          await takeTurn(subject, { kind: 'clients', clients: pair.clients, durationMs: turnMs }),
        );
      }
      onTurn(pair);
      report(lineOf(pair));
    }
  }
  return pairs;
}

/** What the last turns of both subjects gave. */
function lineOf({ clients, payment, baseline }: Pairs): string {
  const rate = (turn: SubjectTurn | undefined): number =>
    turn === undefined ? Number.NaN : (turn.result.done / turn.result.elapsedMs) * SECOND_MS;
  const [one, other] = [rate(payment.at(-1)), rate(baseline.at(-1))];
  return `  ${clients} clients: payments ${one.toFixed(2)} /s, baseline ${other.toFixed(2)} /s, ${(one / other).toFixed(2)} ×`;
}

/** @throws Error when something failed: a turn with failures measures something else */
export async function takeTurn(subject: Subject, turn: Turn): Promise<SubjectTurn> {
  const [before, besideBefore] = [readCpuMs(subject.pids), readCpuMs(subject.besidePids)];
  const result = await subject.load.run(turn);
  await sleep(SETTLE_MS);
  const cpuMs = cpuMsBetween(before, readCpuMs(subject.pids));
  const besideMs = cpuMsBetween(besideBefore, readCpuMs(subject.besidePids));
  if (result.failed > 0) throw new Error(`${result.failed} of a ${subject.name}'s turn failed: ${result.lastFailure}`);
  return { result, cpuMs, besideMs };
}
