import { z } from 'zod';

/** What a process with many clients is to open: a socket for each secret. */
export const clientsOrderSchema = z.object({ url: z.string(), secrets: z.array(z.string()) });
export type ClientsOrder = z.infer<typeof clientsOrderSchema>;

/** `open` once all are subscribed, then each event's time on the way; `closed` for a socket that was lost. */
export const clientsMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('event'), latencyMs: z.number() }),
  z.object({ kind: z.literal('closed'), code: z.number() }),
]);
export type ClientsMessage = z.infer<typeof clientsMessageSchema>;
