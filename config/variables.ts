import { z } from 'zod';
import { parseIpRange } from '../domain/ip-address.ts';
import {
  isContact,
  isCardPublicKey,
  isOrigin,
  isAddressGroup,
  list,
  secretsByName,
  SIMULATOR_NAME,
  text,
  toAccounts,
  toApiUrls,
  toRequestLimits,
  toSimulators,
  url,
  wholeNumber,
} from './value-schemas.ts';

/** The ports on which `npm start` runs its servers. */
export const PORT_VARIABLES = [
  'PORT',
  'POSTGRES_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'SIMULATOR_ALPHA_PORT',
  'SIMULATOR_BETA_PORT',
  'DEMO_PORT',
  'CODEC_SERVER_PORT',
  'DASHBOARD_PORT',
  'MAILBOX_PORT',
  'MAILBOX_SMTP_PORT',
] as const;

const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;
const SHORTEST_API_KEY = 16;
const SHORTEST_DASHBOARD_SECRET = 32;
const CODEC_SERVER_TOKEN = /^[\x21-\x7e]{32,}$/;

export const HIGHEST_PORT = 65_535;

const PORT = { schema: wholeNumber(1, HIGHEST_PORT), must: `be a port from 1 to ${HIGHEST_PORT}` };

function port(byDefault: number) {
  return { ...PORT, schema: PORT.schema.default(byDefault) };
}

function flag(byDefault: boolean) {
  const schema = z.enum(['true', 'false']).transform((value) => value === 'true');
  return { schema: schema.default(byDefault), must: 'be true or false' };
}

function days(byDefault: number) {
  return { schema: wholeNumber(1, 3_650).default(byDefault), must: 'be days from 1 to 3650' };
}

function hours(byDefault: number) {
  return { schema: wholeNumber(1, 168).default(byDefault), must: 'be hours from 1 to 168' };
}

function milliseconds(minimum: number, maximum: number, byDefault: number) {
  return {
    schema: wholeNumber(minimum, maximum).default(byDefault),
    must: `be milliseconds from ${minimum} to ${maximum}`,
  };
}

function requestsPerMinute(byDefault: number) {
  return { schema: wholeNumber(1, 10_000_000).default(byDefault), must: 'be requests per minute, 1 or more' };
}

function declinesPerHour(byDefault: number) {
  return { schema: wholeNumber(0, 10_000_000).default(byDefault), must: 'be declines per hour, or 0 for no limit' };
}

function upiRequestsPerHour(byDefault: number) {
  return { schema: wholeNumber(0, 10_000_000).default(byDefault), must: 'be requests per hour, or 0 for no limit' };
}

function httpUrl(must: string) {
  return { schema: url(['http:', 'https:']), must };
}

function origins(example: string) {
  const schema = list().refine((values) => values.every(isOrigin));
  return { schema: schema.default([]), must: `be a comma-separated list of origins like ${example}` };
}

function addressGroups(byDefault: string[]) {
  const schema = list().refine((values) => values.every(isAddressGroup));
  return {
    schema: schema.default(byDefault),
    must: 'be a comma-separated list of addresses or CIDR ranges, or loopback, linklocal, uniquelocal',
  };
}

/** CDNs name ranges of these sizes; a larger one is not a proxy's, and lets everybody say from which address a request comes. */
const SHORTEST_PREFIX = { ipv4: 8, ipv6: 16 } as const;

/** The addresses of proxies. */
function proxies() {
  const isProxies = (group: string): boolean => {
    const range = parseIpRange(group);
    return range === undefined || range[1] >= SHORTEST_PREFIX[range[0].kind()];
  };
  const { schema, must } = addressGroups([]);
  return {
    schema: schema.refine((groups) => groups.every(isProxies)),
    must: `${must}; a range of no more addresses than an IPv4 /8 or an IPv6 /16, because everybody in it may say where a request comes from`,
  };
}

const KEYS_MUST =
  'be keyId:key[,olderKeyId:key…], each key 32 bytes in base64, or as KEY_PROVIDER encrypted them; the first one encrypts';

