import { backoffMs } from './backoff.ts';
import type { Cancel, ClientSocket, Platform } from './platform.ts';
import { asObject, asStatus, asText, type JsonObject, parseObject } from './parse.ts';
import type { CheckoutError, ConnectionEvent, FrameEvent, PaymentStatus } from './types.ts';

/** The last event that was delivered. */
export interface Cursor {
  readonly after: string | null;
  readonly sequence: number;
}

/** An event as the socket sends it. */
export interface EventFrame {
  readonly event: string;
  readonly id: string;
  readonly sequence: number;
  readonly error: CheckoutError | null;
  readonly details: JsonObject | null;
  readonly terminal: boolean;
  readonly createdAt: string;
}

export interface EventStreamOptions {
  readonly platform: Platform;
  /** The API, without `/api/v1`. */
  readonly baseUrl: string;
  readonly clientSecret: string;
  /** Where to resume; null starts from now. */
  readonly cursor: Cursor | null;
  /** Called at each connection; the events since the cursor follow only where it was resumed. */
  readonly onReady: (status: PaymentStatus, isResumed: boolean) => void;
  /** Gets each event once, in order. */
  readonly onEvent: (frame: EventFrame) => void;
  readonly onConnection: (event: Omit<ConnectionEvent, 'type'>) => void;
  readonly onFrame: (event: Omit<FrameEvent, 'type'>) => void;
}

export interface EventStream {
  readonly cursor: Cursor;
  /** Replaces the connection by a new one, which resumes. */
  restart(): void;
  close(): void;
}

const READY_WITHIN_MS = 10_000;
/** Close codes after which another try would fail in the same way. */
const FINAL_CODES: Readonly<Record<number, CheckoutError>> = {
  4400: { code: 'SUBSCRIPTION_REFUSED', message: 'The subscription was not understood.', details: null },
  4401: { code: 'INVALID_CLIENT_SECRET', message: 'The client secret is not known.', details: null },
  4403: { code: 'FORBIDDEN', message: 'This page may not follow the payment.', details: null },
};
const CONNECTION_CUT = 1006;

/**
 * Follows one payment over a WebSocket. A lost connection is replaced by one that resumes after the last delivered event.
 * `ready` names the newest event, so that the stream can resume before the first event has come.
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const { platform, clientSecret, onConnection, onFrame } = options;
  const url = `${options.baseUrl.replace(/^http/i, 'ws')}/api/v1/events/socket`;
  let cursor: Cursor = options.cursor ?? { after: null, sequence: 0 };
  let failures = 0;
  let isClosed = false;
  let dropConnection: () => void = () => undefined;
  let cancelRetry: Cancel | null = null;

  const connect = (): void => {
    cancelRetry = null;
    if (failures === 0) onConnection({ state: 'connecting', error: null });
    if (isClosed) return;
    const handlers = { onReady: becomeReady, onEvent: deliver, onLost: replace, onFrame };
    dropConnection = openConnection({ platform, url, clientSecret, after: cursor.after, ...handlers });
  };

  const becomeReady = ({ status, lastEventId, isResumed }: Ready): void => {
    failures = 0;
    // A database that has lost events assigns their numbers again, so later events may have lower numbers than the cursor.
    if (!isResumed) cursor = { after: lastEventId, sequence: 0 };
    onConnection({ state: 'connected', error: null });
    if (!isClosed) options.onReady(status, isResumed);
  };

  /** After a resume the gateway may repeat events; each is delivered once. */
  const deliver = (frame: EventFrame | null): void => {
    if (isClosed || frame === null || frame.sequence <= cursor.sequence) return;
    cursor = { after: frame.id, sequence: frame.sequence };
    options.onEvent(frame);
  };

  const replace = (code: number): void => {
    const error = FINAL_CODES[code];
    if (error !== undefined) return finish(error);
    if (isClosed) return;
    failures += 1;
    cancelRetry = platform.schedule(backoffMs(failures, platform.random), connect);
    onConnection({ state: 'reconnecting', error: null });
  };

  const retryNow = (): void => {
    if (cancelRetry === null) return;
    cancelRetry();
    connect();
  };

  const finish = (error: CheckoutError | null): void => {
    if (isClosed) return;
    isClosed = true;
    cancelRetry?.();
    stopWaking();
    stopWatching();
    dropConnection();
    onConnection({ state: 'closed', error });
  };

  const stopWaking = platform.onWake(retryNow);
  const stopWatching = platform.onOffline(() => dropConnection());
  // The page adds its listeners right after creating the checkout.
  cancelRetry = platform.schedule(0, connect);

  return {
    get cursor() {
      return cursor;
    },
    restart: () => dropConnection(),
    close: () => finish(null),
  };
}

/** The gateway's reply to a subscription. */
interface Ready {
  readonly status: PaymentStatus;
  readonly lastEventId: string | null;
  /** Whether the events since the cursor follow. */
  readonly isResumed: boolean;
}

interface ConnectionOptions extends Pick<EventStreamOptions, 'platform' | 'clientSecret' | 'onFrame'> {
  readonly url: string;
  /** The event to resume after; null starts from now. */
  readonly after: string | null;
  readonly onReady: (ready: Ready) => void;
  /** Called with null for a frame of an unknown type. */
  readonly onEvent: (frame: EventFrame | null) => void;
  /** Called once, with the close code. */
  readonly onLost: (code: number) => void;
}

/**
 * Opens a connection and subscribes.
 * @returns drops the connection, which is then lost
 */
function openConnection({ platform, url, clientSecret, after, ...handlers }: ConnectionOptions): () => void {
  const { onReady, onEvent, onLost, onFrame } = handlers;
  let isLost = false;
  let isReady = false;
  let isResumed = after !== null;

  const lose = (code: number): void => {
    if (isLost) return;
    isLost = true;
    cancelDeadline();
    onLost(code);
  };
  const drop = (): void => {
    socket.close();
    lose(CONNECTION_CUT);
  };
  const cancelDeadline = platform.schedule(READY_WITHIN_MS, () => isReady || drop());

  const subscribe = (): void => {
    if (isLost) return socket.close();
    const frame = { type: 'subscribe', clientSecret, ...(after === null ? {} : { after }) };
    socket.send(JSON.stringify(frame));
    onFrame({ direction: 'sent', frame: { ...frame, clientSecret: '…' } });
  };
  const becomeReady = (frame: JsonObject): void => {
    const status = asStatus(frame.status);
    if (status === null) return;
    isReady = true;
    onReady({ status, lastEventId: asText(frame.lastEventId), isResumed });
  };
  const receive = (text: string): void => {
    const frame = isLost ? null : parseObject(text);
    if (frame === null) return;
    onFrame({ direction: 'received', frame });
    if (frame.type === 'ready') becomeReady(frame);
    else if (frame.type === 'error') isResumed &&= frame.code !== 'CURSOR_TOO_OLD';
    else onEvent(asEventFrame(frame));
  };

  const socket: ClientSocket = platform.openSocket(url, { onOpen: subscribe, onMessage: receive, onClose: lose });
  return drop;
}

function asEventFrame(frame: JsonObject): EventFrame | null {
  const { event, id, sequence, code, message, details, terminal, createdAt } = frame;
  if (typeof event !== 'string' || typeof id !== 'string' || typeof sequence !== 'number') return null;
  const knownDetails = asObject(details);
  return {
    event,
    id,
    sequence,
    error: typeof code === 'string' ? { code, message: asText(message) ?? code, details: knownDetails } : null,
    details: knownDetails,
    terminal: terminal === true,
    createdAt: asText(createdAt) ?? '',
  };
}
