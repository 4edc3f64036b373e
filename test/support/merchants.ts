import { createHash, randomBytes } from 'node:crypto';
import { before } from 'mocha';
import { newId } from '../../domain/new-id.ts';
import type { Environment } from '../../domain/payment.ts';
import { ALL_SCOPES } from '../../domain/scopes.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { sealKeySalt } from '../../vault/key-salt.ts';
import { type Keyring, parseKeyring } from '../../vault/keyring.ts';
import { SANDBOX_MERCHANT } from '../../sandbox/stack/sandbox-data.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { type Client, clientOf } from './resources.ts';
import { queryStack } from './stack-database.ts';
import { getDataDir, getStack } from './stack.ts';

/** A merchant of one test, with an account, an API key and, in the sandbox, routes and limits. */
export interface TestMerchant {
  readonly merchantId: string;
  readonly merchantAccountId: string;
  readonly apiKeyId: string;
  readonly credentials: Credentials;
}

const KEY_PREFIXES: Readonly<Record<Environment, string>> = { sandbox: 'svc_test_', production: 'svc_live_' };

/** Inserts a merchant into the database of the running engine. */
export async function createMerchant(
  environment: Environment = 'sandbox',
  scopes: readonly string[] = ALL_SCOPES,
): Promise<TestMerchant> {
  const merchantId = newId('merchant');
  await queryStack('INSERT INTO merchant (id, name) VALUES ($1, $2)', [merchantId, 'Merchant of a test']);
  await copyRoutesAndLimits(merchantId);
  return createAccount(merchantId, environment, scopes);
}

/** A merchant for the tests of a suite, and a client with its key. Call it inside `describe`: it is made before them. */
export function useMerchant(): { readonly merchant: TestMerchant; readonly send: Client } {
  let made: TestMerchant;
  before(async () => {
    made = await createMerchant();
  });
  const merchant: TestMerchant = {
    get merchantId() {
      return made.merchantId;
    },
    get merchantAccountId() {
      return made.merchantAccountId;
    },
    get apiKeyId() {
      return made.apiKeyId;
    },
    get credentials() {
      return made.credentials;
    },
  };
  return { merchant, send: (...args) => clientOf(made.credentials)(...args) };
}

/** One more account of a merchant, in either environment, with a key of its own. */
export async function createAccount(
  merchantId: string,
  environment: Environment = 'sandbox',
  scopes: readonly string[] = ALL_SCOPES,
): Promise<TestMerchant> {
  const merchantAccountId = newId('merchantAccount');
  await queryStack(
    `INSERT INTO merchant_account (id, merchant_id, environment, name, updated_at)
     VALUES ($1, $2, $3, 'Account of a test', now())`,
    [merchantAccountId, merchantId, environment],
  );
  return createKey({ merchantId, merchantAccountId }, environment, { scopes });
}

/** The properties of a key besides its scopes. */
export interface KeyState {
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** The only addresses that may use it. */
  readonly ipAllowlist?: readonly string[];
  readonly accountBound?: boolean;
  readonly signatureVersion?: 1 | 2;
}

/** One more key of an account. */
export async function createKey(
  { merchantId, merchantAccountId }: Pick<TestMerchant, 'merchantId' | 'merchantAccountId'>,
  environment: Environment,
  state: KeyState = {},
): Promise<TestMerchant> {
  const { scopes = ALL_SCOPES, expiresAt, revokedAt, ipAllowlist, accountBound = false, signatureVersion = 1 } = state;
  const apiKeyId = newId('apiKey');
  const apiKey = `${KEY_PREFIXES[environment]}${randomBytes(24).toString('hex')}`;
  const secretSalt = randomBytes(24).toString('hex');
  const sealed =
    signatureVersion === 2 ? sealKeySalt(await keyringOfStack(), { apiKeyId, environment }, secretSalt) : null;
  await queryStack(
    `INSERT INTO api_key (id, merchant_id, merchant_account_id, environment, name, prefix, key_hash, salt_hash, scopes,
       expires_at, revoked_at, ip_restricted, ip_allowlist, account_bound, signature_version, salt_key_id, salt_ciphertext)
     VALUES ($1, $2, $3, $4, 'Key of a test', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      apiKeyId,
      merchantId,
      merchantAccountId,
      environment,
      apiKey.slice(0, 13),
      sha256(apiKey),
      sealed === null ? sha256(secretSalt) : '',
      scopes,
      expiresAt ?? null,
      revokedAt ?? null,
      ipAllowlist !== undefined,
      ipAllowlist ?? [],
      accountBound,
      signatureVersion,
      sealed?.keyId ?? null,
      sealed?.ciphertext ?? null,
    ],
  );
  return {
    merchantId,
    merchantAccountId,
    apiKeyId,
    credentials: { baseUrl: getStack().sandbox.baseUrl, apiKey, secretSalt, signatureVersion },
  };
}

/** Gives a merchant the routes and limits that the sandbox is seeded with, in either environment. */
export async function copyRoutesAndLimits(merchantId: string, environment: Environment = 'sandbox'): Promise<void> {
  await queryStack(
    `INSERT INTO payment_route (id, merchant_id, environment, provider, method, currencies, countries,
       excluded_countries, priority, updated_at)
     SELECT 'rt_' || md5(id || $1 || $3), $1, $3, provider, method, currencies, countries, excluded_countries,
       priority, now()
     FROM payment_route WHERE merchant_id = $2`,
    [merchantId, SANDBOX_MERCHANT.id, environment],
  );
  await queryStack(
    `INSERT INTO channel_limit (merchant_id, environment, method, currency, minimum_minor, maximum_minor)
     SELECT $1, $3, method, currency, minimum_minor, maximum_minor FROM channel_limit WHERE merchant_id = $2`,
    [merchantId, SANDBOX_MERCHANT.id, environment],
  );
}

async function keyringOfStack(): Promise<Keyring> {
  return parseKeyring((await provideSecrets(getDataDir())).vaultKeys);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
