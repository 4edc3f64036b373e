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
  'VAULT_NAMESPACE',
  'VAULT_TRANSIT_MOUNT',
  'VAULT_TRANSIT_KEY',
] as const satisfies readonly VariableName[];

export const VAULT_VARIABLES = [...KEY_PROVIDER_VARIABLES, 'VAULT_KEYS'] as const satisfies readonly VariableName[];

export const CARD_KEY_VARIABLES = [...KEY_PROVIDER_VARIABLES, 'CARD_KEYS'] as const satisfies readonly VariableName[];

type ProviderValues = Values<(typeof KEY_PROVIDER_VARIABLES)[number]>;
type ProviderName = ProviderValues['KEY_PROVIDER'];

/** The root keys, and who decrypts them. */
export function vaultConfig(values: Values<(typeof VAULT_VARIABLES)[number]>, problems: string[]): VaultConfig {
  return {
    keyProvider: keyProvider(values, problems),
    vaultKeys: keysOf('VAULT_KEYS', values.VAULT_KEYS, values.KEY_PROVIDER, problems),
  };
}

/** The root keys, for processes that can do without them; null where they are not set. */
export function vaultConfigIfSet(
  values: Values<(typeof VAULT_VARIABLES)[number]>,
  problems: string[],
): VaultConfig | null {
  return values.VAULT_KEYS === null ? null : vaultConfig(values, problems);
}

/** The private card keys, in the form of `vaultKeys`. */
export function cardKeys(values: Values<(typeof CARD_KEY_VARIABLES)[number]>, problems: string[]): string {
  return keysOf('CARD_KEYS', values.CARD_KEYS, values.KEY_PROVIDER, problems);
}

/** The private card keys and who decrypts them, for commands that need no root keys. */
export function cardKeyConfig(values: Values<(typeof CARD_KEY_VARIABLES)[number]>, problems: string[]) {
  return { keyProvider: keyProvider(values, problems), cardKeys: cardKeys(values, problems) };
}

/** The keys in a variable, as its key provider encrypted them or not. */
function keysOf(
  name: 'VAULT_KEYS' | 'CARD_KEYS',
  keys: string | null,
  provider: ProviderName,
  problems: string[],
): string {
  const isUsable = provider === 'plain' ? isPlainKeys : isEncryptedKeys;
  const text = required(keys, name, '', problems);
  if (keys !== null && !isUsable(text)) problems.push(`${name} must ${VARIABLES[name].must}.`);
  return text;
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
  const address = new URL(required(values.VAULT_ADDR, 'VAULT_ADDR', 'https://unset.invalid', problems));
  if (!isSecureOrLocal(address.href)) {
    problems.push('VAULT_ADDR names another machine, so it must begin with https://.');
  }
  return {
    address,
    token: required(values.VAULT_TOKEN, 'VAULT_TOKEN', '', problems),
    namespace: values.VAULT_NAMESPACE,
    mount: values.VAULT_TRANSIT_MOUNT,
    key: required(values.VAULT_TRANSIT_KEY, 'VAULT_TRANSIT_KEY', '', problems),
  };
}