/** Every variable and what its value must be. A variable without a default is null when it is not set. */
export const VARIABLES = {
  DATABASE_URL: {
    schema: url(['postgresql:', 'postgres:']),
    must: 'be an address like postgresql://user:password@host:5432/database',
  },
  DATABASE_ALLOW_PLAINTEXT: flag(false),
  DATABASE_POOL_SIZE: { schema: wholeNumber(1, 500).default(10), must: 'be a whole number from 1 to 500' },
  TEMPORAL_ADDRESS: { schema: text.regex(/^[^\s/:]+:\d{1,5}$/), must: 'be host:port, for example 127.0.0.1:7233' },
  TEMPORAL_NAMESPACE: { schema: text.default('default'), must: 'be the name of a Temporal namespace' },
  TEMPORAL_UI_URL: httpUrl('be an address like https://temporal.example.com'),
  TEMPORAL_TLS: flag(false),
  TEMPORAL_TLS_CA_FILE: { schema: text, must: 'be the path of a PEM file with the authorities to trust' },
  TEMPORAL_TLS_CERT_FILE: { schema: text, must: 'be the path of a PEM file with the client certificate' },
  TEMPORAL_TLS_KEY_FILE: { schema: text, must: 'be the path of a PEM file with the key of the client certificate' },
  TEMPORAL_TLS_SERVER_NAME: { schema: text, must: "be the name in the server's certificate" },
  TEMPORAL_API_KEY: { schema: text.regex(/^[\x21-\x7e]+$/), must: 'be an API key as Temporal Cloud issues it' },
  TEMPORAL_ALLOW_PLAINTEXT: flag(false),
  TEMPORAL_ENCRYPT_PAYLOADS: flag(false),
  CODEC_SERVER_HOST: { schema: text.default('127.0.0.1'), must: 'be an address to listen on' },
  CODEC_SERVER_PORT: port(8_234),
  CODEC_SERVER_ORIGINS: origins('https://temporal.example'),
  CODEC_SERVER_TOKEN: {
    schema: text.regex(CODEC_SERVER_TOKEN),
    must: 'be a secret of 32 characters or more, without spaces',
  },
  HOST: { schema: text.default('127.0.0.1'), must: 'be an address to listen on' },
  PORT: port(3_000),
  GATEWAY_IN_API: flag(true),
  GATEWAY_PORT: port(3_001),
  WORKER_PORT: PORT,
  METRICS_ALLOWED_ADDRESSES: addressGroups(['loopback']),
  API_DOCS: flag(true),
  SECURITY_CONTACT: {
    schema: list()
      .refine((contacts) => contacts.every(isContact))
      .default([]),
    must: 'be a comma-separated list of addresses like mailto:security@example.com or https://example.com/report',
  },
  SOCKET_ORIGINS: origins('https://shop.example'),
  CARD_FIELDS_ORIGINS: origins('https://shop.example'),
  API_PUBLIC_URL: {
    schema: text.refine(isOrigin),
    must: 'be the origin of the API as customers and merchants see it, like https://api.example',
  },
  TLS_CERT_FILE: { schema: text, must: 'be the path of a certificate file' },
  TLS_KEY_FILE: { schema: text, must: 'be the path of a key file' },
  TRUST_PROXY: proxies(),
  RATE_LIMIT_SANDBOX: requestsPerMinute(100),
  RATE_LIMIT_PRODUCTION: requestsPerMinute(1_000),
  RATE_LIMIT_UNAUTHENTICATED: requestsPerMinute(100),
  RATE_LIMIT_PERSON: requestsPerMinute(600),
  CONFIRM_TARGET_MS: {
    schema: wholeNumber(0, 60_000).default(500),
    must: 'be milliseconds to 60000, or 0 for no limit',
  },
  RATE_LIMIT_SOCKETS: requestsPerMinute(1_000),
  CONNECTIONS_PER_ADDRESS: { schema: wholeNumber(1, 1_000_000).default(1_000), must: 'be connections, 1 or more' },
  SOCKETS_PER_ADDRESS: { schema: wholeNumber(1, 1_000_000).default(1_000), must: 'be sockets, 1 or more' },
  DECLINES_PER_CARD: declinesPerHour(10),
  DECLINES_PER_ADDRESS: declinesPerHour(30),
  DECLINES_PER_BIN: declinesPerHour(100),
  DECLINES_PER_ACCOUNT: declinesPerHour(1_000),
  UPI_REQUESTS_PER_ADDRESS: upiRequestsPerHour(10),
  UPI_REQUESTS_PER_ACCOUNT: upiRequestsPerHour(10_000),
  REDIS_URL: {
    schema: url(['redis:', 'rediss:']),
    must: 'be an address like redis://user:password@host:6379/0, or rediss:// for TLS',
  },
  REDIS_TIMEOUT_MS: milliseconds(10, 10_000, 100),
  KEY_PROVIDER: {
    schema: z.enum(['plain', 'aws-kms', 'vault-transit']).default('plain'),
    must: 'be plain, aws-kms or vault-transit',
  },
  KEY_PROVIDER_TIMEOUT_MS: milliseconds(100, 60_000, 10_000),
  VAULT_ADDR: httpUrl('be the address of Vault or OpenBao, like https://vault.example:8200'),
  VAULT_TOKEN: { schema: text.regex(/^[\x21-\x7e]+$/), must: 'be a token of Vault or OpenBao' },
  VAULT_TOKEN_FILE: { schema: text, must: 'be the path of a file with the token' },
  VAULT_NAMESPACE: { schema: text.regex(/^[\x21-\x7e]+$/), must: 'be the name of a namespace of Vault or OpenBao' },
  VAULT_TRANSIT_MOUNT: {
    schema: text.regex(/^[\w.-]+(?:\/[\w.-]+)*$/).default('transit'),
    must: 'be the path where Transit is mounted, without slashes at its ends',
  },
  VAULT_TRANSIT_KEY: { schema: text, must: 'be the name of a key in Transit' },
  VAULT_KEYS: { schema: text, must: KEYS_MUST },
  VAULT_KEY_FILE: { schema: text, must: 'be the path of a file with the text that VAULT_KEYS would have' },
  CARD_KEYS: { schema: text, must: KEYS_MUST },
  CARD_KEY_FILE: { schema: text, must: 'be the path of a file with the text that CARD_KEYS would have' },
  CARD_PUBLIC_KEY: {
    schema: text.refine(isCardPublicKey),
    must: 'be keyId:key as `npm run card-key` prints it for CARD_KEYS',
  },
  SIMULATORS: {
    schema: list().transform(toSimulators).default([]),
    must: 'be name=address pairs like alpha=http://127.0.0.1:4001,beta=http://127.0.0.1:4002',
  },
  SIMULATOR_API_KEYS: {
    schema: secretsByName((key) => key.length >= SHORTEST_API_KEY).default(new Map()),
    must: 'be name=key pairs like alpha=…,beta=…, each with a key of its own of 16 characters or more',
  },
  SIMULATOR_WEBHOOK_SECRETS: {
    schema: secretsByName((secret) => WEBHOOK_SECRET.test(secret)).default(new Map()),
    must: 'be name=secret pairs like alpha=whsec_…,beta=whsec_…, each with a secret of its own of 24 bytes or more in base64',
  },
  SIMULATOR_API_KEY: { schema: text.min(SHORTEST_API_KEY), must: 'be a secret of 16 characters or more' },
  SIMULATOR_WEBHOOK_SECRET: {
    schema: text.regex(WEBHOOK_SECRET),
    must: 'be whsec_ followed by 24 bytes or more in base64',
  },
  PROVIDER_API_URLS: {
    schema: list().transform(toApiUrls).default(new Map()),
    must: 'be kind=address pairs like simulator=http://127.0.0.1:4001, each of a kind of provider',
  },
  PROVIDER_REQUESTS_PER_SECOND: {
    schema: list().transform(toRequestLimits).default(new Map()),
    must: 'be kind=number pairs like stripe=12,adyen=50, each of a kind with a vendor, and a number from 1 to 9999',
  },
  ALLOW_SIMULATOR_IN_PRODUCTION: flag(false),
  EVM_ACCOUNTS: {
    schema: text.transform(toAccounts).default([]),
    must: 'be JSON like [{"name":"evm","environment":"sandbox","credentials":{…}}]; docs/providers/evm.md describes it',
  },
  ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: flag(false),
  WEBHOOK_PROXY_URL: httpUrl('be the http(s) address of a proxy, like http://proxy.example:3128'),
  PROVIDER_TIMEOUT_MS: milliseconds(100, 50_000, 10_000),
  CONFIRM_WAIT_MS: milliseconds(100, 60_000, 15_000),
  FAILOVER_WITHIN_MS: milliseconds(30_000, 3_600_000, 120_000),
  WORKER_MAX_CACHED_WORKFLOWS: {
    schema: wholeNumber(1, 100_000).default(1_000),
    must: 'be a whole number from 1 to 100000',
  },
  WORKER_SHUTDOWN_GRACE_MS: milliseconds(0, 600_000, 10_000),
  WORKER_MAKE_CURRENT: flag(true),
  RETENTION_EVENT_DAYS: days(30),
  RETENTION_PROVIDER_EVENT_DAYS: days(30),
  RETENTION_PAYMENT_DAYS: days(2_555),
  RETENTION_REQUEST_DAYS: days(7),
  RECONCILE_EVERY_HOURS: { schema: wholeNumber(0, 168).default(6), must: 'be hours from 1 to 168, or 0 for never' },
  // Triggers of the table keep audit events for 90 days in any case.
  RETENTION_AUDIT_DAYS: { schema: wholeNumber(90, 3_650).default(400), must: 'be days from 90 to 3650' },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    must: 'be fatal, error, warn, info, debug, trace or silent',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl(
    'be the http(s) address of a collector that takes OTLP over HTTP, like http://127.0.0.1:4318',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: { schema: text.regex(/^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$/), must: 'be name=value pairs' },
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds(100, 60_000, 10_000),
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: text.regex(/^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$/),
    must: 'be name=value pairs like deployment.environment.name=production',
  },
  OTEL_TRACES_SAMPLER: {
    schema: z
      .enum([
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ])
      .default('parentbased_always_on'),
    must: 'be a sampler of OpenTelemetry, such as parentbased_traceidratio',
  },
  OTEL_TRACES_SAMPLER_ARG: { schema: text.regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/), must: 'be a share from 0 to 1' },
  SIMULATOR_NAME: { schema: text.regex(SIMULATOR_NAME), must: 'be a short lower-case name, for example alpha' },
  DEMO_HOST: { schema: text.default('127.0.0.1'), must: 'be an address to listen on' },
  SIMULATOR_HOST: { schema: text.default('127.0.0.1'), must: 'be an address to listen on' },
  SIMULATOR_PORT: PORT,
  SIMULATOR_DATA_FILE: { schema: text, must: 'be the path of the file that keeps its ledger' },
  SIMULATOR_WEBHOOK_URL: httpUrl('be the http(s) address that its webhooks go to'),
  SIMULATOR_PUBLIC_URL: httpUrl('be the http(s) address at which customers reach it'),
  DEMO_URL: httpUrl('be the http(s) address of the demo shop'),
  DEMO_PORT: port(4_003),
  DEMO_API_URL: httpUrl('be the http(s) address of the API'),
  DEMO_API_KEY: { schema: text.regex(/^svc_test_/), must: 'be an API key of the sandbox, which begins with svc_test_' },
  DEMO_SECRET_SALT: { schema: text, must: 'be the secret salt of that key' },
  DASHBOARD_PORT: port(3_003),
  DASHBOARD_URL: {
    schema: text.refine(isOrigin),
    must: 'be the origin of the dashboard, like https://dashboard.example',
  },
  DASHBOARD_API_URL: httpUrl('be the http(s) address of the API'),
  DASHBOARD_SECRET: {
    schema: text.min(SHORTEST_DASHBOARD_SECRET),
    must: 'be a secret of 32 characters or more, the same for the dashboard and the API',
  },
  REQUIRE_SECOND_FACTOR: flag(false),
  SESSION_HOURS: hours(24),
  STAFF_SESSION_HOURS: hours(8),
  STAFF_SESSION_IDLE_MINUTES: { schema: wholeNumber(1, 480).default(30), must: 'be minutes from 1 to 480' },
  SIGN_UP: { schema: z.enum(['open', 'invitation']).default('invitation'), must: 'be open or invitation' },
  OIDC_ISSUER: httpUrl('be the address of an OpenID provider, its issuer'),
  OIDC_CLIENT_ID: { schema: text, must: 'be the id of the client at the OpenID provider' },
  OIDC_CLIENT_SECRET: { schema: text, must: 'be the secret of that client' },
  OIDC_NAME: { schema: text.default('OpenID Connect'), must: 'be a name for people, like Example Login' },
  SMTP_URL: {
    schema: url(['smtp:', 'smtps:']),
    must: 'be an address like smtp://user:password@mail.example:587, or smtps:// for TLS from the start',
  },
  MAIL_FROM: { schema: text.regex(/@/), must: 'be an e-mail address, like Payments <payments@example.com>' },
  MAILBOX_PORT: port(4_004),
  MAILBOX_SMTP_PORT: port(4_005),
  DATA_DIR: { schema: text.default('.data'), must: 'be the path of a folder' },
  PORT_OFFSET: { schema: wholeNumber(0, 50_000).default(0), must: 'be a whole number from 0 to 50000' },
  POSTGRES_PORT: port(5_433),
  TEMPORAL_PORT: port(7_233),
  TEMPORAL_UI_PORT: port(8_233),
  SIMULATOR_ALPHA_PORT: port(4_001),
  SIMULATOR_BETA_PORT: port(4_002),
  TEMPORAL_TEST_SERVER: { schema: text, must: 'be the path of a time-skipping Temporal test server' },
} satisfies Record<string, { schema: z.ZodType; must: string }>;

