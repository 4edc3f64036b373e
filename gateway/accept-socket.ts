import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { SocketPrincipal } from './socket-authentication.ts';
import { type Connection, createConnection } from './connection.ts';
import { parseResumeFrame, parseSubscribeFrame } from './frames.ts';
import { type RejectionOptions, rejectSubscription } from './rejection.ts';
import { subscribeToAccount } from './account-subscription.ts';
import { type SubscribeDependencies, subscribeToIntent } from './intent-subscription.ts';

export interface AcceptOptions extends RejectionOptions {
  readonly subscriptions: SubscribeDependencies;
  readonly logger: Logger;
}

/** The parts of a page's request that are needed later; the request itself is large. */
export interface PageClient {
  /** Where the client is. */
  readonly address: string;
  /** Whether its origin may open sockets. */
  readonly isAllowed: boolean;
}

/** Accepts the socket of a page, which has yet to send its client secret. */
export function acceptPage(options: AcceptOptions, socket: WebSocket, { address, isAllowed }: PageClient): Connection {
  const { subscriptions, logger } = options;
  const { limits } = subscriptions;
  return createConnection({
    socket,
    limits,
    logger,
    parse: parseSubscribeFrame,
    firstFrame: { afterMs: limits.subscribeWithinMs, defaultFrame: null },
    async onSubscribe(connection, frame) {
      // Rejected here and not in the handshake, whose response pages cannot read.
      if (!isAllowed) return rejectSubscription(options, address, connection, 'forbidden');
      const isKnown = await subscribeToIntent(subscriptions, connection, frame);
      if (!isKnown) await rejectSubscription(options, address, connection, 'notAuthenticated');
    },
  });
}

/** Accepts the socket of a merchant whose request was signed. */
export function acceptMerchant(options: AcceptOptions, socket: WebSocket, principal: SocketPrincipal): Connection {
  const { subscriptions, logger } = options;
  const { limits } = subscriptions;
  return createConnection({
    socket,
    limits,
    logger,
    parse: parseResumeFrame,
    firstFrame: { afterMs: limits.subscribeSignedAfterMs, defaultFrame: { type: 'subscribe' as const } },
    onSubscribe: (connection, frame) =>
      subscribeToAccount(subscriptions, connection, principal.merchantAccountId, frame),
  });
}
