import { z } from 'zod';

/** The sockets that a client process opens: one for each client secret. */
export const clientsOrderSchema = z.object({ url: z.string(), secrets: z.array(z.string()) });
export type ClientsOrder = z.infer<typeof clientsOrderSchema>;

/** `open` once all are subscribed, then the latency of each event; `closed` for a lost socket. */
export const clientsMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('event'), latencyMs: z.number() }),
  z.object({ kind: z.literal('closed'), code: z.number() }),
]);
export type ClientsMessage = z.infer<typeof clientsMessageSchema>;
