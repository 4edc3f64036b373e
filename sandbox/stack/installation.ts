import type { Settings } from '../../config/read-variables.ts';
import { readStartConfig } from '../../config/sandbox.ts';
import { UserError } from '../../domain/user-error.ts';
import { provideSecrets, readSandbox } from './data-folder.ts';

/** The settings that a command works with: those of the environment or, without a database in them, those of the running sandbox. */
export async function settingsOfInstallation(): Promise<Settings> {
  const { databaseUrl, dataDir, settings } = readStartConfig();
  if (databaseUrl !== null) return settings;
  const [sandbox, secrets] = [await readRunningSandbox(dataDir), await provideSecrets(dataDir)];
  const hasRootKeys = Boolean(settings.VAULT_KEYS ?? settings.VAULT_KEY_FILE);
  const hasCardKeys = Boolean(settings.CARD_KEYS ?? settings.CARD_KEY_FILE);
  return {
    ...settings,
    DATABASE_URL: sandbox.databaseUrl,
    TEMPORAL_ADDRESS: sandbox.temporalAddress,
    ...(hasRootKeys ? {} : { VAULT_KEYS: secrets.vaultKeys }),
    ...(hasCardKeys ? {} : { CARD_KEYS: secrets.cardKeys }),
  };
}

/** The running sandbox, for a command without a DATABASE_URL. @throws UserError that names both, as an image has no sandbox to start */
export async function readRunningSandbox(dataDir: string): ReturnType<typeof readSandbox> {
  try {
    return await readSandbox(dataDir);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`DATABASE_URL is not set. ${error.message}`);
  }
}
