import { z } from 'zod';

/** One turn of load: as many clients as one likes, each beginning anew when it is done, or arrivals at a fixed rate. */
export type Turn =
  | { readonly kind: 'clients'; readonly clients: number; readonly durationMs: number }
  /** Arrivals do not wait for one another; the pauses between them are exponential. */
  | { readonly kind: 'arrivals'; readonly perSecond: number; readonly durationMs: number };

const turnResultSchema = z.object({
  /** From the first beginning to the last end. */
  elapsedMs: z.number(),
  done: z.number(),
  failed: z.number(),
  lastFailure: z.string().nullable(),
  /** Names the last one that was done. */
  lastId: z.string().nullable(),
  /** Times of each step in milliseconds, by its name; with arrivals the first one counts from the arrival. */
  steps: z.record(z.string(), z.array(z.number())),
});
/** What became of one turn. */
export type TurnResult = z.infer<typeof turnResultSchema>;

/** From a process that makes load to the one that started it. */
export const loadAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('result'), result: turnResultSchema }),
]);
export type LoadAnswer = z.infer<typeof loadAnswerSchema>;

/** The other way. */
export type LoadRequest =
  { readonly kind: 'begin'; readonly settings: object } | { readonly kind: 'turn'; readonly turn: Turn };
