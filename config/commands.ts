import { DATABASE_VARIABLES, databaseUrl } from './database.ts';
import { readVariables, type Settings, throwIfAny } from './read-variables.ts';
import { TEMPORAL_VARIABLES, type TemporalConfig, temporalConfig } from './temporal.ts';
import {
  CARD_KEY_VARIABLES,
  cardKeyConfig,
  cardKeys,
  VAULT_VARIABLES,
  type VaultConfig,
  vaultConfig,
  vaultConfigIfSet,
} from './vault.ts';

/** The root keys, for scripts that can do without them; null where they are not set. @throws ConfigError */
export function readVaultConfig(settings: Settings = process.env): VaultConfig | null {
  const { values, problems } = readVariables(settings, VAULT_VARIABLES);
  const config = vaultConfigIfSet(values, problems);
  throwIfAny(problems);
  return config;
}

/** What `rewrap` needs: all keys, and the database with what they encrypt. */
export interface RewrapConfig extends VaultConfig {
  readonly databaseUrl: string;
  readonly cardKeys: string;
}

/** Configuration of `rewrap`. @throws ConfigError */
export function readRewrapConfig(settings: Settings = process.env): RewrapConfig {
  const { values, problems } = readVariables(settings, [
    ...DATABASE_VARIABLES,
    ...VAULT_VARIABLES,
    ...CARD_KEY_VARIABLES,
  ]);
  const config = {
    databaseUrl: databaseUrl(values, problems),
    ...vaultConfig(values, problems),
    cardKeys: cardKeys(values, problems),
  };
  throwIfAny(problems);
  return config;
}

/** What `reconcile` needs to start a workflow and to read its rows. */
export interface ReconcileConfig extends VaultConfig {
  readonly databaseUrl: string;
  readonly temporal: TemporalConfig;
}

/** Configuration of `reconcile`. @throws ConfigError */
export function readReconcileConfig(settings: Settings = process.env): ReconcileConfig {
  const { values, problems } = readVariables(settings, [
    ...DATABASE_VARIABLES,
    ...TEMPORAL_VARIABLES,
    ...VAULT_VARIABLES,
  ]);
  const config = {
    databaseUrl: databaseUrl(values, problems),
    temporal: temporalConfig(values, problems),
    ...vaultConfig(values, problems),
  };
  throwIfAny(problems);
  return config;
}

/** What `doctor` needs, the command that checks an installation. */
export interface DoctorConfig extends ReconcileConfig {
  /** Null where they are not set. */
  readonly cardKeys: string | null;
  /** Most connections that each process opens. */
  readonly poolSize: number;
  readonly dataDir: string;
}

/** Configuration of `doctor`. @throws ConfigError */
export function readDoctorConfig(settings: Settings = process.env): DoctorConfig {
  const { values, problems } = readVariables(settings, ['DATABASE_POOL_SIZE', 'DATA_DIR']);
  throwIfAny(problems);
  return {
    ...readReconcileConfig(settings),
    cardKeys: readCardKeyConfig(settings)?.cardKeys ?? null,
    poolSize: values.DATABASE_POOL_SIZE,
    dataDir: values.DATA_DIR,
  };
}

/** The private card keys, for the command that prints the public ones; null where none is set. @throws ConfigError */
export function readCardKeyConfig(settings: Settings = process.env): ReturnType<typeof cardKeyConfig> | null {
  const { values, problems } = readVariables(settings, CARD_KEY_VARIABLES);
  if (values.CARD_KEYS === null) return null;
  const config = cardKeyConfig(values, problems);
  throwIfAny(problems);
  return config;
}

/** The address of the database, for scripts that need nothing else. @throws ConfigError */
export function readDatabaseUrl(settings: Settings = process.env): string {
  const { values, problems } = readVariables(settings, DATABASE_VARIABLES);
  const url = databaseUrl(values, problems);
  throwIfAny(problems);
  return url;
}
