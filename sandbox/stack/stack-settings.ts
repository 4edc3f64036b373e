import { isSet } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import type { Sandbox, Secrets } from './data-folder.ts';
import { demoUrlOf } from './demo-process.ts';
import { type EngineRole, roleNameOf } from '../../prisma/grants.ts';
import { embeddedDatabaseUrl } from './postgres.ts';
import { dashboardSettings, dashboardUrlOf, mailboxUrlOf } from './dashboard-process.ts';
import { SANDBOX_ACCOUNTS, SANDBOX_PERSON } from './sandbox-data.ts';
import { SIMULATORS } from './simulator-processes.ts';
import type { StackOptions } from './stack-options.ts';

/** What clients of this stack need to know. */
export function sandboxOf(options: StackOptions, secrets: Secrets): Sandbox {
  const { ports, dashboardPorts } = options;
  const temporalAddress = options.temporalAddress ?? `127.0.0.1:${ports.temporal}`;
  const [host] = temporalAddress.split(':');
  return {
    baseUrl: `http://127.0.0.1:${ports.api}`,
    apiKey: secrets.apiKey,
    secretSalt: secrets.secretSalt,
    signatureVersion: 2,
    merchantId: SANDBOX_ACCOUNTS[0].id,
    temporalAddress,
    temporalUi: `http://${host}:${ports.temporalUi}`,
    databaseUrl: options.databaseUrl ?? embeddedDatabaseUrl(ports.postgres, 'owner', secrets.databasePasswords.owner),
    simulators: SIMULATORS.map(({ name, port }) => ({ name, url: `http://127.0.0.1:${ports[port]}` })),
    ...(dashboardPorts == null
      ? {}
      : {
          dashboard: {
            url: dashboardUrlOf(dashboardPorts),
            email: SANDBOX_PERSON.email,
            password: secrets.personPassword,
            mailbox: mailboxUrlOf(dashboardPorts),
          },
        }),
  };
}

/** The address of the database for a process of the engine: the embedded one gives each its own role. */
export function databaseUrlFor(
  role: EngineRole,
  { databaseUrl, hasRoles = false, ports }: StackOptions,
  { databasePasswords }: Secrets,
): string {
  if (databaseUrl == null) return embeddedDatabaseUrl(ports.postgres, role, databasePasswords[role]);
  return hasRoles ? withUser(databaseUrl, roleNameOf(role), databasePasswords[role]) : databaseUrl;
}

function withUser(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  return url.href;
}

/** The variables of all processes of the engine, which are given DATABASE_URL each for its own role. */
export function engineSettings(options: StackOptions, secrets: Secrets, sandbox: Sandbox): Settings {
  const { settings, overrides, ports, temporalNamespace = 'default' } = options;
  return {
    ...settings,
    ...keysToUse(settings, secrets),
    TEMPORAL_ADDRESS: sandbox.temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    TEMPORAL_UI_URL: settings.TEMPORAL_UI_URL || sandbox.temporalUi,
    HOST: settings.HOST || '127.0.0.1',
    // Webhooks are tried out with a receiver on this machine.
    ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: settings.ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX || 'true',
    PORT: String(ports.api),
    API_PUBLIC_URL: settings.API_PUBLIC_URL || `http://127.0.0.1:${ports.api}`,
    ...(options.demoPort == null ? {} : { DEMO_URL: settings.DEMO_URL || demoUrlOf(options.demoPort) }),
    ...(options.dashboardPorts == null
      ? {}
      : dashboardSettings(options.dashboardPorts, settings, secrets.dashboardSecret)),
    SIMULATORS: sandbox.simulators.map(({ name, url }) => `${name}=${url}`).join(','),
    SIMULATOR_API_KEYS: SIMULATORS.map(({ name }) => `${name}=${secrets.simulators[name].apiKey}`).join(','),
    SIMULATOR_WEBHOOK_SECRETS: SIMULATORS.map(({ name }) => `${name}=${secrets.simulators[name].webhookSecret}`).join(
      ',',
    ),
    // Accounts of the kind `simulator` are tried out with the first one, whose key is in the data folder.
    PROVIDER_API_URLS: settings.PROVIDER_API_URLS || `simulator=${sandbox.simulators[0]?.url ?? ''}`,
    ...overrides,
  };
}

/** The sandbox's own keys, unless others are set. A key pair is used whole or not at all. */
function keysToUse(settings: Settings, { vaultKeys, cardKeys, cardPublicKey }: Secrets): Settings {
  return {
    ...(isSet('VAULT_KEYS', settings) ? {} : { VAULT_KEYS: vaultKeys }),
    ...(isSet('CARD_KEYS', settings) || isSet('CARD_PUBLIC_KEY', settings)
      ? {}
      : { CARD_KEYS: cardKeys, CARD_PUBLIC_KEY: cardPublicKey }),
  };
}
