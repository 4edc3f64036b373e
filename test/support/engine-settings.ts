import type { Settings } from '../../config/read-variables.ts';
import { type Sandbox, provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { SIMULATORS } from '../../sandbox/stack/simulator-processes.ts';

/** The variables of an engine that runs for tests, of all its processes. */
export async function settingsOfEngine(sandbox: Sandbox, dataDir: string): Promise<Settings> {
  const { baseUrl, databaseUrl, temporalAddress, simulators } = sandbox;
  const secrets = await provideSecrets(dataDir);
  const pairs = (valueOf: (name: 'alpha' | 'beta') => string) =>
    SIMULATORS.map(({ name }) => `${name}=${valueOf(name)}`).join(',');
  return {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    VAULT_KEYS: secrets.vaultKeys,
    CARD_KEYS: secrets.cardKeys,
    CARD_PUBLIC_KEY: secrets.cardPublicKey,
    SIMULATORS: simulators.map(({ name, url }) => `${name}=${url}`).join(','),
    SIMULATOR_API_KEYS: pairs((name) => secrets.simulators[name].apiKey),
    SIMULATOR_WEBHOOK_SECRETS: pairs((name) => secrets.simulators[name].webhookSecret),
    ALLOW_SIMULATOR_IN_PRODUCTION: 'true',
    ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: 'true',
    DATABASE_POOL_SIZE: '3',
    LOG_LEVEL: 'warn',
    DASHBOARD_SECRET: secrets.dashboardSecret,
    DASHBOARD_URL: 'http://localhost:3003',
    DASHBOARD_API_URL: baseUrl,
    // No test of these processes sends a mail.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'payments@example.com',
    SIMULATOR_NAME: 'alpha',
    SIMULATOR_API_KEY: secrets.simulators.alpha.apiKey,
    SIMULATOR_WEBHOOK_SECRET: secrets.simulators.alpha.webhookSecret,
    SIMULATOR_WEBHOOK_URL: `${baseUrl}/api/v1/providers/alpha/webhooks`,
  };
}
