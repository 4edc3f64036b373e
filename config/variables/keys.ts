import { z } from 'zod';
import { isCardPublicKey, text } from '../value-schemas.ts';
import { httpUrl, KEY_HOLDERS, milliseconds, type VariableGroup, variables } from './variable.ts';

const KEYS_MUST =
  'be keyId:key[,olderKeyId:key…], each key 32 bytes in base64, or as KEY_PROVIDER encrypted them; the first one encrypts';

const KEY_VARIABLES = variables({
  VAULT_KEYS: {
    schema: text,
    must: KEYS_MUST,
    readBy: KEY_HOLDERS,
    isSecret: true,
    description:
      'Root keys, newest first: the first encrypts, all of them decrypt. Everything at rest but card data is encrypted under keys that are derived from them (docs/operations/keys.md). A gateway needs them only where keys on signature version 2 open sockets.',
  },
  CARD_KEYS: {
    schema: text,
    must: KEYS_MUST,
    readBy: ['worker'],
    isSecret: true,
    description:
      'Private keys of card data, in the same form, for workers only. `npm run card-key -- new ID` prints a pair.',
  },
  CARD_PUBLIC_KEY: {
    schema: text.refine(isCardPublicKey),
    must: 'be keyId:key as `npm run card-key` prints it for CARD_KEYS',
    readBy: ['api'],
    description: 'The public key of the first of CARD_KEYS, for APIs, which cannot decrypt card data.',
  },
  KEY_PROVIDER: {
    schema: z.enum(['plain', 'aws-kms', 'vault-transit']).default('plain'),
    must: 'be plain, aws-kms or vault-transit',
    readBy: KEY_HOLDERS,
    description:
      'Whether VAULT_KEYS and CARD_KEYS hold the keys (plain), or the keys as AWS KMS (aws-kms) or the Transit engine of Vault or OpenBao (vault-transit) encrypted them. They are decrypted once, when a process starts.',
  },
  KEY_PROVIDER_TIMEOUT_MS: {
    ...milliseconds(100, 60_000, 10_000),
    readBy: KEY_HOLDERS,
    description: 'How long that may take.',
  },
  VAULT_ADDR: {
    ...httpUrl('be the address of Vault or OpenBao, like https://vault.example:8200'),
    readBy: KEY_HOLDERS,
    example: 'https://vault.example:8200',
    description: 'For vault-transit: the address of Vault or OpenBao, with https:// unless it is this machine.',
  },
  VAULT_TOKEN: {
    schema: text.regex(/^[\x21-\x7e]+$/),
    must: 'be a token of Vault or OpenBao',
    readBy: KEY_HOLDERS,
    isSecret: true,
    description: 'For vault-transit: the token.',
  },
  VAULT_NAMESPACE: {
    schema: text.regex(/^[\x21-\x7e]+$/),
    must: 'be the name of a namespace of Vault or OpenBao',
    readBy: KEY_HOLDERS,
    description: 'For vault-transit: the namespace, where there are any.',
  },
  VAULT_TRANSIT_MOUNT: {
    schema: text.regex(/^[\w.-]+(?:\/[\w.-]+)*$/).default('transit'),
    must: 'be the path where Transit is mounted, without slashes at its ends',
    readBy: KEY_HOLDERS,
    description: 'For vault-transit: where the engine is mounted.',
  },
  VAULT_TRANSIT_KEY: {
    schema: text,
    must: 'be the name of a key in Transit',
    readBy: KEY_HOLDERS,
    description: 'For vault-transit: the key that decrypts.',
  },
});

export const KEYS = { title: 'Keys', variables: KEY_VARIABLES } satisfies VariableGroup;
