import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { UserError } from './domain/user-error.ts';

/** Wrong or missing configuration; the message is made of whole sentences that name the variables. */
export class ConfigError extends UserError {
  override readonly name = 'ConfigError';
}

/** The environment as the system hands it over. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface SimulatorAddress {
  readonly name: string;
  readonly url: string;
}

/** Where `npm start` puts what it runs. */
export const PORT_VARIABLES = [
  'PORT',
  'POSTGRES_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'SIMULATOR_ALPHA_PORT',
  'SIMULATOR_BETA_PORT',
  'DEMO_PORT',
] as const;

const VAULT_KEY_BYTES = 32;
const VAULT_KEY = /^[A-Za-z0-9._-]{1,64}:[A-Za-z0-9+/_-]+={0,2}$/;
const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;
const SIMULATOR_NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

const text = z.string();
const port = wholeNumber(1, 65_535);
const days = wholeNumber(1, 3_650);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Every variable, with what its value must be. Variables without a default are null when they are not set. */
const VARIABLES = {
  DATABASE_URL: {
    schema: url(['postgresql:', 'postgres:']),
    must: 'be an address like postgresql://user:password@host:5432/database',
  },
  DATABASE_POOL_SIZE: { schema: wholeNumber(1, 500).default(10), must: 'be a whole number from 1 to 500' },
  TEMPORAL_ADDRESS: { schema: text.regex(/^[^\s/:]+:\d{1,5}$/), must: 'be host:port, for example 127.0.0.1:7233' },
  TEMPORAL_NAMESPACE: { schema: text.default('default'), must: 'be the name of a Temporal namespace' },
  HOST: { schema: text.default('127.0.0.1'), must: 'be an address to listen on' },
  PORT: { schema: port.default(3_000), must: 'be a port from 1 to 65535' },
  GATEWAY_IN_API: { schema: flag.default(true), must: 'be true or false' },
  GATEWAY_PORT: { schema: port.default(3_001), must: 'be a port from 1 to 65535' },
  SOCKET_ORIGINS: {
    schema: list()
      .refine((origins) => origins.every(isOrigin))
      .default([]),
    must: 'be a comma-separated list of origins like https://shop.example',
  },
  TLS_CERT_FILE: { schema: text, must: 'be the path of a certificate file' },
  TLS_KEY_FILE: { schema: text, must: 'be the path of a key file' },
  TRUST_PROXY: {
    schema: list()
      .refine((proxies) => proxies.every(isProxy))
      .default([]),
    must: 'be a comma-separated list of addresses or CIDR ranges, or loopback, linklocal, uniquelocal',
  },
  RATE_LIMIT_SANDBOX: { schema: wholeNumber(1, 10_000_000).default(100), must: 'be requests per minute, 1 or more' },
  RATE_LIMIT_PRODUCTION: {
    schema: wholeNumber(1, 10_000_000).default(1_000),
    must: 'be requests per minute, 1 or more',
  },
  RATE_LIMIT_UNAUTHENTICATED: {
    schema: wholeNumber(1, 10_000_000).default(100),
    must: 'be requests per minute, 1 or more',
  },
  REDIS_URL: {
    schema: url(['redis:', 'rediss:']),
    must: 'be an address like redis://user:password@host:6379/0, or rediss:// for TLS',
  },
  REDIS_TIMEOUT_MS: { schema: wholeNumber(10, 10_000).default(100), must: 'be milliseconds from 10 to 10000' },
  VAULT_KEYS: {
    schema: text.refine(isVaultKeys),
    must: 'be keyId:key[,olderKeyId:key…], each key 32 bytes in base64; the first one encrypts',
  },
  VAULT_KEY_FILE: { schema: text, must: 'be the path of a file with the text that VAULT_KEYS would have' },
  SIMULATORS: {
    schema: list().transform(toSimulators).default([]),
    must: 'be name=address pairs like alpha=http://127.0.0.1:4001,beta=http://127.0.0.1:4002',
  },
  SIMULATOR_API_KEY: { schema: text.min(16), must: 'be a secret of 16 characters or more' },
  SIMULATOR_WEBHOOK_SECRET: {
    schema: text.regex(WEBHOOK_SECRET),
    must: 'be whsec_ followed by 24 bytes or more in base64',
  },
  ALLOW_SIMULATOR_IN_PRODUCTION: { schema: flag.default(false), must: 'be true or false' },
  ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: { schema: flag.default(true), must: 'be true or false' },
  PROVIDER_TIMEOUT_MS: { schema: wholeNumber(100, 50_000).default(10_000), must: 'be milliseconds from 100 to 50000' },
  CONFIRM_WAIT_MS: { schema: wholeNumber(100, 60_000).default(15_000), must: 'be milliseconds from 100 to 60000' },
  WORKER_MAX_CACHED_WORKFLOWS: {
    schema: wholeNumber(1, 100_000).default(1_000),
    must: 'be a whole number from 1 to 100000',
  },
  WORKER_SHUTDOWN_GRACE_MS: {
    schema: wholeNumber(0, 600_000).default(10_000),
    must: 'be milliseconds from 0 to 600000',
  },
  WORKER_MAKE_CURRENT: { schema: flag.default(true), must: 'be true or false' },
  RETENTION_EVENT_DAYS: { schema: days.default(30), must: 'be days from 1 to 3650' },
  RETENTION_PROVIDER_EVENT_DAYS: { schema: days.default(30), must: 'be days from 1 to 3650' },
  RETENTION_PAYMENT_DAYS: { schema: days.default(2_555), must: 'be days from 1 to 3650' },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    must: 'be fatal, error, warn, info, debug, trace or silent',
  },
  SIMULATOR_NAME: { schema: text.regex(SIMULATOR_NAME), must: 'be a short lower-case name, for example alpha' },
  SIMULATOR_PORT: { schema: port, must: 'be a port from 1 to 65535' },
  SIMULATOR_DATA_FILE: { schema: text, must: 'be the path of the file that keeps its books' },
  SIMULATOR_WEBHOOK_URL: { schema: url(['http:', 'https:']), must: 'be the http(s) address that its webhooks go to' },
  SIMULATOR_PUBLIC_URL: {
    schema: url(['http:', 'https:']),
    must: 'be the http(s) address at which customers reach it',
  },
  DEMO_URL: { schema: url(['http:', 'https:']), must: 'be the http(s) address of the demo shop' },
  DEMO_PORT: { schema: port.default(4_003), must: 'be a port from 1 to 65535' },
  DEMO_API_URL: { schema: url(['http:', 'https:']), must: 'be the http(s) address of the API' },
  DEMO_API_KEY: { schema: text.regex(/^svc_test_/), must: 'be an API key of the sandbox, which begins with svc_test_' },
  DEMO_SECRET_SALT: { schema: text, must: 'be the secret salt of that key' },
  DATA_DIR: { schema: text.default('.data'), must: 'be the path of a folder' },
  POSTGRES_PORT: { schema: port.default(5_433), must: 'be a port from 1 to 65535' },
  TEMPORAL_PORT: { schema: port.default(7_233), must: 'be a port from 1 to 65535' },
  TEMPORAL_UI_PORT: { schema: port.default(8_233), must: 'be a port from 1 to 65535' },
  SIMULATOR_ALPHA_PORT: { schema: port.default(4_001), must: 'be a port from 1 to 65535' },
  SIMULATOR_BETA_PORT: { schema: port.default(4_002), must: 'be a port from 1 to 65535' },
  TEMPORAL_TEST_SERVER: { schema: text, must: 'be the path of a time-skipping Temporal test server' },
} satisfies Record<string, { schema: z.ZodType; must: string }>;