export type VariableName = keyof typeof VARIABLES;
/** What a variable's text is parsed to. */
export type Value<Name extends VariableName> = z.output<(typeof VARIABLES)[Name]['schema']>;
export type Values<Name extends VariableName> = {
  [Key in Name]: undefined extends Input<Key> ? Value<Key> : Value<Key> | null;
};
type Input<Name extends VariableName> = z.input<(typeof VARIABLES)[Name]['schema']>;

/** Names of all variables that are read; `.env.example` describes each. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES);

/** The programs that read settings: processes of the engine, its commands, and those of the sandbox. */
export type ProgramName =
  | 'api'
  | 'gateway'
  | 'worker'
  | 'dashboard'
  | 'codec-server'
  | 'migrate'
  | 'simulator'
  | 'demo'
  | 'mailbox'
  | 'start'
  | 'test';

/** Of each variable, the programs that read it. An operator gives a process these and no others. */
export const READ_BY: Readonly<Record<VariableName, readonly ProgramName[]>> = {
  DATABASE_URL: ['api', 'gateway', 'worker', 'dashboard', 'migrate', 'start'],
  DATABASE_ALLOW_PLAINTEXT: ['api', 'gateway', 'worker', 'dashboard', 'migrate'],
  DATABASE_POOL_SIZE: ['api', 'gateway', 'worker', 'dashboard'],
  TEMPORAL_ADDRESS: ['api', 'worker', 'start'],
  TEMPORAL_NAMESPACE: ['api', 'worker', 'start'],
  TEMPORAL_UI_URL: ['api'],
  TEMPORAL_TLS: ['api', 'worker'],
  TEMPORAL_TLS_CA_FILE: ['api', 'worker'],
  TEMPORAL_TLS_CERT_FILE: ['api', 'worker'],
  TEMPORAL_TLS_KEY_FILE: ['api', 'worker'],
  TEMPORAL_TLS_SERVER_NAME: ['api', 'worker'],
  TEMPORAL_API_KEY: ['api', 'worker'],
  TEMPORAL_ALLOW_PLAINTEXT: ['api', 'worker'],
  TEMPORAL_ENCRYPT_PAYLOADS: ['api', 'worker', 'start'],
  CODEC_SERVER_HOST: ['codec-server'],
  CODEC_SERVER_PORT: ['codec-server', 'start'],
  CODEC_SERVER_ORIGINS: ['codec-server'],
  CODEC_SERVER_TOKEN: ['codec-server'],
  HOST: ['api', 'gateway', 'worker', 'dashboard'],
  PORT: ['api', 'start'],
  GATEWAY_IN_API: ['api'],
  GATEWAY_PORT: ['gateway'],
  WORKER_PORT: ['worker', 'start'],
  METRICS_ALLOWED_ADDRESSES: ['api', 'gateway', 'worker', 'dashboard'],
  API_DOCS: ['api'],
  SECURITY_CONTACT: ['api'],
  SOCKET_ORIGINS: ['api', 'gateway'],
  CARD_FIELDS_ORIGINS: ['api'],
  API_PUBLIC_URL: ['api', 'worker', 'dashboard'],
  TLS_CERT_FILE: ['api', 'gateway', 'dashboard', 'codec-server'],
  TLS_KEY_FILE: ['api', 'gateway', 'dashboard', 'codec-server'],
  TRUST_PROXY: ['api', 'gateway', 'dashboard'],
  RATE_LIMIT_SANDBOX: ['api', 'gateway'],
  RATE_LIMIT_PRODUCTION: ['api', 'gateway'],
  RATE_LIMIT_UNAUTHENTICATED: ['api', 'gateway', 'dashboard'],
  RATE_LIMIT_PERSON: ['api', 'gateway'],
  RATE_LIMIT_SOCKETS: ['api', 'gateway'],
  CONNECTIONS_PER_ADDRESS: ['api', 'gateway', 'dashboard'],
  SOCKETS_PER_ADDRESS: ['api', 'gateway'],
  DECLINES_PER_CARD: ['api'],
  DECLINES_PER_ADDRESS: ['api'],
  DECLINES_PER_BIN: ['api'],
  DECLINES_PER_ACCOUNT: ['api'],
  UPI_REQUESTS_PER_ADDRESS: ['api'],
  UPI_REQUESTS_PER_ACCOUNT: ['api'],
  REDIS_URL: ['api', 'gateway'],
  REDIS_TIMEOUT_MS: ['api', 'gateway'],
  KEY_PROVIDER: ['api', 'gateway', 'worker', 'codec-server'],
  KEY_PROVIDER_TIMEOUT_MS: ['api', 'gateway', 'worker', 'codec-server'],
  VAULT_ADDR: ['api', 'gateway', 'worker', 'codec-server'],
  VAULT_TOKEN: ['api', 'gateway', 'worker', 'codec-server'],
  VAULT_TOKEN_FILE: ['api', 'gateway', 'worker', 'codec-server'],
  VAULT_NAMESPACE: ['api', 'gateway', 'worker', 'codec-server'],
  VAULT_TRANSIT_MOUNT: ['api', 'gateway', 'worker', 'codec-server'],
  VAULT_TRANSIT_KEY: ['api', 'gateway', 'worker', 'codec-server'],
  VAULT_KEYS: ['api', 'gateway', 'worker', 'codec-server'],
  VAULT_KEY_FILE: ['api', 'gateway', 'worker', 'codec-server'],
  CARD_KEYS: ['worker'],
  CARD_KEY_FILE: ['worker'],
  CARD_PUBLIC_KEY: ['api'],
  SIMULATORS: ['api', 'worker', 'demo', 'dashboard'],
  SIMULATOR_API_KEYS: ['api', 'worker'],
  SIMULATOR_WEBHOOK_SECRETS: ['api', 'worker'],
  SIMULATOR_API_KEY: ['simulator'],
  SIMULATOR_WEBHOOK_SECRET: ['simulator'],
  PROVIDER_API_URLS: ['api', 'worker'],
  PROVIDER_REQUESTS_PER_SECOND: ['worker'],
  ALLOW_SIMULATOR_IN_PRODUCTION: ['api', 'worker'],
  EVM_ACCOUNTS: ['api', 'worker'],
  ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: ['api', 'worker'],
  WEBHOOK_PROXY_URL: ['api', 'worker'],
  PROVIDER_TIMEOUT_MS: ['worker'],
  CONFIRM_WAIT_MS: ['api'],
  FAILOVER_WITHIN_MS: ['api'],
  CONFIRM_TARGET_MS: ['api'],
  WORKER_MAX_CACHED_WORKFLOWS: ['worker'],
  WORKER_SHUTDOWN_GRACE_MS: ['worker'],
  WORKER_MAKE_CURRENT: ['worker'],
  RETENTION_EVENT_DAYS: ['worker'],
  RETENTION_PROVIDER_EVENT_DAYS: ['worker'],
  RETENTION_PAYMENT_DAYS: ['worker'],
  RETENTION_AUDIT_DAYS: ['worker'],
  RETENTION_REQUEST_DAYS: ['worker'],
  RECONCILE_EVERY_HOURS: ['worker'],
  LOG_LEVEL: ['api', 'gateway', 'worker', 'dashboard', 'codec-server', 'simulator'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['api', 'worker'],
  OTEL_EXPORTER_OTLP_HEADERS: ['api', 'worker'],
  OTEL_EXPORTER_OTLP_TIMEOUT: ['api', 'worker'],
  OTEL_RESOURCE_ATTRIBUTES: ['api', 'worker'],
  OTEL_TRACES_SAMPLER: ['api', 'worker'],
  OTEL_TRACES_SAMPLER_ARG: ['api', 'worker'],
  SIMULATOR_NAME: ['simulator'],
  DEMO_HOST: ['demo'],
  SIMULATOR_HOST: ['simulator'],
  SIMULATOR_PORT: ['simulator'],
  SIMULATOR_DATA_FILE: ['simulator'],
  SIMULATOR_WEBHOOK_URL: ['simulator'],
  SIMULATOR_PUBLIC_URL: ['simulator'],
  DEMO_URL: ['api', 'demo'],
  DEMO_PORT: ['demo', 'start'],
  DEMO_API_URL: ['demo'],
  DEMO_API_KEY: ['demo'],
  DEMO_SECRET_SALT: ['demo'],
  DASHBOARD_PORT: ['dashboard', 'start'],
  DASHBOARD_URL: ['dashboard', 'api'],
  DASHBOARD_API_URL: ['dashboard'],
  DASHBOARD_SECRET: ['dashboard', 'api'],
  REQUIRE_SECOND_FACTOR: ['api'],
  SESSION_HOURS: ['dashboard', 'api'],
  STAFF_SESSION_HOURS: ['dashboard', 'api'],
  STAFF_SESSION_IDLE_MINUTES: ['dashboard', 'api'],
  SIGN_UP: ['dashboard'],
  OIDC_ISSUER: ['dashboard'],
  OIDC_CLIENT_ID: ['dashboard'],
  OIDC_CLIENT_SECRET: ['dashboard'],
  OIDC_NAME: ['dashboard'],
  SMTP_URL: ['dashboard', 'api'],
  MAIL_FROM: ['dashboard', 'api'],
  MAILBOX_PORT: ['mailbox', 'start'],
  MAILBOX_SMTP_PORT: ['mailbox', 'start'],
  DATA_DIR: ['start'],
  PORT_OFFSET: ['start'],
  POSTGRES_PORT: ['start'],
  TEMPORAL_PORT: ['start'],
  TEMPORAL_UI_PORT: ['start'],
  SIMULATOR_ALPHA_PORT: ['start'],
  SIMULATOR_BETA_PORT: ['start'],
  TEMPORAL_TEST_SERVER: ['start', 'test'],
};

/** Variables that hold a secret, or name a file with one. */
export const SECRET_VARIABLES: readonly VariableName[] = [
  'DATABASE_URL',
  'TEMPORAL_TLS_KEY_FILE',
  'TEMPORAL_API_KEY',
  'CODEC_SERVER_TOKEN',
  'TLS_KEY_FILE',
  'REDIS_URL',
  'VAULT_TOKEN',
  'VAULT_TOKEN_FILE',
  'VAULT_KEYS',
  'VAULT_KEY_FILE',
  'CARD_KEYS',
  'CARD_KEY_FILE',
  'SIMULATOR_API_KEYS',
  'SIMULATOR_WEBHOOK_SECRETS',
  'SIMULATOR_API_KEY',
  'SIMULATOR_WEBHOOK_SECRET',
  'EVM_ACCOUNTS',
  'WEBHOOK_PROXY_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'DEMO_API_KEY',
  'DEMO_SECRET_SALT',
  'DASHBOARD_SECRET',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
];
