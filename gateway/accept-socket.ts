import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { SocketPrincipal } from './socket-authentication.ts';
import { type Connection, createConnection } from './connection.ts';
import { parseResumeFrame, parseSubscribeFrame } from './frames.ts';
import { type RejectionOptions, rejectSubscription } from './rejection.ts';
import { subscribeToAccount } from './account-subscription.ts';
import { type SubscribeDependencies, subscribeToIntent } from './intent-subscription.ts';

export interface AcceptOptions extends RejectionOptions {
  readonly subscribing: SubscribeDependencies;
  readonly logger: Logger;
}

/** What is kept of a page's request, which itself would be large. */
export interface PageClient {
  /** Where the client is. */
  readonly address: string;
  /** Whether pages of its origin may have sockets. */
  readonly isAllowed: boolean;
}

/** Takes charge of the socket of a page, which has yet to send its client secret. */
export function acceptPage(options: AcceptOptions, socket: WebSocket, { address, isAllowed }: PageClient): Connection {
  const { subscribing, logger } = options;
  const { limits } = subscribing;
  return createConnection({
    socket,
    limits,
    logger,
    parse: parseSubscribeFrame,
    firstFrame: { afterMs: limits.subscribeWithinMs, defaultFrame: null },
    async onSubscribe(connection, frame) {
      // Said here and not in the handshake, of which pages learn nothing.
      if (!isAllowed) return rejectSubscription(options, address, connection, 'forbidden');
      const isKnown = await subscribeToIntent(subscribing, connection, frame);
      if (!isKnown) await rejectSubscription(options, address, connection, 'notAuthenticated');
    },
  });
}

/** Takes charge of the socket of a merchant whose request was signed. */
export function acceptMerchant(options: AcceptOptions, socket: WebSocket, principal: SocketPrincipal): Connection {
  const { subscribing, logger } = options;
  const { limits } = subscribing;
  return createConnection({
    socket,
    limits,
    logger,
    parse: parseResumeFrame,
    firstFrame: { afterMs: limits.subscribeSignedAfterMs, defaultFrame: { type: 'subscribe' as const } },
    onSubscribe: (connection, frame) => subscribeToAccount(subscribing, connection, principal.merchantAccountId, frame),
  });
}
