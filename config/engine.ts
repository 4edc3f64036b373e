import { isLoopback } from '../domain/ip-address.ts';
import type { SessionLimits } from '../domain/session-limits.ts';
import { HOUR_MS } from '../domain/time.ts';
import { databaseUrl } from './database.ts';
import { type MailConfig, mailConfig } from './mail.ts';
import { readVariables, readVariablesOf, required, type Settings, throwIfAny } from './read-variables.ts';
import { sessionLimits } from './session-limits.ts';
import { type TemporalConfig, temporalConfig } from './temporal.ts';
import { type TracingConfig, tracingConfig } from './tracing.ts';
import { type ConfiguredAccount, isSecureOrLocal, type SimulatorConnection } from './value-schemas.ts';
import { type Value, type VariableOf, VARIABLES, type Values } from './variables.ts';
import { cardKeys, type VaultConfig, vaultConfig, vaultConfigIfSet } from './vault.ts';

/** The settings of both the API and the worker. */
interface EngineConfig extends VaultConfig, TracingConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly temporal: TemporalConfig;
  readonly simulators: readonly SimulatorConnection[];
  /** Where the APIs of kinds of providers are that are not at the vendor's own address, by kind. */
  readonly providerApiUrls: ReadonlyMap<string, string>;
  readonly allowSimulatorInProduction: boolean;
  /** Accounts on EVM chains. */
  readonly evmAccounts: readonly ConfiguredAccount[];
  /** Whether sandbox webhooks, and calls to the nodes of merchants, may go to this machine and to private networks. */
  readonly allowPrivateWebhooksInSandbox: boolean;
  /** The proxy that webhooks to merchants and calls to their nodes go through; null means none. */
  readonly webhookProxy: URL | null;
  readonly logLevel: Value<'LOG_LEVEL'>;
}

/** The settings of both the API and a gateway process, for serving clients. */
export interface ServerConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly logLevel: Value<'LOG_LEVEL'>;
  readonly host: string;
  readonly port: number;
  /** From where `/metrics` may be read: addresses, CIDR ranges or groups of addresses. */
  readonly metricsAllowedAddresses: readonly string[];
  /** Paths of the PEM files; null means plain HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Addresses and ranges of the proxies whose X-Forwarded-* headers are trusted. */
  readonly trustProxy: readonly string[];
  /** Requests per minute. */
  readonly rateLimits: {
    readonly sandbox: number;
    readonly production: number;
    readonly unauthenticated: number;
    readonly person: number;
    readonly sockets: number;
  };
  /** Open connections, and requests in flight. */
  readonly connectionsPerAddress: number;
  readonly socketsPerAddress: number;
  /** Where requests are counted; null means in PostgreSQL. */
  readonly redis: { readonly url: string; readonly timeoutMs: number } | null;
  /** Origins of the pages that may open sockets; an empty list allows all. */
  readonly socketOrigins: readonly string[];
}

export interface GatewayConfig extends ServerConfig {
  /** Null means that API keys on signature version 2 are rejected. */
  readonly vault: VaultConfig | null;
}

export interface ApiConfig extends EngineConfig, ServerConfig {
  /** Encrypts card data, which only workers can decrypt. `keyId:base64` */
  readonly cardPublicKey: string;
  /** Whether the API serves sockets too. */
  readonly gatewayInApi: boolean;
  /** Whether the API serves `/docs` and `/openapi.json`. */
  readonly docs: boolean;
  /** Origins of the pages that may embed the card fields; an empty list allows every secure page. */
  readonly cardFieldsOrigins: readonly string[];
  /** The origin of the API as customers see it; null where it serves no payment pages. */
  readonly apiPublicUrl: string | null;
  /** Where vulnerabilities are reported to, as `/.well-known/security.txt` names it; an empty list means no such file. */
  readonly securityContacts: readonly string[];
  readonly confirmWaitMs: number;
  readonly failoverWithinMs: number;
  /** How long the engine may take for a confirm before the API refuses further ones; 0 stands for no limit. */
  readonly confirmTargetMs: number;
  /** Whether card numbers are kept beyond a payment; null for in the sandbox only. */
  readonly storeCards: boolean | null;
  /** Limits against card testing; 0 stands for no limit. */
  readonly declinesPerHour: {
    readonly card: number;
    readonly address: number;
    readonly bin: number;
    readonly account: number;
  };
  /** The target of `/demo`; null where there is no demo shop. */
  readonly demoUrl: string | null;
  /** The Temporal UI, for links to workflows; null where keys get none. */
  readonly temporalUiUrl: string | null;
  /** Verifies the sessions of people, which the dashboard signs; null where only keys are taken. */
  readonly dashboardSecret: string | null;
  /** Whether a second factor is demanded of everybody who signs in to the dashboard. */
  readonly requireSecondFactor: boolean;
  readonly sessionLimits: SessionLimits;
  /** What invitations need; null where none can be sent. */
  readonly invitations: { readonly dashboardUrl: string; readonly mail: MailConfig } | null;
}

