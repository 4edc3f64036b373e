import type { Transport } from '../transport.ts';

/** The parts of a request that authenticate its sender. */
export interface AuthenticationInput {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** The value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly rawBody: Buffer;
  /** The client's address. */
  readonly address: () => string;
  /** Called only for production keys. */
  readonly transport: () => Transport;
  readonly nowMs: number;
}
