import type { WebSocket } from 'ws';
import type { Logger } from 'pino';
import { CLOSE_CODES, type CloseReason } from './close-codes.ts';
import { parseSubscribeFrame, type ServerFrame, type SubscribeFrame } from './frames.ts';
import type { GatewayLimits } from './limits.ts';

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly limits: GatewayLimits;
  readonly logger: Logger;
  /** Called with the first frame, if it is a good one. */
  readonly onSubscribe: (connection: Connection, frame: SubscribeFrame) => Promise<void>;
}

/** One client's socket. */
export interface Connection {
  /** Whether frames can still be sent. */
  readonly isOpen: boolean;
  /** Sends a frame, or closes the socket of a client that leaves too much unread. */
  send(frame: ServerFrame): void;
  /** Closes with the code of the reason; a client that does not answer is cut off. */
  close(reason: CloseReason): void;
  /** Runs when the socket is gone. */
  onClosed(callback: () => void): void;
  /** Asks for a sign of life; cuts the client off that gave none since the last time. */
  checkAlive(): void;
  /** Cuts the client off. */
  terminate(): void;
}

/** Takes charge of a fresh socket: its errors, its deadline, its only permitted frame. */
export function createConnection({ socket, limits, logger, onSubscribe }: ConnectionOptions): Connection {
  let isAlive = true;
  let awaitsSubscription = true;

  const connection: Connection = {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    send(frame) {
      if (!connection.isOpen || closeIfTooSlow()) return;
      socket.send(JSON.stringify(frame));
    },
    close(reason) {
      if (!connection.isOpen) return;
      const { code, reason: text } = CLOSE_CODES[reason];
      socket.close(code, text);
      const deadline = setTimeout(() => socket.terminate(), limits.closeWithinMs);
      socket.once('close', () => clearTimeout(deadline));
    },
    onClosed(callback) {
      socket.once('close', callback);
    },
    checkAlive() {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (connection.isOpen) socket.ping();
    },
    terminate: () => socket.terminate(),
  };

  const closeIfTooSlow = (): boolean => {
    const isTooSlow = socket.bufferedAmount > limits.maximumUnsentBytes;
    if (isTooSlow) connection.close('tooSlow');
    return isTooSlow;
  };

  const deadline = setTimeout(() => connection.close('noSubscription'), limits.subscribeWithinMs);

  const subscribe = async (frame: SubscribeFrame): Promise<void> => {
    try {
      await onSubscribe(connection, frame);
    } catch (error) {
      logger.warn({ err: error }, 'subscription failed');
      connection.close('tryAgainLater');
    }
  };

  socket.on('error', (error) => logger.debug({ err: error }, 'socket failed'));
  socket.on('close', () => clearTimeout(deadline));
  socket.on('pong', () => {
    isAlive = true;
  });
  // The library answers pings by itself; whoever never reads the answers must not pile them up.
  socket.on('ping', closeIfTooSlow);
  socket.on('message', (data, isBinary) => {
    if (!connection.isOpen) return;
    const frame = isBinary || !awaitsSubscription ? null : parseSubscribeFrame(data.toString());
    awaitsSubscription = false;
    clearTimeout(deadline);
    if (frame === null) connection.close('badFrame');
    else void subscribe(frame);
  });
  return connection;
}
