import { SECOND_MS } from '../domain/time.ts';

export interface GatewayLimits {
  /** Sockets of this process, subscribed or not. */
  readonly maximumConnections: number;
  /** Of one IPv4 address, or one /64 network in IPv6. */
  readonly maximumConnectionsPerAddress: number;
  readonly maximumSubscribersPerIntent: number;
  readonly maximumSubscribersPerAccount: number;
  /** Longest frame, and longest message, that a client may send. */
  readonly maximumFrameBytes: number;
  /** Most frames that a message may come in. */
  readonly maximumFragments: number;
  /** Unsent bytes for a client that does not read. */
  readonly maximumUnsentBytes: number;
  /** Pages of missed events that are read at once, of all accounts and of one. */
  readonly replays: { readonly atOnce: number; readonly ofOne: number };
  /** How long the turn of a page lasts at least, so that an account that missed very many events leaves time to the others. */
  readonly replayTurnMs: number;
  /** Events that may wait while a client's missed events are read. */
  readonly maximumWaitingEvents: number;
  /** Time for the first frame. */
  readonly subscribeWithinMs: number;
  /** After this time without a frame, a client that has signed its request is subscribed from then on. */
  readonly subscribeSignedAfterMs: number;
  /** How often keys and accounts of open sockets are checked for revocation. */
  readonly checkRevocationsEveryMs: number;
  readonly pingEveryMs: number;
  /** Time for the closing handshake before the connection is cut. */
  readonly closeWithinMs: number;
}

export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = {
  maximumConnections: 10_000,
  maximumConnectionsPerAddress: 1_000,
  maximumSubscribersPerIntent: 50,
  maximumSubscribersPerAccount: 100,
  maximumFrameBytes: 4_096,
  maximumFragments: 64,
  maximumUnsentBytes: 1_048_576,
  replays: { atOnce: 4, ofOne: 1 },
  replayTurnMs: 100,
  maximumWaitingEvents: 1_000,
  subscribeWithinMs: 10 * SECOND_MS,
  subscribeSignedAfterMs: 2 * SECOND_MS,
  checkRevocationsEveryMs: 750,
  pingEveryMs: 30 * SECOND_MS,
  closeWithinMs: 3 * SECOND_MS,
};
