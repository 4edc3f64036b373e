import { readFileSync } from 'node:fs';
import type { KeyProviderSettings, TransitSettings } from '../domain/key-provider.ts';
import { required } from './read-variables.ts';
import { isEncryptedKeys, isPlainKeys, isSecureOrLocal } from './value-schemas.ts';
import { type VariableName, VARIABLES, type Values } from './variables.ts';

export interface VaultConfig {
  readonly keyProvider: KeyProviderSettings;
  /** `keyId:key[,keyId:key…]`; the first key encrypts. */
  readonly vaultKeys: string;
}

const KEY_PROVIDER_VARIABLES = [
  'KEY_PROVIDER',
  'KEY_PROVIDER_TIMEOUT_MS',
  'VAULT_ADDR',
  'VAULT_TOKEN',
  'VAULT_TOKEN_FILE',
  'VAULT_NAMESPACE',
  'VAULT_TRANSIT_MOUNT',
  'VAULT_TRANSIT_KEY',
] as const satisfies readonly VariableName[];

export const VAULT_VARIABLES = [
  ...KEY_PROVIDER_VARIABLES,
  'VAULT_KEYS',
  'VAULT_KEY_FILE',
] as const satisfies readonly VariableName[];

export const CARD_KEY_VARIABLES = [
  ...KEY_PROVIDER_VARIABLES,
  'CARD_KEYS',
  'CARD_KEY_FILE',
] as const satisfies readonly VariableName[];

type ProviderValues = Values<(typeof KEY_PROVIDER_VARIABLES)[number]>;

/** The root keys, and who decrypts them. */
export function vaultConfig(values: Values<(typeof VAULT_VARIABLES)[number]>, problems: string[]): VaultConfig {
  const { KEY_PROVIDER: provider, VAULT_KEYS: keys, VAULT_KEY_FILE: file } = values;
  return {
    keyProvider: keyProvider(values, problems),
    vaultKeys: keysOf({ keys, keysVariable: 'VAULT_KEYS', file, fileVariable: 'VAULT_KEY_FILE', provider }, problems),
  };
}

/** The root keys, for processes that can do without them; null where they are not set. */
export function vaultConfigIfSet(
  values: Values<(typeof VAULT_VARIABLES)[number]>,
  problems: string[],
): VaultConfig | null {
  return values.VAULT_KEYS === null && values.VAULT_KEY_FILE === null ? null : vaultConfig(values, problems);
}

/** The private card keys, in the form of `vaultKeys`. */
export function cardKeys(values: Values<(typeof CARD_KEY_VARIABLES)[number]>, problems: string[]): string {
  const { KEY_PROVIDER: provider, CARD_KEYS: keys, CARD_KEY_FILE: file } = values;
  return keysOf({ keys, keysVariable: 'CARD_KEYS', file, fileVariable: 'CARD_KEY_FILE', provider }, problems);
}

/** The private card keys and who decrypts them, for commands that need no root keys. */
export function cardKeyConfig(values: Values<(typeof CARD_KEY_VARIABLES)[number]>, problems: string[]) {
  return { keyProvider: keyProvider(values, problems), cardKeys: cardKeys(values, problems) };
}

interface KeySource {
  readonly keys: string | null;
  readonly keysVariable: 'VAULT_KEYS' | 'CARD_KEYS';
  readonly file: string | null;
  readonly fileVariable: 'VAULT_KEY_FILE' | 'CARD_KEY_FILE';
  readonly provider: ProviderValues['KEY_PROVIDER'];
}

/** The keys in a variable, or in the file that another one names. */
function keysOf({ keys, keysVariable, file, fileVariable, provider }: KeySource, problems: string[]): string {
  if (keys !== null && file !== null) problems.push(`Only one of ${keysVariable} and ${fileVariable} may be set.`);
  const isUsable = provider === 'plain' ? isPlainKeys : isEncryptedKeys;
  const { must } = VARIABLES[keysVariable];
  if (file === null) {
    const text = required(keys, keysVariable, '', problems);
    if (keys !== null && !isUsable(text)) problems.push(`${keysVariable} must ${must}.`);
    return text;
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (isUsable(text)) return text;
    problems.push(`The file that ${fileVariable} names must hold a text that would ${must}.`);
  } catch {
    problems.push(`The file that ${fileVariable} names cannot be read.`);
  }
  return '';
}

function keyProvider(values: ProviderValues, problems: string[]): KeyProviderSettings {
  const { KEY_PROVIDER: name, KEY_PROVIDER_TIMEOUT_MS: timeoutMs } = values;
  switch (name) {
    case 'plain':
      return { name };
    case 'aws-kms':
      return { name, timeoutMs };
    case 'vault-transit':
      return { name, timeoutMs, transit: transitConfig(values, problems) };
  }
}

function transitConfig(values: ProviderValues, problems: string[]): TransitSettings {
  const { VAULT_TOKEN: token, VAULT_TOKEN_FILE: tokenFile, VAULT_NAMESPACE: namespace } = values;
  if ((token === null) === (tokenFile === null)) {
    problems.push('KEY_PROVIDER=vault-transit needs either VAULT_TOKEN or VAULT_TOKEN_FILE.');
  }
  const address = new URL(required(values.VAULT_ADDR, 'VAULT_ADDR', 'https://unset.invalid', problems));
  if (!isSecureOrLocal(address.href)) {
    problems.push('VAULT_ADDR names another machine, so it must begin with https://.');
  }
  return {
    address,
    token,
    tokenFile,
    namespace,
    mount: values.VAULT_TRANSIT_MOUNT,
    key: required(values.VAULT_TRANSIT_KEY, 'VAULT_TRANSIT_KEY', '', problems),
  };
}
