import type { TemporalConfig } from './temporal.ts';

interface Connected {
  readonly databaseUrl: string;
  readonly temporal?: TemporalConfig;
  readonly redis?: { readonly url: string } | null;
  readonly apiUrl?: string;
  readonly mail?: { readonly smtpUrl: string } | null;
  readonly otlpEndpoint?: string | null;
}

/** What a process is to be connected to, for the first line of its log: addresses and names, and no secret. */
export function describeConnections(config: Connected): Readonly<Record<string, string>> {
  const { databaseUrl, temporal, redis, apiUrl, mail, otlpEndpoint = null } = config;
  return {
    database: describeDatabase(databaseUrl),
    ...(temporal === undefined ? {} : { temporal: describeTemporal(temporal) }),
    ...(redis === undefined || redis === null ? {} : { redis: new URL(redis.url).host }),
    ...(apiUrl === undefined ? {} : { api: new URL(apiUrl).origin }),
    ...(mail === undefined || mail === null ? {} : { mail: new URL(mail.smtpUrl).host }),
    ...(otlpEndpoint === null ? {} : { traces: new URL(otlpEndpoint).host }),
  };
}

/** Database, server and user; a `host` in the query, such as the folder of a Unix socket, wins over the host of the address. */
export function describeDatabase(databaseUrl: string): string {
  const { host, pathname, username, searchParams } = new URL(databaseUrl);
  const place = searchParams.get('host') ?? host;
  const tls = searchParams.get('sslmode');
  const user = username === '' ? '' : ` as ${decodeURIComponent(username)}`;
  return `${decodeURIComponent(pathname.slice(1))} at ${place}${user}${tls === null ? '' : `, sslmode ${tls}`}`;
}

function describeTemporal({ address, namespace, tls, encryptPayloads }: TemporalConfig): string {
  const security = tls === null ? 'without TLS' : 'with TLS';
  return `${address}, namespace ${namespace}, ${security}, payloads ${encryptPayloads ? 'encrypted' : 'not encrypted'}`;
}
