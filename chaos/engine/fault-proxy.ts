import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What clients send, and what the server sends. */
type Direction = 'requests' | 'replies';

/** A TCP proxy between clients and a server on this machine that injects faults on demand. */
export interface FaultProxy {
  readonly port: number;
  /** From now on it forwards to another server on this machine; open connections are reset. */
  forwardTo(serverPort: number): void;
  /** Resets all open connections; new ones are forwarded. */
  cut(): void;
  /** Resets all connections, and each new one until `heal`. */
  refuse(): void;
  /** Delays what is sent in either direction, until `heal`. */
  slowDown(latencyMs: number): void;
  /** Discards data in these directions while the connections stay open, until `heal`. */
  swallow(directions: readonly Direction[]): void;
  /** Ends all faults. Connections that lost bytes are reset, since they cannot continue. */
  heal(): void;
  close(): Promise<void>;
}

/** One client's connection to the server. */
interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  hasLostBytes: boolean;
}

interface Faults {
  isRefusing: boolean;
  latencyMs: number;
  swallowed: ReadonlySet<Direction>;
}

/** A delayed direction stops reading when so many bytes are buffered. */
const MAXIMUM_BUFFERED_BYTES = 1024 * 1024;
const NOTHING_SWALLOWED: ReadonlySet<Direction> = new Set();

/** Opens a proxy on a free port. */
export async function openFaultProxy(serverPort: number): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  const faults: Faults = { isRefusing: false, latencyMs: 0, swallowed: NOTHING_SWALLOWED };
  let upstreamPort = serverPort;
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => undefined);
    if (faults.isRefusing) return void client.resetAndDestroy();
    const pair = openPair(client, upstreamPort, faults);
    pairs.add(pair);
    client.once('close', () => pairs.delete(pair));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  const reset = (matches: (pair: Pair) => boolean): void => {
    for (const pair of [...pairs].filter(matches)) {
      pair.client.resetAndDestroy();
      pair.upstream.resetAndDestroy();
    }
  };
  return {
    port: address.port,
    forwardTo(port) {
      upstreamPort = port;
      reset(() => true);
    },
    cut: () => reset(() => true),
    refuse() {
      faults.isRefusing = true;
      reset(() => true);
    },
    slowDown(latencyMs) {
      faults.latencyMs = latencyMs;
    },
    swallow(directions) {
      faults.swallowed = new Set(directions);
    },
    heal() {
      Object.assign(faults, { isRefusing: false, latencyMs: 0, swallowed: NOTHING_SWALLOWED });
      reset(({ hasLostBytes }) => hasLostBytes);
    },
    async close() {
      reset(() => true);
      server.close();
      await once(server, 'close');
    },
  };
}

function openPair(client: Socket, serverPort: number, faults: Faults): Pair {
  const upstream = connect({ port: serverPort, host: '127.0.0.1', noDelay: true });
  upstream.on('error', () => undefined);
  const pair: Pair = { client, upstream, hasLostBytes: false };
  relay(pair, 'requests', faults);
  relay(pair, 'replies', faults);
  // While something is swallowed, neither side learns that the other one has gone.
  const endOther = (other: Socket) => () =>
    void (faults.swallowed.size > 0 ? (pair.hasLostBytes = true) : other.destroy());
  client.once('close', endOther(upstream));
  upstream.once('close', endOther(client));
  return pair;
}

/** Forwards data from one side to the other in order, with the latency and losses of the faults. */
function relay(pair: Pair, direction: Direction, faults: Faults): void {
  const [from, to] = direction === 'requests' ? [pair.client, pair.upstream] : [pair.upstream, pair.client];
  let sent = Promise.resolve();
  let waitingBytes = 0;

  const write = (chunk: Buffer): void => {
    if (to.destroyed || to.writableEnded || to.write(chunk)) return;
    from.pause();
    to.once('drain', () => from.resume());
  };
  const writeLater = (chunk: Buffer): void => {
    const dueAt = Date.now() + faults.latencyMs;
    waitingBytes += chunk.length;
    if (waitingBytes > MAXIMUM_BUFFERED_BYTES) from.pause();
    sent = sent.then(async () => {
      await sleep(Math.max(0, dueAt - Date.now()));
      waitingBytes -= chunk.length;
      write(chunk);
      if (from.isPaused() && !to.writableNeedDrain) from.resume();
    });
  };

  from.on('data', (chunk: Buffer) => {
    if (faults.swallowed.has(direction)) pair.hasLostBytes = true;
    else if (faults.latencyMs === 0 && waitingBytes === 0) write(chunk);
    else writeLater(chunk);
  });
  from.once('end', () => {
    if (!faults.swallowed.has(direction)) void sent.then(() => to.end());
  });
}