export interface WorkerConfig extends EngineConfig, Pick<ServerConfig, 'host' | 'metricsAllowedAddresses'> {
  /** Where it serves its health and its metrics; null means nowhere. */
  readonly port: number | null;
  /** The private keys of card data. `keyId:key[,keyId:key…]`; the first one is current. */
  readonly cardKeys: string;
  readonly providerTimeoutMs: number;
  /** How many requests a second this process sends for one account at a provider, where the kind's own limit does not fit. */
  readonly providerRequestsPerSecond: ReadonlyMap<string, number>;
  /** The origin of the API as customers see it, to which they come back from providers' pages; null where it has none. */
  readonly apiPublicUrl: string | null;
  readonly maxCachedWorkflows: number;
  readonly shutdownGraceMs: number;
  /** Whether the version of a worker becomes the current one when the worker starts. */
  readonly makeCurrent: boolean;
  readonly retention: {
    readonly eventsDays: number;
    readonly providerEventsDays: number;
    /** Days after a payment's end. */
    readonly paymentsDays: number;
    readonly auditEventsDays: number;
    readonly requestsDays: number;
    readonly savedCardsUnusedDays: number;
  };
  /** 0 stands for never. */
  readonly reconcileEveryMs: number;
}

/** Configuration of the API process. @throws ConfigError */
export function readApiConfig(settings: Settings = process.env): ApiConfig {
  const { values, problems } = readVariablesOf('api', settings);
  const engine = engineConfig(values, problems);
  const server = serverConfig(values, values.PORT, problems);
  const cardPublicKey = required(values.CARD_PUBLIC_KEY, 'CARD_PUBLIC_KEY', '', problems);
  const { DASHBOARD_URL: dashboardUrl } = values;
  const mail = mailConfig(values, problems);
  const apiPublicUrl = publicOrigin(values.API_PUBLIC_URL, problems);
  throwIfAny(problems);
  return {
    ...engine,
    ...server,
    socketOrigins: withOwn(server.socketOrigins, apiPublicUrl),
    apiPublicUrl,
    cardPublicKey,
    gatewayInApi: values.GATEWAY_IN_API,
    docs: values.API_DOCS,
    cardFieldsOrigins: withOwn(values.CARD_FIELDS_ORIGINS, apiPublicUrl),
    securityContacts: values.SECURITY_CONTACT,
    confirmWaitMs: values.CONFIRM_WAIT_MS,
    failoverWithinMs: values.FAILOVER_WITHIN_MS,
    confirmTargetMs: values.CONFIRM_TARGET_MS,
    storeCards: values.STORE_CARDS,
    declinesPerHour: {
      card: values.DECLINES_PER_CARD,
      address: values.DECLINES_PER_ADDRESS,
      bin: values.DECLINES_PER_BIN,
      account: values.DECLINES_PER_ACCOUNT,
    },
    demoUrl: values.DEMO_URL,
    temporalUiUrl: values.TEMPORAL_UI_URL,
    dashboardSecret: values.DASHBOARD_SECRET,
    requireSecondFactor: values.REQUIRE_SECOND_FACTOR,
    sessionLimits: sessionLimits(values),
    invitations: dashboardUrl === null || mail === null ? null : { dashboardUrl, mail },
  };
}