type VariableName = keyof typeof VARIABLES;
type Value<Name extends VariableName> = z.output<(typeof VARIABLES)[Name]['schema']>;
type Values<Name extends VariableName> = {
  [Key in Name]: undefined extends Input<Key> ? Value<Key> : Value<Key> | null;
};
type Input<Name extends VariableName> = z.input<(typeof VARIABLES)[Name]['schema']>;

/** Names of all variables that are read, for `.env.example` to be checked against. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES);

/** What both the API and the worker need. */
interface EngineConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** `host:port` */
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** `keyId:base64[,keyId:base64…]`; the first key encrypts. */
  readonly vaultKeys: string;
  readonly simulators: readonly SimulatorAddress[];
  /** Null when there are no simulators. */
  readonly simulatorApiKey: string | null;
  /** `whsec_…`; null when there are no simulators. */
  readonly simulatorWebhookSecret: string | null;
  readonly allowSimulatorInProduction: boolean;
  /** Whether sandbox webhooks may go to this machine and to private networks. */
  readonly allowPrivateWebhooksInSandbox: boolean;
  readonly logLevel: Value<'LOG_LEVEL'>;
}

/** What both the API and a gateway alone need, to serve clients. */
export interface ServerConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly logLevel: Value<'LOG_LEVEL'>;
  readonly host: string;
  readonly port: number;
  /** Paths of the PEM files; null means plain HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Addresses and ranges whose X-Forwarded-* headers count. */
  readonly trustProxy: readonly string[];
  /** Requests per minute. */
  readonly rateLimits: { readonly sandbox: number; readonly production: number; readonly unauthenticated: number };
  /** Where they are counted; null means in PostgreSQL. */
  readonly redis: { readonly url: string; readonly timeoutMs: number } | null;
  /** Origins of the pages that may have sockets; none means that any may. */
  readonly socketOrigins: readonly string[];
}

