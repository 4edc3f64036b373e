import type { Database } from '../../prisma/connection/client.ts';
import { insertNonce } from '../../prisma/queries/credentials.ts';
import { openKeySalt } from '../../vault/key-salt.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { SingleFlight } from './single-flight.ts';
import { type RateLimiters, rateLimitExceeded, type RateLimitStatus } from '../rate-limits/rate-limit.ts';
import type { KeyLimits, Principal } from '../../domain/principal.ts';
import { productionProblem, requireSecureTransport } from '../transport.ts';
import { clientKeyOf, findClientCredentials } from './client-credentials.ts';
import type { AuthenticationInput } from './authentication-input.ts';
import type { CountedCaller, CountingLookup } from './counting-lookup.ts';
import { apiKeyOf, type Credentials, findCredentials, hasPrefixOf } from './credentials.ts';
import {
  accountForbidden,
  invalidSignature,
  invalidSignatureV2,
  timestampExpired,
  unauthorized,
} from './explain-rejection.ts';
import { isOnAllowlist } from '../../domain/ip-allowlist.ts';
import { isSameHash, isSignedWith, isTimely, saltHashOfSigner } from './signature.ts';

export interface AuthenticationDependencies {
  readonly database: Pick<Database, 'direct'>;
  /** Decrypts the salts of keys on signature version 2, and derives client secrets; null in a process without vault keys. */
  readonly keyring: Keyring | null;
  /** Whether client secrets are accepted beside API keys. */
  readonly acceptsClientSecrets: boolean;
  readonly rateLimiters: RateLimiters;
  /** Coalesces the look-ups of a key, or of a client secret, by requests at the same time. */
  readonly lookups: SingleFlight<Credentials | undefined>;
  /** Null where keys are not counted in the database. */
  readonly countingLookup: CountingLookup | null;
  /** Called as soon as the signature is known to be valid. */
  readonly onSigned?: (credentials: Credentials) => void;
  /** Called as soon as the key's limit has counted the request. */
  readonly onCounted: (rateLimit: RateLimitStatus) => void;
}

/**
 * Every check between a body of the right size and the scope, in the contract's order: API key, timestamp, salt and signature,
 * key state, IP address, replay, rate limit, merchant. Replays are not counted for the key: otherwise somebody who has recorded
 * one of its requests could use its limit up. Of a key that this process has found over its limit, nonces are not looked at.
 * The signed REST headers of a socket upgrade pass through here too.
 * @throws ApiError with the code of the first check that fails
 */
export async function authenticate(
  input: AuthenticationInput,
  dependencies: AuthenticationDependencies,
): Promise<Principal> {
  const { rateLimiters, onCounted } = dependencies;
  const saltHash = saltHashOfRequest(input);
  const caller = (await findAndCount(input, saltHash, dependencies)) ?? {
    credentials: await findCaller(input.header, dependencies),
    rateLimit: null,
  };
  const { credentials } = caller;
  if (credentials === undefined) throw unauthorized(input.header);

  const nonce = checkSigner(input, saltHash, credentials, dependencies.keyring);
  dependencies.onSigned?.(credentials);
  checkKeyState(credentials, input.nowMs);
  requireSecureTransport(credentials.environment, input.transport);
  if (credentials.ipRestricted && !isOnAllowlist(input.address(), credentials.ipAllowlist)) {
    throw new ApiError('IP_NOT_WHITELISTED', {
      message:
        `Expected a request from an address of the key's ipAllowlist; got one from ${input.address()}. Send it from a listed address, ` +
        'or add this one to the list.',
    });
  }
  const { environment, apiKeyId } = credentials;
  // A request that is refused does nothing, so its nonce needs no row: a flood beyond the limit writes none.
  const blocked = nonce === null ? null : rateLimiters.blockedKey(environment, apiKeyId);
  if (nonce !== null && blocked === null) await requireUnused(dependencies.database, apiKeyId, nonce);

  const rateLimit = caller.rateLimit ?? blocked ?? (await rateLimiters.countKey(environment, apiKeyId));
  onCounted(rateLimit);
  if (rateLimit.exceeded) throw rateLimitExceeded(rateLimit);

  return principalFor(credentials, input);
}