/** Card data could be read on the way from a page over plain HTTP. */
function publicOrigin(url: string | null, problems: string[]): string | null {
  if (url !== null && !isSecureOrLocal(url)) {
    problems.push('API_PUBLIC_URL can be reached by other machines, so it must begin with https://.');
  }
  return url?.replace(/\/+$/, '') ?? null;
}

/** A list of origins with that of the payment pages; an empty list stays empty, because it allows more. */
function withOwn(origins: readonly string[], own: string | null): readonly string[] {
  return origins.length === 0 || own === null ? origins : [...origins, own];
}

/** Configuration of a gateway process. @throws ConfigError */
export function readGatewayConfig(settings: Settings = process.env): GatewayConfig {
  const { values, problems } = readVariablesOf('gateway', settings);
  const config = serverConfig(values, values.GATEWAY_PORT, problems);
  const vault = vaultConfigIfSet(values, problems);
  throwIfAny(problems);
  return { ...config, vault };
}

/** The settings of the codec server. */
export interface CodecServerConfig extends VaultConfig, Pick<ServerConfig, 'host' | 'port' | 'tls' | 'logLevel'> {
  /** Origins of the Temporal UIs that may ask. */
  readonly origins: readonly string[];
  /** What callers prove themselves with; null lets everybody on this machine ask. */
  readonly token: string | null;
}

/** Configuration of the codec server. @throws ConfigError */
export function readCodecServerConfig(settings: Settings = process.env): CodecServerConfig {
  const { values, problems } = readVariablesOf('codec-server', settings);
  const { CODEC_SERVER_HOST: host, CODEC_SERVER_TOKEN: token } = values;
  if (token === null && !isLoopback(host)) {
    problems.push('CODEC_SERVER_HOST can be reached by other machines, so CODEC_SERVER_TOKEN must be set.');
  }
  const config = {
    ...vaultConfig(values, problems),
    host,
    port: values.CODEC_SERVER_PORT,
    tls: tlsFiles(values, problems),
    logLevel: values.LOG_LEVEL,
    origins: values.CODEC_SERVER_ORIGINS,
    token,
  };
  throwIfAny(problems);
  return config;
}

/** Configuration of the worker process. @throws ConfigError */
export function readWorkerConfig(settings: Settings = process.env): WorkerConfig {
  const { values, problems } = readVariablesOf('worker', settings);
  const engine = engineConfig(values, problems);
  const privateCardKeys = cardKeys(values, problems);
  const apiPublicUrl = publicOrigin(values.API_PUBLIC_URL, problems);
  throwIfAny(problems);
  return {
    ...engine,
    host: values.HOST,
    port: values.WORKER_PORT,
    metricsAllowedAddresses: values.METRICS_ALLOWED_ADDRESSES,
    cardKeys: privateCardKeys,
    providerTimeoutMs: values.PROVIDER_TIMEOUT_MS,
    providerRequestsPerSecond: values.PROVIDER_REQUESTS_PER_SECOND,
    apiPublicUrl,
    maxCachedWorkflows: values.WORKER_MAX_CACHED_WORKFLOWS,
    shutdownGraceMs: values.WORKER_SHUTDOWN_GRACE_MS,
    makeCurrent: values.WORKER_MAKE_CURRENT,
    retention: {
      eventsDays: values.RETENTION_EVENT_DAYS,
      providerEventsDays: values.RETENTION_PROVIDER_EVENT_DAYS,
      paymentsDays: values.RETENTION_PAYMENT_DAYS,
      auditEventsDays: values.RETENTION_AUDIT_DAYS,
      requestsDays: values.RETENTION_REQUEST_DAYS,
      savedCardsUnusedDays: values.RETENTION_SAVED_CARD_UNUSED_DAYS,
    },
    reconcileEveryMs: values.RECONCILE_EVERY_HOURS * HOUR_MS,
  };
}

