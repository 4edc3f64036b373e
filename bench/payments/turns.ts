import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { Turn, TurnResult } from '../load/messages.ts';
import { type CpuMs, cpuMsBetween, readCpuMs } from '../measures/cpu.ts';
import type { Side, Sides } from './sides.ts';

/** One turn of one side. */
export interface SideTurn {
  readonly result: TurnResult;
  /** What each of its processes used, in milliseconds; null where that cannot be told. */
  readonly cpuMs: CpuMs | null;
}

/** The turns of both sides with one number of clients; those of one index were made one after the other. */
export interface Pairs {
  readonly clients: number;
  readonly payment: readonly SideTurn[];
  readonly floor: readonly SideTurn[];
}

export interface TurnsOptions {
  readonly clients: readonly number[];
  readonly turns: number;
  readonly turnMs: number;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** For what a turn leaves to be done behind its answers. */
const SETTLE_MS = 0.25 * SECOND_MS;

/** Lets both sides work in turns; which one goes first changes from turn to turn. */
export async function takeTurns(sides: Sides, options: TurnsOptions): Promise<readonly Pairs[]> {
  const { clients, turns, turnMs, signal, report } = options;
  const pairs = clients.map((count) => ({ clients: count, payment: [] as SideTurn[], floor: [] as SideTurn[] }));
  for (let turn = 0; turn < turns; turn += 1) {
    report(`Turn ${turn + 1} of ${turns} …`);
    for (const pair of pairs) {
      const order = [sides.payment, sides.floor];
      for (const side of turn % 2 === 0 ? order : order.toReversed()) {
        signal.throwIfAborted();
        pair[side.name].push(await takeTurn(side, { kind: 'clients', clients: pair.clients, durationMs: turnMs }));
      }
    }
  }
  return pairs;
}

/** @throws Error when something failed: a turn with failures measures something else */
export async function takeTurn(side: Side, turn: Turn): Promise<SideTurn> {
  const before = readCpuMs(side.pids);
  const result = await side.load.run(turn);
  await sleep(SETTLE_MS);
  const cpuMs = cpuMsBetween(before, readCpuMs(side.pids));
  if (result.failed > 0) throw new Error(`${result.failed} of a ${side.name}'s turn failed: ${result.lastFailure}`);
  return { result, cpuMs };
}