export interface ApiConfig extends EngineConfig, ServerConfig {
  /** Whether the API serves sockets too. */
  readonly gatewayInApi: boolean;
  readonly confirmWaitMs: number;
  /** Where `/demo` leads; null where there is no demo shop. */
  readonly demoUrl: string | null;
}

export interface WorkerConfig extends EngineConfig {
  readonly providerTimeoutMs: number;
  readonly maxCachedWorkflows: number;
  readonly shutdownGraceMs: number;
  /** Whether the version of a worker becomes the current one when the worker starts. */
  readonly makeCurrent: boolean;
  readonly retention: {
    readonly eventsDays: number;
    readonly providerEventsDays: number;
    /** Counted from a payment's end. */
    readonly paymentsDays: number;
  };
}

export interface SimulatorConfig {
  readonly name: string;
  readonly port: number;
  readonly dataFile: string;
  readonly webhookUrl: string;
  readonly publicUrl: string;
  readonly apiKey: string;
  /** `whsec_…` */
  readonly webhookSecret: string;
  readonly logLevel: Value<'LOG_LEVEL'>;
}

export interface DemoConfig {
  readonly host: string;
  readonly port: number;
  /** The API, for the shop and for browsers. */
  readonly apiUrl: string;
  /** `svc_test_…` */
  readonly apiKey: string;
  readonly secretSalt: string;
  readonly simulators: readonly SimulatorAddress[];
}

export interface StackPorts {
  readonly api: number;
  readonly postgres: number;
  readonly temporal: number;
  readonly temporalUi: number;
  readonly simulatorAlpha: number;
  readonly simulatorBeta: number;
}

export interface StartConfig {
  readonly dataDir: string;
  readonly ports: StackPorts;
  readonly demoPort: number;
  /** A database that runs already; null means an embedded one. */
  readonly databaseUrl: string | null;
  /** A Temporal server that runs already; null means an embedded one. */
  readonly temporalAddress: string | null;
  readonly temporalNamespace: string;
  readonly tools: ToolsConfig;
  /** What the started processes inherit. */
  readonly environment: Environment;
  /** Whether npm started this process. */
  readonly underNpm: boolean;
}

