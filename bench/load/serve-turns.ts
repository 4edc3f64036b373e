import { z } from 'zod';
import type { LoadAnswer } from './messages.ts';
import { runTurn, type Work } from './run-turn.ts';

const durationMs = z.number().positive();
const requestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), settings: z.unknown() }),
  z.object({
    kind: z.literal('turn'),
    turn: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('clients'), clients: z.int().positive(), durationMs }),
      z.object({ kind: z.literal('arrivals'), perSecond: z.number().positive(), durationMs }),
    ]),
  }),
]);

/**
 * Makes this process a load process: it runs the turns that its parent requests, and ends with its parent.
 * @param prepare creates the work to repeat; null where this process only runs a server or worker
 */
export function serveTurns<Schema extends z.ZodType>(
  settingsSchema: Schema,
  prepare: (settings: z.output<Schema>) => Promise<Work | null> | Work,
): void {
  let work: Work | null = null;
  const handle = async (message: unknown): Promise<LoadAnswer> => {
    const order = requestSchema.parse(message);
    if (order.kind === 'begin') {
      work = await prepare(settingsSchema.parse(order.settings));
      return { kind: 'ready' };
    }
    if (work === null) throw new Error('this process makes no load');
    return { kind: 'result', result: await runTurn(work, order.turn) };
  };
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    handle(message).then(
      (answer) => process.send?.(answer),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
