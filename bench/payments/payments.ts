import { SECOND_MS } from '../../domain/time.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { costOf } from './payment-cost.ts';
import { figuresOf } from './figures.ts';
import { startSubjects } from './subjects.ts';
import { takeTurn, takeTurns } from './turns.ts';

const CLIENTS = [1, 8, 32, 64];
const TURNS = 4;
const TURN_SECONDS = 3;
const WARM_UP = { kind: 'clients', clients: 32, durationMs: 8 * SECOND_MS } as const;
const NAMESPACE = 'default';

/** Measures payments over HTTP, alternating with the baseline: the least work that Temporal needs for a payment. */
export async function benchmarkPayments(bench: Bench): Promise<readonly Figure[]> {
  const { startEngine, report, signal, sizes, keep } = bench;
  const stack = await startEngine();
  const subjects = await startSubjects({ stack, namespace: NAMESPACE, signal });
  try {
    report('Warming up …');
    for (const subject of [subjects.payment, subjects.baseline]) await takeTurn(subject, WARM_UP);
    const pairs = await takeTurns(subjects, {
      clients: sizes.clients === undefined ? CLIENTS : [sizes.clients],
      turns: sizes.turns ?? TURNS,
      turnMs: (sizes.seconds ?? TURN_SECONDS) * SECOND_MS,
      signal,
      report,
      onTurn: (pair) => keep(figuresOf(pair)),
    });
    report('Counting what one payment takes …');
    return [...pairs.flatMap(figuresOf), ...(await costOf(stack, subjects, NAMESPACE))];
  } finally {
    await subjects.end();
  }
}
