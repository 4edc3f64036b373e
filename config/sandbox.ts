import path from 'node:path';
import { settingsForOtherPrograms } from './programs.ts';
import { readVariablesOf, required, type Settings, throwIfAny } from './read-variables.ts';
import { readToolsConfig, type ToolsConfig } from './tools.ts';
import type { SimulatorAddress } from './value-schemas.ts';
import { HIGHEST_PORT, PORT_VARIABLES, type Value } from './variables.ts';

export interface SimulatorConfig {
  readonly name: string;
  readonly host: string;
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
  /** Where browsers reach the shop; null means on this machine. */
  readonly publicUrl: string | null;
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
  /** Health and metrics of the worker. */
  readonly worker: number;
}

export interface StartConfig {
  readonly dataDir: string;
  /** Where the worker has no port, the stack finds one. */
  readonly ports: Omit<StackPorts, 'worker'> & { readonly worker: number | null };
  readonly demoPort: number;
  /** Of the dashboard, of the page with its mails, and of the mail server. */
  readonly dashboardPorts: { readonly dashboard: number; readonly mailbox: number; readonly mailboxSmtp: number };
  /** Where the codec server is to be; null where payloads are not encrypted. */
  readonly codecServerPort: number | null;
  /** A database that runs already; null means an embedded one. */
  readonly databaseUrl: string | null;
  /** A Temporal server that runs already; null means an embedded one. */
  readonly temporalAddress: string | null;
  readonly temporalNamespace: string;
  readonly tools: ToolsConfig;
  /** The variables that the started processes inherit. */
  readonly settings: Settings;
  /** Whether npm started this process. */
  readonly underNpm: boolean;
}

/** Configuration of one sandbox simulator. @throws ConfigError */
export function readSimulatorConfig(settings: Settings = process.env): SimulatorConfig {
  const { values, problems } = readVariablesOf('simulator', settings);
  const simulatorPort = required(values.SIMULATOR_PORT, 'SIMULATOR_PORT', 0, problems);
  const config = {
    name: required(values.SIMULATOR_NAME, 'SIMULATOR_NAME', '', problems),
    host: values.SIMULATOR_HOST,
    port: simulatorPort,
    dataFile: required(values.SIMULATOR_DATA_FILE, 'SIMULATOR_DATA_FILE', '', problems),
    webhookUrl: required(values.SIMULATOR_WEBHOOK_URL, 'SIMULATOR_WEBHOOK_URL', '', problems),
    publicUrl: values.SIMULATOR_PUBLIC_URL ?? `http://127.0.0.1:${simulatorPort}`,
    apiKey: required(values.SIMULATOR_API_KEY, 'SIMULATOR_API_KEY', '', problems),
    webhookSecret: required(values.SIMULATOR_WEBHOOK_SECRET, 'SIMULATOR_WEBHOOK_SECRET', '', problems),
    logLevel: values.LOG_LEVEL,
  };
  throwIfAny(problems);
  return config;
}

/** Configuration of the demo shop, which works with sandbox keys only. @throws ConfigError */
export function readDemoConfig(settings: Settings = process.env): DemoConfig {
  const { values, problems } = readVariablesOf('demo', settings);
  const config = {
    host: values.DEMO_HOST,
    port: values.DEMO_PORT,
    publicUrl: values.DEMO_URL,
    apiUrl: required(values.DEMO_API_URL, 'DEMO_API_URL', '', problems).replace(/\/+$/, ''),
    apiKey: required(values.DEMO_API_KEY, 'DEMO_API_KEY', '', problems),
    secretSalt: required(values.DEMO_SECRET_SALT, 'DEMO_SECRET_SALT', '', problems),
    simulators: values.SIMULATORS,
  };
  throwIfAny(problems);
  return config;
}

/** Configuration of the mailbox. @throws ConfigError */
export function readMailboxConfig(settings: Settings = process.env): {
  readonly port: number;
  readonly smtpPort: number;
} {
  const { values, problems } = readVariablesOf('mailbox', settings);
  throwIfAny(problems);
  return { port: values.MAILBOX_PORT, smtpPort: values.MAILBOX_SMTP_PORT };
}

/** Configuration of `npm start`. @throws ConfigError */
export function readStartConfig(settings: Settings = process.env): StartConfig {
  const { values, problems } = readVariablesOf('start', settings);
  const portOf = (name: (typeof PORT_VARIABLES)[number]) => values[name] + values.PORT_OFFSET;
  const ports = {
    api: portOf('PORT'),
    postgres: portOf('POSTGRES_PORT'),
    temporal: portOf('TEMPORAL_PORT'),
    temporalUi: portOf('TEMPORAL_UI_PORT'),
    simulatorAlpha: portOf('SIMULATOR_ALPHA_PORT'),
    simulatorBeta: portOf('SIMULATOR_BETA_PORT'),
    worker: values.WORKER_PORT,
  };
  const dashboardPorts = {
    dashboard: portOf('DASHBOARD_PORT'),
    mailbox: portOf('MAILBOX_PORT'),
    mailboxSmtp: portOf('MAILBOX_SMTP_PORT'),
  };
  const namedPorts = [
    ...PORT_VARIABLES.map((name) => ({ name, port: portOf(name) })),
    { name: 'WORKER_PORT', port: values.WORKER_PORT },
  ];
  const tooHigh = namedPorts.filter(({ port }) => port !== null && port > HIGHEST_PORT).map(({ name }) => name);
  if (tooHigh.length > 0) problems.push(`${tooHigh.join(', ')} with PORT_OFFSET must be at most ${HIGHEST_PORT}.`);
  const clashing = namedPorts.filter(
    ({ name, port }) => port !== null && namedPorts.some((other) => other.name !== name && other.port === port),
  );
  if (clashing.length > 0) problems.push(`${clashing.map(({ name }) => name).join(' and ')} must differ.`);
  throwIfAny(problems);
  return {
    dataDir: path.resolve(values.DATA_DIR),
    ports,
    demoPort: portOf('DEMO_PORT'),
    dashboardPorts,
    codecServerPort: values.TEMPORAL_ENCRYPT_PAYLOADS ? portOf('CODEC_SERVER_PORT') : null,
    databaseUrl: values.DATABASE_URL,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    tools: readToolsConfig(settings),
    settings,
    underNpm: settings.npm_lifecycle_event !== undefined,
  };
}

/** What a temporary engine inherits: all variables but those that configure another engine. @throws ConfigError */
export function readTemporaryStackConfig(settings: Settings = process.env): Pick<StartConfig, 'tools' | 'settings'> {
  return { tools: readToolsConfig(settings), settings: settingsForOtherPrograms(settings) };
}