/** The tuning of a worker, for benchmarks that run one of their own. @throws ConfigError */
export function readWorkerTuning(
  settings: Settings = process.env,
): Pick<WorkerConfig, 'maxCachedWorkflows' | 'shutdownGraceMs'> {
  const { values, problems } = readVariables(settings, ['WORKER_MAX_CACHED_WORKFLOWS', 'WORKER_SHUTDOWN_GRACE_MS']);
  throwIfAny(problems);
  return {
    maxCachedWorkflows: values.WORKER_MAX_CACHED_WORKFLOWS,
    shutdownGraceMs: values.WORKER_SHUTDOWN_GRACE_MS,
  };
}

function engineConfig(values: Values<VariableOf<'api'> & VariableOf<'worker'>>, problems: string[]): EngineConfig {
  return {
    databaseUrl: databaseUrl(values, problems),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    temporal: temporalConfig(values, problems),
    ...vaultConfig(values, problems),
    simulators: simulatorConnections(values, problems),
    providerApiUrls: values.PROVIDER_API_URLS,
    allowSimulatorInProduction: values.ALLOW_SIMULATOR_IN_PRODUCTION,
    evmAccounts: values.EVM_ACCOUNTS,
    allowPrivateWebhooksInSandbox: values.ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX,
    webhookProxy: values.WEBHOOK_PROXY_URL === null ? null : new URL(values.WEBHOOK_PROXY_URL),
    logLevel: values.LOG_LEVEL,
    ...tracingConfig(values, problems),
  };
}

type SimulatorSecretsVariable = 'SIMULATOR_API_KEYS' | 'SIMULATOR_WEBHOOK_SECRETS';

function simulatorConnections(
  values: Values<'SIMULATORS' | SimulatorSecretsVariable>,
  problems: string[],
): SimulatorConnection[] {
  const secretOf = (name: string, variable: SimulatorSecretsVariable): string => {
    const secret = values[variable].get(name);
    const isReported = problems.some((problem) => problem.startsWith(`${variable} `));
    if (secret === undefined && !isReported) {
      problems.push(`${variable} has nothing for ${name} of SIMULATORS; it must ${VARIABLES[variable].must}.`);
    }
    return secret ?? '';
  };
  return values.SIMULATORS.map((address) => ({
    ...address,
    apiKey: secretOf(address.name, 'SIMULATOR_API_KEYS'),
    webhookSecret: secretOf(address.name, 'SIMULATOR_WEBHOOK_SECRETS'),
  }));
}

function serverConfig(
  values: Values<VariableOf<'api'> & VariableOf<'gateway'>>,
  listenPort: number,
  problems: string[],
): ServerConfig {
  return {
    databaseUrl: databaseUrl(values, problems),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    logLevel: values.LOG_LEVEL,
    host: values.HOST,
    port: listenPort,
    metricsAllowedAddresses: values.METRICS_ALLOWED_ADDRESSES,
    tls: tlsFiles(values, problems),
    trustProxy: values.TRUST_PROXY,
    rateLimits: {
      sandbox: values.RATE_LIMIT_SANDBOX,
      production: values.RATE_LIMIT_PRODUCTION,
      unauthenticated: values.RATE_LIMIT_UNAUTHENTICATED,
      person: values.RATE_LIMIT_PERSON,
      sockets: values.RATE_LIMIT_SOCKETS,
    },
    connectionsPerAddress: values.CONNECTIONS_PER_ADDRESS,
    socketsPerAddress: values.SOCKETS_PER_ADDRESS,
    redis: values.REDIS_URL === null ? null : { url: values.REDIS_URL, timeoutMs: values.REDIS_TIMEOUT_MS },
    socketOrigins: values.SOCKET_ORIGINS,
  };
}

export function tlsFiles(
  { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: Values<'TLS_CERT_FILE' | 'TLS_KEY_FILE'>,
  problems: string[],
): ServerConfig['tls'] {
  if ((certFile === null) !== (keyFile === null)) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE must be set together or not at all.');
  }
  return certFile === null || keyFile === null ? null : { certFile, keyFile };
}