/** Where programs that are no npm packages are looked for and kept. */
export interface ToolsConfig {
  readonly cacheDir: string;
  readonly searchPath: readonly string[];
  /** A test server that was named; null means: look for one. */
  readonly testServer: string | null;
}

/** Configuration of the API process. @throws ConfigError */
export function readApiConfig(environment: Environment = process.env): ApiConfig {
  const { values, problems } = parse(environment, [
    ...ENGINE_VARIABLES,
    ...SERVER_VARIABLES,
    'PORT',
    'GATEWAY_IN_API',
    'CONFIRM_WAIT_MS',
    'DEMO_URL',
  ]);
  const engine = engineConfig(values, problems);
  const server = serverConfig(values, values.PORT, problems);
  refuseIf(problems);
  return {
    ...engine,
    ...server,
    gatewayInApi: values.GATEWAY_IN_API,
    confirmWaitMs: values.CONFIRM_WAIT_MS,
    demoUrl: values.DEMO_URL,
  };
}

/** Configuration of a gateway that runs alone. @throws ConfigError */
export function readGatewayConfig(environment: Environment = process.env): ServerConfig {
  const { values, problems } = parse(environment, [...SERVER_VARIABLES, 'GATEWAY_PORT']);
  const config = serverConfig(values, values.GATEWAY_PORT, problems);
  refuseIf(problems);
  return config;
}

/** Configuration of the worker process. @throws ConfigError */
export function readWorkerConfig(environment: Environment = process.env): WorkerConfig {
  const { values, problems } = parse(environment, [
    ...ENGINE_VARIABLES,
    'PROVIDER_TIMEOUT_MS',
    'WORKER_MAX_CACHED_WORKFLOWS',
    'WORKER_SHUTDOWN_GRACE_MS',
    'WORKER_MAKE_CURRENT',
    'RETENTION_EVENT_DAYS',
    'RETENTION_PROVIDER_EVENT_DAYS',
    'RETENTION_PAYMENT_DAYS',
  ]);
  const engine = engineConfig(values, problems);
  refuseIf(problems);
  return {
    ...engine,
    providerTimeoutMs: values.PROVIDER_TIMEOUT_MS,
    maxCachedWorkflows: values.WORKER_MAX_CACHED_WORKFLOWS,
    shutdownGraceMs: values.WORKER_SHUTDOWN_GRACE_MS,
    makeCurrent: values.WORKER_MAKE_CURRENT,
    retention: {
      eventsDays: values.RETENTION_EVENT_DAYS,
      providerEventsDays: values.RETENTION_PROVIDER_EVENT_DAYS,
      paymentsDays: values.RETENTION_PAYMENT_DAYS,
    },
  };
}

/** How a worker is tuned, for what is measured beside one. @throws ConfigError */
export function readWorkerTuning(
  environment: Environment = process.env,
): Pick<WorkerConfig, 'maxCachedWorkflows' | 'shutdownGraceMs'> {
  const { values, problems } = parse(environment, ['WORKER_MAX_CACHED_WORKFLOWS', 'WORKER_SHUTDOWN_GRACE_MS']);
  refuseIf(problems);
  return {
    maxCachedWorkflows: values.WORKER_MAX_CACHED_WORKFLOWS,
    shutdownGraceMs: values.WORKER_SHUTDOWN_GRACE_MS,
  };
}

