import { Client, Connection, type TLSConfig } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { SECOND_MS } from '../domain/time.ts';
import { isTracing } from '../traces/tracer.ts';
import { traceCalls } from './trace-calls.ts';

/** A Temporal server, and how it is reached. */
export interface TemporalServer {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
  /** Null or absent means plain text. */
  readonly tls?: TemporalServerTls | null;
  /** As Temporal Cloud issues it. */
  readonly apiKey?: string | null;
}

interface TemporalServerTls {
  /** PEM; null means the authorities that the system trusts. */
  readonly authorities: Buffer | null;
  /** PEM, for mutual TLS. */
  readonly client: { readonly certificate: Buffer; readonly key: Buffer } | null;
  /** The name in the server's certificate, where it is not the host of the address. */
  readonly serverName: string | null;
}

/** By default the pauses between two tries to connect grow to two minutes; Temporal may be back long before. */
const RECONNECTING = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2 * SECOND_MS,
};

/**
 * A client of Temporal that connects at its first call, so that a process can start while Temporal is away.
 * @param payloadCodecs encrypt and decrypt payloads
 */
export function createTemporalClient(server: TemporalServer, payloadCodecs: PayloadCodec[] = []): Client {
  const connection = Connection.lazy({ ...connectionOptions(server), channelArgs: RECONNECTING });
  return new Client({
    connection,
    namespace: server.namespace,
    dataConverter: { payloadCodecs },
    interceptors: { workflow: isTracing() ? [traceCalls] : [] },
  });
}

/** The options that the connections of clients and workers share. */
export function connectionOptions({ address, tls, apiKey }: Omit<TemporalServer, 'namespace'>) {
  return {
    address,
    tls: tls == null ? false : tlsConfig(tls),
    ...(apiKey == null ? {} : { apiKey }),
  };
}

function tlsConfig({ authorities, client, serverName }: TemporalServerTls): TLSConfig {
  return {
    ...(authorities === null ? {} : { serverRootCACertificate: authorities }),
    ...(client === null ? {} : { clientCertPair: { crt: client.certificate, key: client.key } }),
    ...(serverName === null ? {} : { serverNameOverride: serverName }),
  };
}
