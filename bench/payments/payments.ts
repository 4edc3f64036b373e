import { SECOND_MS } from '../../domain/time.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { anatomyOf } from './anatomy.ts';
import { figuresOf } from './figures.ts';
import { startSides } from './sides.ts';
import { takeTurn, takeTurns } from './turns.ts';

const CLIENTS = [1, 8, 32, 64];
const TURNS = 4;
const TURN_SECONDS = 3;
const WARM_UP = { kind: 'clients', clients: 32, durationMs: 8 * SECOND_MS } as const;
const NAMESPACE = 'default';
/** Known to the floor as well, which calls the simulator by itself. */
const SIMULATOR_API_KEY = 'sk_simulator_of_a_benchmark';

/** Payments over HTTP, and in turns with them the floor: what Temporal itself takes for the least of payments. */
export async function benchmarkPayments(bench: Bench): Promise<readonly Figure[]> {
  const { startEngine, report, signal, sizes } = bench;
  const stack = await startEngine({ SIMULATOR_API_KEY });
  const sides = await startSides({ stack, namespace: NAMESPACE, simulatorApiKey: SIMULATOR_API_KEY, signal });
  try {
    report('Warming up …');
    for (const side of [sides.payment, sides.floor]) await takeTurn(side, WARM_UP);
    const pairs = await takeTurns(sides, {
      clients: sizes.clients === undefined ? CLIENTS : [sizes.clients],
      turns: sizes.turns ?? TURNS,
      turnMs: (sizes.seconds ?? TURN_SECONDS) * SECOND_MS,
      signal,
      report,
    });
    report('Counting what one payment takes …');
    return [...pairs.flatMap(figuresOf), ...(await anatomyOf(stack, sides, NAMESPACE))];
  } finally {
    await sides.end();
  }
}
