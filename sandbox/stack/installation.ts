import { existsSync } from 'node:fs';
import { isSet } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import { readStartConfig } from '../../config/sandbox.ts';
import { UserError } from '../../domain/user-error.ts';
import { waitForDatabase } from '../../prisma/connection/wait-for-database.ts';
import { provideSecrets, readSandbox, sandboxFileOf } from './data-folder.ts';

/** The settings that a command works with: those of the environment or, without a database in them, those of the running sandbox. */
export async function settingsOfInstallation(): Promise<Settings> {
  const { databaseUrl, dataDir, settings } = readStartConfig();
  if (databaseUrl !== null) return settings;
  const [sandbox, secrets] = [await readRunningSandbox(dataDir), await provideSecrets(dataDir)];
  return {
    ...settings,
    DATABASE_URL: sandbox.databaseUrl,
    TEMPORAL_ADDRESS: sandbox.temporalAddress,
    ...(isSet('VAULT_KEYS', settings) ? {} : { VAULT_KEYS: secrets.vaultKeys }),
    ...(isSet('CARD_KEYS', settings) ? {} : { CARD_KEYS: secrets.cardKeys }),
  };
}

/** The running sandbox, for a command without a DATABASE_URL. @throws UserError that names both, as an image has no sandbox to start */
export async function readRunningSandbox(dataDir: string): ReturnType<typeof readSandbox> {
  const problem = new UserError(
    `DATABASE_URL is not set, and no sandbox with the data folder ${dataDir} runs. Set DATABASE_URL, or run "npm start" in another terminal, in a clone of the repository.`,
  );
  if (!existsSync(sandboxFileOf(dataDir))) throw problem;
  const sandbox = await readSandbox(dataDir);
  await waitForDatabase(sandbox.databaseUrl, { giveUpAfterMs: 0 }).catch(() => {
    throw problem;
  });
  return sandbox;
}