/** The credentials of the request's API key or client secret; undefined when the request has neither, or an unknown one. */
export async function findCaller(
  header: AuthenticationInput['header'],
  {
    database,
    keyring,
    acceptsClientSecrets,
    lookups,
  }: Pick<AuthenticationDependencies, 'database' | 'keyring' | 'acceptsClientSecrets' | 'lookups'>,
): Promise<Credentials | undefined> {
  const authorization = header('authorization');
  const account = header('x-merchant-id');
  const clientKey = clientKeyOf(authorization);
  if (clientKey !== undefined) {
    if (keyring === null || !acceptsClientSecrets) return undefined;
    const find = () => findClientCredentials({ database, keyring }, clientKey, account);
    return (await lookups(JSON.stringify([clientKey.key, account]), find)).result;
  }
  const apiKey = apiKeyOf(authorization);
  if (apiKey === undefined) return undefined;
  const find = () => findCredentials(database, apiKey, account);
  return (await lookups(JSON.stringify([apiKey, account]), find)).result;
}

/** @returns the nonce of a request that is signed with version 2; null for version 1 */
function checkSigner(
  input: AuthenticationInput,
  saltHash: string | undefined,
  credentials: Credentials,
  keyring: Keyring | null,
): string | null {
  const { header, nowMs } = input;
  if (credentials.signatureVersion === 2) return checkSignerV2(input, credentials, keyring);
  if (isSameHash(saltHash, credentials.saltHash)) return null;
  const timestamp = header('x-timestamp');
  throw isTimely(timestamp, nowMs) ? invalidSignature(input, timestamp, credentials) : timestampExpired(input, 1);
}

const NONCE = /^[A-Za-z0-9_-]{16,64}$/;

/** @returns the nonce */
function checkSignerV2(input: AuthenticationInput, credentials: Credentials, keyring: Keyring | null): string {
  const { header, method, target, rawBody, nowMs } = input;
  const timestamp = header('x-timestamp');
  if (!isTimely(timestamp, nowMs)) throw timestampExpired(input, 2);
  const nonce = header('x-nonce') ?? '';
  const account = header('x-merchant-id') ?? '';
  const idempotencyKey = header('x-idempotency-key') ?? '';
  const parts = { method, target, timestamp, nonce, account, idempotencyKey, rawBody };
  const isSigned =
    NONCE.test(nonce) &&
    header('x-secret-salt') === undefined &&
    isSignedWith(saltOf(credentials, keyring), parts, header('x-signature'));
  if (!isSigned) throw invalidSignatureV2(input, parts, credentials.environment);
  return nonce;
}

function saltOf(credentials: Credentials, keyring: Keyring | null): string {
  if (keyring === null) {
    throw new ApiError('FORBIDDEN', {
      message: 'This server has no vault keys (VAULT_KEYS), so that it takes no API keys on signature version 2.',
    });
  }
  const { apiKeyId, saltKeyId: keyId, saltCiphertext } = credentials;
  if (keyId === null || saltCiphertext === null) throw new TypeError(`${apiKeyId} has no salt for version 2`);
  return openKeySalt(keyring, credentials, { keyId, ciphertext: Buffer.from(saltCiphertext, 'base64') });
}

/** Accepts each nonce of a key once. @throws ApiError `INVALID_SIGNATURE` */
async function requireUnused(database: Pick<Database, 'direct'>, apiKeyId: string, nonce: string): Promise<void> {
  if ((await database.direct.execute(insertNonce(apiKeyId, nonce))) > 0) return;
  throw new ApiError('INVALID_SIGNATURE', {
    message: 'The X-Nonce was used before. Sign each request with a new one, each retry too.',
    details: { reason: 'nonce_used' },
  });
}

/** SHA-256, hex, of the salt that the request is signed with; undefined where the signature or the timestamp is not valid. */
function saltHashOfRequest({ header, rawBody, nowMs }: AuthenticationInput): string | undefined {
  const timestamp = header('x-timestamp');
  if (!isTimely(timestamp, nowMs)) return undefined;
  return saltHashOfSigner({ timestamp, rawBody, salt: header('x-secret-salt'), signature: header('x-signature') });
}

