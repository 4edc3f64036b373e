import { readDatabaseUrl } from '../../config/commands.ts';
import { readDashboardConfig } from '../../config/dashboard.ts';
import { readApiConfig, readCodecServerConfig, readGatewayConfig, readWorkerConfig } from '../../config/engine.ts';
import type { Settings } from '../../config/read-variables.ts';
import { readDemoConfig, readMailboxConfig, readSimulatorConfig, readStartConfig } from '../../config/sandbox.ts';
import { readToolsConfig } from '../../config/tools.ts';
import type { ProgramName } from '../../config/variables.ts';

/** What each program reads its settings with. */
export const CONFIG_READERS: Readonly<Record<ProgramName, (settings: Settings) => unknown>> = {
  api: readApiConfig,
  gateway: readGatewayConfig,
  worker: readWorkerConfig,
  'codec-server': readCodecServerConfig,
  migrate: readDatabaseUrl,
  simulator: readSimulatorConfig,
  demo: readDemoConfig,
  dashboard: readDashboardConfig,
  mailbox: readMailboxConfig,
  start: readStartConfig,
  test: readToolsConfig,
};
