import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../domain/payment.ts';
import { hashSecret, KEY_PREFIXES } from '../../middleware/authentication/credentials.ts';

/** What a client of the API needs; shown once. */
export interface ApiKeySecrets {
  /** `svc_test_…` or `svc_live_…` */
  readonly apiKey: string;
  readonly secretSalt: string;
}

const SECRET_BYTES = 32;
/** Enough to recognise a key by, far too little to guess the rest from. */
const VISIBLE_SECRET_CHARACTERS = 4;

/** A new key and salt of 256 random bits each. */
export function newKeySecrets(environment: Environment): ApiKeySecrets {
  return {
    apiKey: `${KEY_PREFIXES[environment]}${randomBytes(SECRET_BYTES).toString('base64url')}`,
    secretSalt: randomBytes(SECRET_BYTES).toString('base64url'),
  };
}

/** What is stored of a key and its salt. */
export function storedFormOf({ apiKey, secretSalt }: ApiKeySecrets, environment: Environment) {
  return {
    prefix: apiKey.slice(0, KEY_PREFIXES[environment].length + VISIBLE_SECRET_CHARACTERS),
    keyHash: hashSecret(apiKey),
    saltHash: hashSecret(secretSalt),
  };
}