/** Configuration of one sandbox simulator. @throws ConfigError */
export function readSimulatorConfig(environment: Environment = process.env): SimulatorConfig {
  const { values, problems } = parse(environment, [
    'SIMULATOR_NAME',
    'SIMULATOR_PORT',
    'SIMULATOR_DATA_FILE',
    'SIMULATOR_WEBHOOK_URL',
    'SIMULATOR_PUBLIC_URL',
    'SIMULATOR_API_KEY',
    'SIMULATOR_WEBHOOK_SECRET',
    'LOG_LEVEL',
  ]);
  const simulatorPort = required(values.SIMULATOR_PORT, 'SIMULATOR_PORT', 0, problems);
  const config = {
    name: required(values.SIMULATOR_NAME, 'SIMULATOR_NAME', '', problems),
    port: simulatorPort,
    dataFile: required(values.SIMULATOR_DATA_FILE, 'SIMULATOR_DATA_FILE', '', problems),
    webhookUrl: required(values.SIMULATOR_WEBHOOK_URL, 'SIMULATOR_WEBHOOK_URL', '', problems),
    publicUrl: values.SIMULATOR_PUBLIC_URL ?? `http://127.0.0.1:${simulatorPort}`,
    apiKey: required(values.SIMULATOR_API_KEY, 'SIMULATOR_API_KEY', '', problems),
    webhookSecret: required(values.SIMULATOR_WEBHOOK_SECRET, 'SIMULATOR_WEBHOOK_SECRET', '', problems),
    logLevel: values.LOG_LEVEL,
  };
  refuseIf(problems);
  return config;
}

/** Configuration of the demo shop, which takes keys of the sandbox only. @throws ConfigError */
export function readDemoConfig(environment: Environment = process.env): DemoConfig {
  const { values, problems } = parse(environment, [
    'HOST',
    'DEMO_PORT',
    'DEMO_API_URL',
    'DEMO_API_KEY',
    'DEMO_SECRET_SALT',
    'SIMULATORS',
  ]);
  const config = {
    host: values.HOST,
    port: values.DEMO_PORT,
    apiUrl: required(values.DEMO_API_URL, 'DEMO_API_URL', '', problems).replace(/\/+$/, ''),
    apiKey: required(values.DEMO_API_KEY, 'DEMO_API_KEY', '', problems),
    secretSalt: required(values.DEMO_SECRET_SALT, 'DEMO_SECRET_SALT', '', problems),
    simulators: values.SIMULATORS,
  };
  refuseIf(problems);
  return config;
}

/** Configuration of `npm start`. @throws ConfigError */
export function readStartConfig(environment: Environment = process.env): StartConfig {
  const { values, problems } = parse(environment, [
    'DATA_DIR',
    ...PORT_VARIABLES,
    'DATABASE_URL',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
  ]);
  const ports = {
    api: values.PORT,
    postgres: values.POSTGRES_PORT,
    temporal: values.TEMPORAL_PORT,
    temporalUi: values.TEMPORAL_UI_PORT,
    simulatorAlpha: values.SIMULATOR_ALPHA_PORT,
    simulatorBeta: values.SIMULATOR_BETA_PORT,
  };
  const allPorts = [...Object.values(ports), values.DEMO_PORT];
  if (new Set(allPorts).size < allPorts.length) {
    problems.push(
      'PORT, POSTGRES_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT, SIMULATOR_ALPHA_PORT, SIMULATOR_BETA_PORT and DEMO_PORT must all differ.',
    );
  }
  refuseIf(problems);
  return {
    dataDir: path.resolve(values.DATA_DIR),
    ports,
    demoPort: values.DEMO_PORT,
    databaseUrl: values.DATABASE_URL,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    tools: readToolsConfig(environment),
    environment,
    underNpm: environment.npm_lifecycle_event !== undefined,
  };
}

/** What a passing engine takes over from the environment: all but the settings of another engine. @throws ConfigError */
export function readTemporaryStackConfig(
  environment: Environment = process.env,
): Pick<StartConfig, 'tools' | 'environment'> {
  const others = Object.entries(environment).filter(([name]) => !VARIABLE_NAMES.includes(name));
  return { tools: readToolsConfig(environment), environment: Object.fromEntries(others) };
}

