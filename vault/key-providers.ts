import { z } from 'zod';
import { parseJson } from '../domain/json.ts';
import type { KeyProviderSettings, TransitSettings } from '../domain/key-provider.ts';
import { decodeKey, KEY_BYTES, type NamedKey, type NamedText, parseKeyTexts } from '../domain/named-keys.ts';
import { UserError } from '../domain/user-error.ts';
import { createKeyring, type Keyring } from './keyring.ts';

/** Turns the text of a key in its setting into the key. A process calls it only at its start. */
interface KeyProvider {
  /** @throws Error that says what is wrong, without the key or a credential */
  decrypt(key: NamedText, signal: AbortSignal): Promise<NamedKey>;
  close(): void;
}

/**
 * Reads the keys of a setting, and has them decrypted if they are encrypted.
 * @param variable the setting's name, for messages
 * @throws UserError that names the setting, the key and what is wrong
 */
export async function readKeys(
  variable: string,
  text: string,
  settings: KeyProviderSettings,
): Promise<readonly [NamedKey, ...NamedKey[]]> {
  const [first, ...others] = parseKeyTexts(text);
  const provider = await openProvider(settings);
  const read = (key: NamedText) =>
    provider.decrypt(key, timeoutOf(settings)).catch((error: unknown) => {
      throw new UserError(`The key ${key.id} of ${variable} cannot be used: ${reasonOf(error, settings)}`);
    });
  try {
    return await Promise.all([read(first), ...others.map(read)]);
  } finally {
    provider.close();
  }
}

/** The root keys of a process, from its configuration. @throws UserError as `readKeys` does */
export async function readKeyring(config: {
  readonly vaultKeys: string;
  readonly keyProvider: KeyProviderSettings;
}): Promise<Keyring> {
  return createKeyring(await readKeys('VAULT_KEYS', config.vaultKeys, config.keyProvider));
}

function timeoutOf(settings: KeyProviderSettings): AbortSignal {
  return settings.name === 'plain' ? new AbortController().signal : AbortSignal.timeout(settings.timeoutMs);
}

const TIMEOUTS: readonly string[] = ['TimeoutError', 'AbortError'];

function reasonOf(error: unknown, settings: KeyProviderSettings): string {
  if (!(error instanceof Error)) return String(error);
  if (settings.name !== 'plain' && TIMEOUTS.includes(error.name)) {
    return `${settings.name} did not answer within ${settings.timeoutMs} ms (KEY_PROVIDER_TIMEOUT_MS).`;
  }
  const { name, message, cause } = error;
  // The messages of AWS may be empty.
  if (settings.name === 'aws-kms') return `${name}: ${message}`;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

async function openProvider(settings: KeyProviderSettings): Promise<KeyProvider> {
  switch (settings.name) {
    case 'plain':
      return { decrypt: (key) => Promise.resolve(key).then((plain) => decodeKey(plain, KEY_BYTES)), close: nothing };
    case 'aws-kms':
      return await openKms();
    case 'vault-transit':
      return openTransit(settings.transit);
  }
}

const nothing = (): void => undefined;

/** Loaded only where it is used, because it is large and an optional package. */
async function openKms(): Promise<KeyProvider> {
  const { DecryptCommand, KMSClient } = await import('@aws-sdk/client-kms').catch(() => {
    throw new UserError(
      'KEY_PROVIDER=aws-kms needs the package @aws-sdk/client-kms: see "Installing for production" in docs/operations/installing.md.',
    );
  });
  const client = new KMSClient({});
  return {
    async decrypt({ id, text }, abortSignal) {
      const command = new DecryptCommand({ CiphertextBlob: Buffer.from(text, 'base64') });
      const { Plaintext: plaintext } = await client.send(command, { abortSignal });
      return keyOfBytes(id, Buffer.from(plaintext ?? []));
    },
    close: () => client.destroy(),
  };
}

const decryption = z.object({ data: z.object({ plaintext: z.string() }) });
const refusal = z.object({ errors: z.array(z.string()) });
const HTTP_OK = 200;

/** https://openbao.org/api-docs/secret/transit/#decrypt-data */
function openTransit({ address, token, namespace, mount, key }: TransitSettings): KeyProvider {
  const url = new URL(`v1/${mount}/decrypt/${encodeURIComponent(key)}`, withSlash(address));
  return {
    async decrypt({ id, text }, signal) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-vault-request': 'true',
          'x-vault-token': token,
          ...(namespace === null ? {} : { 'x-vault-namespace': namespace }),
        },
        body: JSON.stringify({ ciphertext: text }),
        // Redirects are refused, so that the token goes nowhere else.
        redirect: 'error',
        signal,
      });
      const body = parseJson(await response.text());
      if (response.status !== HTTP_OK) {
        const { data } = refusal.safeParse(body);
        throw new Error(`${url.origin} answered ${response.status}. ${data?.errors.join(' ') ?? ''}`.trim());
      }
      return keyOfBytes(id, Buffer.from(decryption.parse(body).data.plaintext, 'base64'));
    },
    close: nothing,
  };
}

function withSlash(address: URL): URL {
  return new URL(address.href.replace(/\/*$/, '/'));
}

function keyOfBytes(id: string, bytes: Buffer): NamedKey {
  if (bytes.length !== KEY_BYTES)
    throw new Error(`what was decrypted has ${bytes.length} bytes instead of ${KEY_BYTES}.`);
  return { id, bytes };
}
