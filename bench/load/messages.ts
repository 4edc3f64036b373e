import { z } from 'zod';

/** One turn of load: clients in a closed loop, or arrivals at a fixed rate (open loop). */
export type Turn =
  | { readonly kind: 'clients'; readonly clients: number; readonly durationMs: number }
  /** Arrivals are a Poisson process: they do not wait for one another. */
  | { readonly kind: 'arrivals'; readonly perSecond: number; readonly durationMs: number };

const turnResultSchema = z.object({
  /** From the start of the first work to the end of the last. */
  elapsedMs: z.number(),
  done: z.number(),
  failed: z.number(),
  lastFailure: z.string().nullable(),
  /** The id that the last finished work returned. */
  lastId: z.string().nullable(),
  /** Times of each step in milliseconds, by its name; in an open loop the first step counts from the arrival. */
  steps: z.record(z.string(), z.array(z.number())),
});
/** The result of one turn. */
export type TurnResult = z.infer<typeof turnResultSchema>;

/** A message from a load process to its parent. */
export const loadAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('result'), result: turnResultSchema }),
]);
export type LoadAnswer = z.infer<typeof loadAnswerSchema>;

/** A message from the parent to a load process. */
export type LoadRequest =
  | { readonly kind: 'begin'; readonly settings: object }
  | { readonly kind: 'turn'; readonly turn: Turn };