/** Where programs are looked for that are no npm packages. @throws ConfigError */
export function readToolsConfig(environment: Environment = process.env): ToolsConfig {
  const { values, problems } = parse(environment, ['TEMPORAL_TEST_SERVER']);
  refuseIf(problems);
  return {
    cacheDir: path.join(userCacheDir(environment), 'payment-engine'),
    searchPath: (environment.PATH ?? environment.Path ?? '').split(path.delimiter).filter((entry) => entry !== ''),
    testServer: values.TEMPORAL_TEST_SERVER,
  };
}

/** The address of the database, for scripts that need nothing else. @throws ConfigError */
export function readDatabaseUrl(environment: Environment = process.env): string {
  const { values, problems } = parse(environment, ['DATABASE_URL']);
  const databaseUrl = required(values.DATABASE_URL, 'DATABASE_URL', '', problems);
  refuseIf(problems);
  return databaseUrl;
}

const ENGINE_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'VAULT_KEYS',
  'VAULT_KEY_FILE',
  'SIMULATORS',
  'SIMULATOR_API_KEY',
  'SIMULATOR_WEBHOOK_SECRET',
  'ALLOW_SIMULATOR_IN_PRODUCTION',
  'ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX',
  'LOG_LEVEL',
] as const satisfies readonly VariableName[];

function engineConfig(values: Values<(typeof ENGINE_VARIABLES)[number]>, problems: string[]): EngineConfig {
  for (const name of ['SIMULATOR_API_KEY', 'SIMULATOR_WEBHOOK_SECRET'] as const) {
    if (values.SIMULATORS.length > 0 && values[name] === null) {
      problems.push(`${name} is missing; SIMULATORS needs it, and it must ${VARIABLES[name].must}.`);
    }
  }
  return {
    databaseUrl: required(values.DATABASE_URL, 'DATABASE_URL', '', problems),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    temporalAddress: required(values.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS', '', problems),
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    vaultKeys: vaultKeys(values, problems),
    simulators: values.SIMULATORS,
    simulatorApiKey: values.SIMULATOR_API_KEY,
    simulatorWebhookSecret: values.SIMULATOR_WEBHOOK_SECRET,
    allowSimulatorInProduction: values.ALLOW_SIMULATOR_IN_PRODUCTION,
    allowPrivateWebhooksInSandbox: values.ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX,
    logLevel: values.LOG_LEVEL,
  };
}

const SERVER_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'LOG_LEVEL',
  'HOST',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'TRUST_PROXY',
  'RATE_LIMIT_SANDBOX',
  'RATE_LIMIT_PRODUCTION',
  'RATE_LIMIT_UNAUTHENTICATED',
  'REDIS_URL',
  'REDIS_TIMEOUT_MS',
  'SOCKET_ORIGINS',
] as const satisfies readonly VariableName[];

function serverConfig(
  values: Values<(typeof SERVER_VARIABLES)[number]>,
  listenPort: number,
  problems: string[],
): ServerConfig {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = values;
  if ((certFile === null) !== (keyFile === null)) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE must be set together or not at all.');
  }
  return {
    databaseUrl: required(values.DATABASE_URL, 'DATABASE_URL', '', problems),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    logLevel: values.LOG_LEVEL,
    host: values.HOST,
    port: listenPort,
    tls: certFile === null || keyFile === null ? null : { certFile, keyFile },
    trustProxy: values.TRUST_PROXY,
    rateLimits: {
      sandbox: values.RATE_LIMIT_SANDBOX,
      production: values.RATE_LIMIT_PRODUCTION,
      unauthenticated: values.RATE_LIMIT_UNAUTHENTICATED,
    },
    redis: values.REDIS_URL === null ? null : { url: values.REDIS_URL, timeoutMs: values.REDIS_TIMEOUT_MS },
    socketOrigins: values.SOCKET_ORIGINS,
  };
}

