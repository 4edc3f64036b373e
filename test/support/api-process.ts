import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { getDataDir, getStack } from './stack.ts';

/** One more API process on the database and the Temporal server of the running engine. */
export type ApiProcess = ServerProcess;

/** Starts one on a free port, with settings of its own. */
export async function startApi(settings: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const { vaultKeys, cardPublicKey } = await provideSecrets(getDataDir());
  return startServerProcess({
    program: 'api/main',
    portVariable: 'PORT',
    settings: {
      TEMPORAL_ADDRESS: getStack().sandbox.temporalAddress,
      VAULT_KEYS: vaultKeys,
      CARD_PUBLIC_KEY: cardPublicKey,
      ...settings,
    },
  });
}

/** A gateway alone, on the database of the running engine. */
export function startGatewayProcess(settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  return startServerProcess({ program: 'gateway/main', portVariable: 'GATEWAY_PORT', settings });
}
