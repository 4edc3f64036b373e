import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { AccountAccess } from './access.ts';
import { type Connection, createConnection } from './connection.ts';
import { parseResumeFrame, parseSubscribeFrame } from './frames.ts';
import { type RefusalOptions, turnAway } from './refusals.ts';
import { watchAccount } from './watch-account.ts';
import { type WatchDependencies, watchIntent } from './watch-intent.ts';

export interface WelcomeOptions extends RefusalOptions {
  readonly watching: WatchDependencies;
  readonly logger: Logger;
}

/** What is kept of a page's request, which itself would be large. */
export interface PageOrigin {
  /** Where the client is. */
  readonly address: string;
  /** Whether pages of its origin may have sockets. */
  readonly isAllowed: boolean;
}

/** Takes charge of the socket of a page, which has yet to send its client secret. */
export function welcomePage(
  options: WelcomeOptions,
  socket: WebSocket,
  { address, isAllowed }: PageOrigin,
): Connection {
  const { watching, logger } = options;
  const { limits } = watching;
  return createConnection({
    socket,
    limits,
    logger,
    parse: parseSubscribeFrame,
    withoutFrame: { afterMs: limits.subscribeWithinMs, wish: null },
    async onSubscribe(connection, frame) {
      // Said here and not in the handshake, of which pages learn nothing.
      if (!isAllowed) return turnAway(options, address, connection, 'forbidden');
      const isKnown = await watchIntent(watching, connection, frame);
      if (!isKnown) await turnAway(options, address, connection, 'notAuthenticated');
    },
  });
}

/** Takes charge of the socket of a merchant whose request was signed. */
export function welcomeMerchant(options: WelcomeOptions, socket: WebSocket, access: AccountAccess): Connection {
  const { watching, logger } = options;
  const { limits } = watching;
  return createConnection({
    socket,
    limits,
    logger,
    parse: parseResumeFrame,
    withoutFrame: { afterMs: limits.subscribeSignedAfterMs, wish: { type: 'subscribe' as const } },
    onSubscribe: (connection, frame) => watchAccount(watching, connection, access.merchantAccountId, frame),
  });
}
