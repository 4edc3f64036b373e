import type { WebSocket } from 'ws';
import type { Logger } from 'pino';
import type { ServerFrame } from './frames.ts';
import type { GatewayLimits } from './limits.ts';

/** Why the gateway closes a socket. Below 4000: the meanings the WebSocket registry gives them. */
const CLOSE_CODES = {
  restarting: { code: 1012, reason: 'the service restarts, connect again' },
  tryAgainLater: { code: 1013, reason: 'try again later' },
  tooManyRejections: { code: 1013, reason: 'too many unknown secrets from here, try again later' },
  tooSlow: { code: 1013, reason: 'too slow, connect again and resume' },
  badFrame: {
    code: 4400,
    reason: 'bad frame: expected one {"type": "subscribe"}, from a page with "clientSecret", to resume with "after"',
  },
  notAuthenticated: { code: 4401, reason: 'not authenticated' },
  forbidden: { code: 4403, reason: 'forbidden' },
  noSubscription: { code: 4408, reason: 'no subscription in time' },
} as const;

export type CloseReason = keyof typeof CLOSE_CODES;

export interface ConnectionOptions<Frame> {
  readonly socket: WebSocket;
  readonly limits: GatewayLimits;
  readonly logger: Logger;
  /** Parses the first frame; null when it is not valid. */
  readonly parse: (text: string) => Frame | null;
  /** How long the first frame may take, and the frame that is assumed without one; null closes the socket. */
  readonly firstFrame: { readonly afterMs: number; readonly defaultFrame: Frame | null };
  /** Called once, with the first frame. */
  readonly onSubscribe: (connection: Connection, frame: Frame) => Promise<void>;
}

/** One client's socket. */
export interface Connection {
  /** Whether frames can still be sent. */
  readonly isOpen: boolean;
  /** Sends a frame, or closes the socket of a client that leaves too much unread. */
  send(frame: ServerFrame): void;
  /** Settles when every frame sent has left this process, or the socket is closed. For one caller at a time. */
  flushed(): Promise<void>;
  /** Closes with the code of the reason; a client that does not answer is cut off. */
  close(reason: CloseReason): void;
  /** Calls back when the socket is closed. */
  onClosed(callback: () => void): void;
  /** Sends a ping; cuts off a client that has not answered the previous one. */
  checkAlive(): void;
  /** Cuts the client off. */
  terminate(): void;
}

/** Handles a new socket: its errors, its deadlines, its only permitted frame. */
export function createConnection<Frame>(options: ConnectionOptions<Frame>): Connection {
  const { socket, limits, logger } = options;
  const connection = createSender(socket, limits);
  socket.on('error', (error) => logger.debug({ err: error }, 'socket failed'));
  awaitFirstFrame(connection, options);
  return connection;
}

function createSender(socket: WebSocket, limits: GatewayLimits): Connection {
  let isAlive = true;
  /** Frames that have not left yet. Pings, and answers to pings, are not counted: nothing says when they have left. */
  let unsentFrames = 0;
  let resolveFlush: (() => void) | undefined;

  const connection: Connection = {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    send(frame) {
      if (!connection.isOpen || closeIfTooSlow()) return;
      unsentFrames += 1;
      socket.send(JSON.stringify(frame), () => {
        unsentFrames -= 1;
        checkFlushed();
      });
    },
    flushed() {
      return new Promise((resolve) => {
        resolveFlush = resolve;
        checkFlushed();
      });
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

  const checkFlushed = (): void => {
    if (connection.isOpen && unsentFrames > 0) return;
    resolveFlush?.();
    resolveFlush = undefined;
  };

  const closeIfTooSlow = (): boolean => {
    const isTooSlow = socket.bufferedAmount > limits.maximumUnsentBytes;
    if (isTooSlow) connection.close('tooSlow');
    return isTooSlow;
  };

  socket.on('close', checkFlushed);
  socket.on('pong', () => {
    isAlive = true;
  });
  // The library answers pings by itself; its answers must not pile up if the client does not read.
  socket.on('ping', closeIfTooSlow);
  return connection;
}

function awaitFirstFrame<Frame>(
  connection: Connection,
  { socket, logger, parse, firstFrame, onSubscribe }: ConnectionOptions<Frame>,
): void {
  let awaitsSubscription = true;

  const subscribe = async (frame: Frame): Promise<void> => {
    awaitsSubscription = false;
    clearTimeout(deadline);
    try {
      await onSubscribe(connection, frame);
    } catch (error) {
      logger.warn({ err: error }, 'subscription failed');
      connection.close('tryAgainLater');
    }
  };

  const deadline = setTimeout(() => {
    if (firstFrame.defaultFrame === null) connection.close('noSubscription');
    else void subscribe(firstFrame.defaultFrame);
  }, firstFrame.afterMs);

  socket.on('close', () => clearTimeout(deadline));
  socket.on('message', (data, isBinary) => {
    if (!connection.isOpen) return;
    const frame = isBinary || !awaitsSubscription ? null : parse(data.toString());
    if (frame === null) connection.close('badFrame');
    else void subscribe(frame);
  });
}
