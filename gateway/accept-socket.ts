import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Database } from '../prisma/connection/client.ts';
import type { RevocationCheck, SocketPrincipal } from './socket-authentication.ts';
import { type Connection, createConnection } from './connection.ts';
import { parseResumeFrame, parseSubscribeFrame } from './frames.ts';
import { authenticatePage, type PageClient, type PagePrincipal } from './page-authentication.ts';
import type { CallerRecognition, RejectionOptions } from '../http/rejection.ts';
import { rejectSubscription } from './reject-subscription.ts';
import { subscribeToAccount } from './account-subscription.ts';
import { type SubscribeDependencies, subscribeToIntent } from './intent-subscription.ts';

export interface AcceptOptions extends RejectionOptions, CallerRecognition {
  /** For look-ups of client secrets that nobody has checked yet. */
  readonly unknownCallersDatabase: Pick<Database, 'direct'>;
  readonly subscriptions: SubscribeDependencies;
  /** Closes the sockets of pages that may no longer watch. */
  readonly pageCheck: RevocationCheck<PagePrincipal>;
  readonly logger: Logger;
}

/** Accepts the socket of a page, which has yet to send its client secret. */
export function acceptPage(options: AcceptOptions, socket: WebSocket, client: PageClient): Connection {
  const { subscriptions, pageCheck, unknownCallersDatabase, isBlocked, onAuthenticated, logger } = options;
  const { limits } = subscriptions;
  return createConnection({
    socket,
    limits,
    logger,
    parse: parseSubscribeFrame,
    firstFrame: { afterMs: limits.subscribeWithinMs, defaultFrame: null },
    async onSubscribe(connection, frame) {
      // The page is rejected here and not in the handshake, because pages cannot read the handshake's response.
      if (isBlocked(client.address, frame.clientSecret)) return connection.close('tooManyRejections');
      const page = await authenticatePage(unknownCallersDatabase, client, frame.clientSecret);
      if (typeof page === 'string') return rejectSubscription(options, client.address, connection, page);
      onAuthenticated(frame.clientSecret);
      pageCheck.add(connection, page);
      await subscribeToIntent(subscriptions, connection, page, frame);
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
