import type { IncomingMessage } from 'node:http';
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

/**
 * Reads a header by its lower-case name; several values are joined by commas. Of several Authorization headers Node keeps the first in
 * `headers`, although something before the engine may have acted on another one.
 */
export function headerOf(request: IncomingMessage): AuthenticationInput['header'] {
  return (name) => {
    const value = name === 'authorization' ? request.headersDistinct[name] : request.headers[name];
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  };
}
