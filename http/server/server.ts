import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../../domain/message-of.ts';
import { UserError } from '../../domain/user-error.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { callerOfAddress } from '../../domain/ip-address.ts';
import { createConnectionCount } from '../connection-count.ts';
import { type CountedRejection, type Rejection, rejectSocket } from '../rejection.ts';

export interface ServerOptions {
  /** Paths of PEM files; null means plain HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Open connections of one IPv4 address, or one /64 network in IPv6, that is not a trusted proxy's. */
  readonly maximumConnectionsPerAddress: number;
  readonly isTrustedProxy: (address: string) => boolean;
  /** Counts input that is no HTTP request, by the peer's address. */
  readonly countRejection: (address: string) => Promise<CountedRejection>;
  readonly logger: { info(message: string): void; error(fields: object, message: string): void };
  /** How often the files of the certificate are read again; for tests. */
  readonly reloadCertificateMs?: number;
}

type CertificateFiles = NonNullable<ServerOptions['tls']>;

const LIMITS = {
  /** The time in which a whole request must arrive, body included. */
  requestTimeout: 60 * SECOND_MS,
  headersTimeout: 20 * SECOND_MS,
  /** Longer than the idle time of common proxies, so that they close idle connections first. */
  keepAliveTimeout: 75 * SECOND_MS,
  maxHeaderSize: 16_384,
  connectionsCheckingInterval: 5 * SECOND_MS,
  /** The app rejects these requests itself, with the error envelope. */
  requireHostHeader: false,
} as const;

/** Time in which requests in flight may end before their connections are cut. */
const DRAIN_LIMIT_MS = 25 * SECOND_MS;
const DRAIN_CHECK_MS = 50;
const RELOAD_CERTIFICATE_MS = 10 * SECOND_MS;

/**
 * An HTTP or HTTPS server that answers even what it cannot parse in the error envelope. A certificate that is replaced in its
 * files is used for new connections; open connections stay.
 * @throws UserError when the certificate or its key cannot be used
 */
export function createServer(app: RequestListener, options: ServerOptions): Server {
  const { tls, countRejection } = options;
  const server = tls === null ? createHttpServer(LIMITS, app) : createSecureServer(app, tls, options);
  readAllHeaders(server);
  limitConnections(server, options);
  // Expectations other than 100-continue are ignored rather than answered outside the envelope.
  server.on('checkExpectation', app);
  const rejected = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Node emits the event again for all input that arrives before the response is out.
    if (rejected.has(socket)) return;
    rejected.add(socket);
    void rejectUnparsable(error, socket, countRejection);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    void rejectUnparsable({ code: 'CONNECT' }, socket, countRejection);
  });
  return server;
}

/**
 * By default Node drops headers after the 2,000th: a client that sends so many would hide those that a proxy adds last, such as
 * `X-Forwarded-For`. The limit of their size is enough.
 */
function readAllHeaders(server: Pick<Server, 'maxHeadersCount'>): void {
  server.maxHeadersCount = 0;
}

/**
 * Closes connections beyond the limit. Connections of proxies are left out: only requests show which clients are behind a proxy.
 */
function limitConnections(
  server: Server,
  {
    maximumConnectionsPerAddress,
    isTrustedProxy,
  }: Pick<ServerOptions, 'maximumConnectionsPerAddress' | 'isTrustedProxy'>,
): void {
  const count = createConnectionCount(Infinity, maximumConnectionsPerAddress);
  const counted = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    // Node reports a connection whose upgrade is ignored a second time.
    if (counted.has(socket) || isTrustedProxy(address)) return;
    const release = count.acquire(callerOfAddress(address));
    if (release === null) {
      socket.destroy();
      return;
    }
    counted.add(socket);
    socket.once('close', release);
  });
}

function createSecureServer(
  app: RequestListener,
  files: CertificateFiles,
  { logger, reloadCertificateMs = RELOAD_CERTIFICATE_MS }: ServerOptions,
): Server {
  let latest = usableCertificate(files);
  const server = createHttpsServer({ ...LIMITS, ...latest }, app);
  let problem: string | null = null;
  const reload = (): void => {
    try {
      const certificate = readCertificate(files);
      if (problem === null && isSameCertificate(certificate, latest)) return;
      server.setSecureContext(certificate);
      latest = certificate;
      problem = null;
      logger.info('the certificate was read again');
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== problem)
        logger.error({ err: error }, 'the new certificate is not usable; the old one stays in use');
      problem = reason;
    }
  };
  // Files are read, not watched: certificates are often replaced behind symbolic links, which watchers do not notice.
  const timer = setInterval(reload, reloadCertificateMs).unref();
  server.on('close', () => clearInterval(timer));
  return server;
}

interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** @throws the error of the file system */
function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
}

function isSameCertificate(a: Certificate, b: Certificate): boolean {
  return a.cert.equals(b.cert) && a.key.equals(b.key);
}

/** @throws UserError */
function usableCertificate(files: CertificateFiles): Certificate {
  try {
    const certificate = readCertificate(files);
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new UserError(`The files of TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${messageOf(error)}.`);
  }
}

interface Unparsable {
  readonly reason: string;
  readonly message: string;
}

const MALFORMED: Unparsable = {
  reason: 'malformed',
  message: 'Expected a request in HTTP/1.1; got one that cannot be parsed. Let an HTTP library write it.',
};
const HEADERS_TOO_LARGE: Unparsable = {
  reason: 'headers_too_large',
  message: `Expected at most ${LIMITS.maxHeaderSize} bytes of path, query and headers; got more. Send less of them.`,
};
const TIMED_OUT: Unparsable = {
  reason: 'timeout',
  message:
    `Expected the headers within ${LIMITS.headersTimeout / SECOND_MS} seconds and the whole request within ` +
    `${LIMITS.requestTimeout / SECOND_MS}; got only a part. Send it again.`,
};
/** What the response says when Node could not parse the request, by Node's code. */
const UNPARSABLE: Readonly<Record<string, Unparsable>> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TIMED_OUT,
};

async function rejectUnparsable(
  { code = '' }: { readonly code?: string | undefined },
  socket: Duplex,
  countRejection: ServerOptions['countRejection'],
): Promise<void> {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.on('error', () => socket.destroy());
  const address = socket instanceof Socket ? socket.remoteAddress : undefined;
  const { headers, exceeded } = await countRejection(address ?? '');
  const { reason, message } = UNPARSABLE[code] ?? MALFORMED;
  const rejection: Rejection = exceeded ?? { code: 'INVALID_REQUEST', message, details: { reason } };
  rejectSocket(socket, { ...rejection, headers: { ...headers, ...rejection.headers } });
}

/**
 * Stops taking connections, lets requests in flight end, and closes kept-alive connections as they fall idle. Responses
 * to requests that still arrive close their connection, so that no client sends another request on it.
 *
 * Node's `close` closes only the connections that are idle at that moment, hence the sweep. `http-terminator`, which does
 * the same, is no longer maintained.
 */
export async function drainServer(server: Server): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