function vaultKeys(values: Values<'VAULT_KEYS' | 'VAULT_KEY_FILE'>, problems: string[]): string {
  if (values.VAULT_KEYS !== null && values.VAULT_KEY_FILE !== null) {
    problems.push('Only one of VAULT_KEYS and VAULT_KEY_FILE may be set.');
  }
  if (values.VAULT_KEY_FILE === null) return required(values.VAULT_KEYS, 'VAULT_KEYS', '', problems);
  try {
    const keys = readFileSync(values.VAULT_KEY_FILE, 'utf8').trim();
    if (isVaultKeys(keys)) return keys;
    problems.push(`The file that VAULT_KEY_FILE names must hold a text that would ${VARIABLES.VAULT_KEYS.must}.`);
  } catch {
    problems.push('The file that VAULT_KEY_FILE names cannot be read.');
  }
  return '';
}

/** Reads the named variables; an empty value counts as not set. Values are left out of the sentences: some are secret. */
function parse<Name extends VariableName>(
  environment: Environment,
  names: readonly Name[],
): { values: Values<Name>; problems: string[] } {
  const problems: string[] = [];
  const entries = [...new Set(names)].map((name) => {
    const { schema, must } = VARIABLES[name];
    const raw = environment[name]?.trim() || undefined;
    const result = schema.safeParse(raw);
    if (raw !== undefined && !result.success) problems.push(`${name} must ${must}.`);
    return [name, result.success ? result.data : fallback(schema)] as const;
  });
  return { values: Object.fromEntries(entries) as Values<Name>, problems };
}

function fallback(schema: z.ZodType): unknown {
  const result = schema.safeParse(undefined);
  return result.success ? result.data : null;
}

function required<Type>(value: Type | null, name: VariableName, placeholder: Type, problems: string[]): Type {
  if (value !== null) return value;
  if (!problems.some((problem) => problem.startsWith(`${name} `))) {
    problems.push(`${name} is missing; it must ${VARIABLES[name].must}.`);
  }
  return placeholder;
}

function refuseIf(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum);
}

function list() {
  return z.string().transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

function url(protocols: readonly string[]) {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol));
}

function toSimulators(items: readonly string[], context: z.RefinementCtx): SimulatorAddress[] {
  const simulators = items.map((item) => {
    const separator = item.indexOf('=');
    return { name: item.slice(0, Math.max(separator, 0)), url: item.slice(separator + 1).replace(/\/+$/, '') };
  });
  const valid = simulators.every(
    ({ name, url: address }) => SIMULATOR_NAME.test(name) && /^https?:\/\/[^\s]+$/.test(address),
  );
  const unique = new Set(simulators.map(({ name }) => name)).size === simulators.length;
  if (!valid || !unique) context.addIssue({ code: 'custom', message: 'simulators' });
  return simulators;
}

function isProxy(value: string): boolean {
  if (PROXY_GROUPS.includes(value)) return true;
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** An origin as pages have it: no path, no name of a user. */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin, href } = new URL(value);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

function isVaultKeys(value: string): boolean {
  const keys = value.split(',').map((key) => key.trim());
  const ids = keys.map((key) => key.slice(0, key.indexOf(':')));
  return new Set(ids).size === ids.length && keys.every(isVaultKey);
}

function isVaultKey(key: string): boolean {
  return VAULT_KEY.test(key) && Buffer.from(key.slice(key.indexOf(':') + 1), 'base64').length === VAULT_KEY_BYTES;
}

function userCacheDir(environment: Environment): string {
  if (environment.XDG_CACHE_HOME !== undefined && path.isAbsolute(environment.XDG_CACHE_HOME)) {
    return environment.XDG_CACHE_HOME;
  }
  if (process.platform === 'win32' && environment.LOCALAPPDATA !== undefined) return environment.LOCALAPPDATA;
  const home = environment.HOME ?? homedir();
  return process.platform === 'darwin' ? path.join(home, 'Library', 'Caches') : path.join(home, '.cache');
}
