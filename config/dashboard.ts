import type { SessionLimits } from '../domain/session-limits.ts';
import { databaseUrl } from './database.ts';
import { type ServerConfig, tlsFiles } from './engine.ts';
import { type MailConfig, mailConfig } from './mail.ts';
import { readVariablesOf, required, type Settings, throwIfAny } from './read-variables.ts';
import { sessionLimits } from './session-limits.ts';
import { isSecureOrLocal } from './value-schemas.ts';
import type { Value, Values } from './variables.ts';

/** Where people may sign in with an account of their company. */
interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For the button. */
  readonly name: string;
}

export interface DashboardConfig extends Pick<
  ServerConfig,
  | 'databaseUrl'
  | 'databasePoolSize'
  | 'logLevel'
  | 'host'
  | 'port'
  | 'metricsAllowedAddresses'
  | 'tls'
  | 'trustProxy'
  | 'connectionsPerAddress'
> {
  /** The origin that browsers see. */
  readonly publicUrl: string;
  readonly apiUrl: string;
  /** Where merchants' servers reach the API, for the pages; null where nobody has said it. */
  readonly publicApiUrl: string | null;
  /** Signs cookies, and encrypts what belongs to second factors. */
  readonly secret: string;
  readonly signUp: Value<'SIGN_UP'>;
  /** The names of the simulators that payments of new merchants in the sandbox go to. */
  readonly simulators: readonly string[];
  readonly openIdProvider: OpenIdProvider | null;
  readonly mail: MailConfig;
  /** Rejected requests per minute and address. */
  readonly rejectionsPerMinute: number;
  readonly sessionLimits: SessionLimits;
}

/** Configuration of the dashboard's process. @throws ConfigError */
export function readDashboardConfig(settings: Settings = process.env): DashboardConfig {
  const { values, problems } = readVariablesOf('dashboard', settings);
  const mail = mailConfig(values, problems);
  if (mail === null) required(values.SMTP_URL, 'SMTP_URL', '', problems);
  const config = {
    databaseUrl: databaseUrl(values, problems),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    logLevel: values.LOG_LEVEL,
    host: values.HOST,
    port: values.DASHBOARD_PORT,
    publicUrl: publicUrl(required(values.DASHBOARD_URL, 'DASHBOARD_URL', '', problems), problems),
    apiUrl: required(values.DASHBOARD_API_URL, 'DASHBOARD_API_URL', '', problems).replace(/\/+$/, ''),
    publicApiUrl: values.API_PUBLIC_URL ?? null,
    secret: required(values.DASHBOARD_SECRET, 'DASHBOARD_SECRET', '', problems),
    signUp: values.SIGN_UP,
    simulators: values.SIMULATORS.map(({ name }) => name),
    openIdProvider: openIdProvider(values, problems),
    mail: mail ?? { smtpUrl: '', from: '' },
    metricsAllowedAddresses: values.METRICS_ALLOWED_ADDRESSES,
    tls: tlsFiles(values, problems),
    trustProxy: values.TRUST_PROXY,
    connectionsPerAddress: values.CONNECTIONS_PER_ADDRESS,
    rejectionsPerMinute: values.RATE_LIMIT_UNAUTHENTICATED,
    sessionLimits: sessionLimits(values),
  };
  throwIfAny(problems);
  return config;
}

/** Cookies of a plain HTTP page could be read on the way. */
function publicUrl(url: string, problems: string[]): string {
  if (url !== '' && !isSecureOrLocal(url)) {
    problems.push('DASHBOARD_URL can be reached by other machines, so it must begin with https://.');
  }
  return url.replace(/\/+$/, '');
}

function openIdProvider(
  values: Values<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME'>,
  problems: string[],
): DashboardConfig['openIdProvider'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = values;
  if (issuer !== null && clientId !== null && clientSecret !== null) {
    if (!isSecureOrLocal(issuer)) problems.push('OIDC_ISSUER names another machine, so it must begin with https://.');
    return { issuer: issuer.replace(/\/+$/, ''), clientId, clientSecret, name };
  }
  if (issuer !== null || clientId !== null || clientSecret !== null) {
    problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together or not at all.');
  }
  return null;
}