/** Finds the key and counts the request in one statement, if the checks in between depend on nothing but the key's row. */
async function findAndCount(
  input: AuthenticationInput,
  saltHash: string | undefined,
  { countingLookup }: AuthenticationDependencies,
): Promise<CountedCaller | null> {
  const apiKey = apiKeyOf(input.header('authorization'));
  if (countingLookup === null || apiKey === undefined || saltHash === undefined) return null;
  if (!hasPrefixOf(apiKey, 'sandbox') && productionProblem(input.transport()) !== null) return null;
  return await countingLookup({ apiKey, account: input.header('x-merchant-id'), saltHash }, input.nowMs);
}

function checkKeyState({ isRevoked, expiresAtMs, paymentIntentId }: Credentials, nowMs: number): void {
  if (isRevoked) throw new ApiError('API_KEY_REVOKED');
  if (expiresAtMs === null || expiresAtMs > nowMs) return;
  throw paymentIntentId === undefined ? new ApiError('API_KEY_EXPIRED') : clientSecretExpired();
}

/** The refusal of a client secret whose payment has ended. */
export function clientSecretExpired(): ApiError {
  const message =
    'The payment of this client secret has ended. For 24 hours after that end, the secret can only read the payment. To pay again, ' +
    'create another payment intent on your server, and use its client secret.';
  return new ApiError('API_KEY_EXPIRED', { message });
}

function principalFor(credentials: Credentials, { header, ...input }: AuthenticationInput): Principal {
  const address = input.address();
  const { apiKeyId, merchantId, environment, scopes, merchantAccountId, attemptBudget, paymentIntentId } = credentials;
  const { isReadOnly = false, requiresIdempotencyKeys } = credentials;
  if (merchantAccountId === null || attemptBudget === null || requiresIdempotencyKeys === null) {
    throw accountForbidden(header('x-merchant-id'));
  }
  if (!credentials.isOwnAccountActive || credentials.merchantAccountStatus !== 'active')
    throw new ApiError('MERCHANT_SUSPENDED');
  return {
    apiKeyId,
    actor: { type: 'api_key', id: apiKeyId, address },
    merchantId,
    merchantAccountId,
    environment,
    attemptBudget,
    requiresIdempotencyKeys,
    scopes,
    keyLimits: keyLimitsOf(credentials),
    ...(paymentIntentId === undefined
      ? {}
      : {
          onlyPaymentIntentId: paymentIntentId,
          isReadOnly,
          pageAddress: address,
          ...userAgentOf(header('user-agent')),
        }),
  };
}

const MAXIMUM_USER_AGENT_LENGTH = 512;

/** The page's browser, without characters that the database does not take. */
function userAgentOf(header: string | undefined): Pick<Principal, 'pageUserAgent'> {
  if (header === undefined) return {};
  return { pageUserAgent: header.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAXIMUM_USER_AGENT_LENGTH) };
}

function keyLimitsOf({ expiresAtMs, ...credentials }: Credentials): KeyLimits {
  const { accountBound, ipRestricted, ipAllowlist, signatureVersion } = credentials;
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs);
  return { accountBound, ipRestricted, ipAllowlist, expiresAt, signatureVersion };
}

/** @throws ApiError `INSUFFICIENT_PERMISSIONS` */
export function requireScope(principal: Principal, scope: string): void {
  if (principal.scopes.includes(scope)) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', {
    message: missingScopeMessage(principal, scope),
    details: { scope },
  });
}

function missingScopeMessage({ personId, onlyPaymentIntentId }: Principal, scope: string): string {
  if (personId !== undefined) {
    return `Your role in the team does not allow this (${scope}). Ask an owner of the team for another role.`;
  }
  if (onlyPaymentIntentId !== undefined) {
    return 'A client secret does not allow this request. Send it from your server, with an API key.';
  }
  return `Expected an API key with the scope ${scope}; this one lacks it. Use another key, or add the scope to this one.`;
}
