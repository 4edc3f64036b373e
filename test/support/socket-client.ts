import { WebSocket, type ClientOptions } from 'ws';

/** A parsed frame. */
export type ReceivedFrame = Readonly<Record<string, unknown>>;

/** A socket client that queues frames until they are read. */
export interface SocketClient {
  readonly socket: WebSocket;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  send(frame: unknown): void;
  /** The next frame; rejects when the socket closes before one comes. */
  next(): Promise<ReceivedFrame>;
  close(): Promise<number>;
}

/** Connects and resolves when the socket is open. */
export async function connectSocket(url: string, options: ClientOptions = {}): Promise<SocketClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  const received: ReceivedFrame[] = [];
  const asked: { resolve: (frame: ReceivedFrame) => void; reject: (error: Error) => void }[] = [];
  socket.on('message', (data) => {
    const frame: ReceivedFrame = JSON.parse(data.toString());
    const waiting = asked.shift();
    if (waiting === undefined) received.push(frame);
    else waiting.resolve(frame);
  });
  let end: Error | undefined;
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => {
      end = new Error(`socket closed with ${code}`);
      for (const { reject } of asked.splice(0)) reject(end);
      resolve(code);
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  return {
    socket,
    closed,
    send: (frame) => socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)),
    next: () => {
      const frame = received.shift();
      if (frame !== undefined) return Promise.resolve(frame);
      if (end !== undefined) return Promise.reject(end);
      return new Promise((resolve, reject) => asked.push({ resolve, reject }));
    },
    close: () => {
      socket.close();
      return closed;
    },
  };
}
