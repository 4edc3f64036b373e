import { readVaultConfig } from '../../config/commands.ts';
import type { Settings } from '../../config/read-variables.ts';
import { readKeyring } from '../../vault/key-providers.ts';
import { type Keyring, parseKeyring } from '../../vault/keyring.ts';
import type { Secrets } from './data-folder.ts';

/**
 * The root keys that the sandbox's API has: those of the settings, or else those of the data folder.
 * @param settings default: the environment variables of this process
 */
export async function sandboxKeyring({ vaultKeys }: Pick<Secrets, 'vaultKeys'>, settings?: Settings): Promise<Keyring> {
  const config = readVaultConfig(settings);
  return config === null ? parseKeyring(vaultKeys) : readKeyring(config);
}
