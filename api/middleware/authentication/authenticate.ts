import type { Environment } from '../../../domain/payment.ts';
import type { Database } from '../../../prisma/client.ts';
import type { Keyring } from '../../../vault/keyring.ts';
import { ApiError } from '../errors.ts';
import type { SingleFlight } from './single-flight.ts';
import { type RateLimiters, rateLimitExceeded, type RateLimitStatus } from '../rate-limits/rate-limit.ts';
import type { KeyLimits, Principal } from '../request-context.ts';
import { productionProblem, type Transport } from '../transport.ts';
import { clientKeyOf, findClientCredentials } from './client-credentials.ts';
import type { CountedCaller, CountingLookup } from './counting-lookup.ts';
import { apiKeyOf, type Credentials, findCredentials, hasPrefixOf } from './credentials.ts';
import { isOnAllowlist } from './ip-allowlist.ts';
import { isSameHash, isTimely, saltHashOfSigner } from './signature.ts';

/** The parts of a request that authenticate its sender. */
export interface AuthenticationInput {
  /** The value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly rawBody: Buffer;
  /** The client's address. */
  readonly address: () => string;
  /** Called only for production keys. */
  readonly transport: () => Transport;
  readonly nowMs: number;
}

export interface AuthenticationDependencies {
  readonly database: Pick<Database, 'direct'>;
  /** Client secrets are derived with it; null where only API keys are accepted. */
  readonly keyring: Keyring | null;
  readonly rateLimiters: RateLimiters;
  /** Coalesces the look-ups of a key by requests at the same time. */
  readonly lookups: SingleFlight<Credentials | undefined>;
  /** Null where keys are not counted in the database. */
  readonly countingLookup: CountingLookup | null;
  /** Called as soon as the key's limit has counted the request. */
  readonly onCounted: (rateLimit: RateLimitStatus) => void;
}

/**
 * Every check between a body of the right size and the scope, in the contract's order: API key, timestamp, salt and
 * signature, key state, IP address, rate limit, merchant. The signed REST headers of a socket upgrade pass through here too.
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
  if (credentials === undefined) throw new ApiError('UNAUTHORIZED');

  checkSigner(input, saltHash, credentials);
  checkKeyState(credentials, input.nowMs);
  checkTransport(credentials.environment, input);
  if (credentials.ipRestricted && !isOnAllowlist(input.address(), credentials.ipAllowlist)) {
    throw new ApiError('IP_NOT_WHITELISTED');
  }

  const rateLimit = caller.rateLimit ?? (await rateLimiters.countKey(credentials.environment, credentials.apiKeyId));
  onCounted(rateLimit);
  if (rateLimit.exceeded) throw rateLimitExceeded(rateLimit);

  return principalFor(credentials, input.address());
}

/** The credentials of the request's API key or client secret; undefined when the request has neither, or an unknown one. */
export async function findCaller(
  header: AuthenticationInput['header'],
  { database, keyring, lookups }: Pick<AuthenticationDependencies, 'database' | 'keyring' | 'lookups'>,
): Promise<Credentials | undefined> {
  const authorization = header('authorization');
  const account = header('x-merchant-id');
  const clientKey = clientKeyOf(authorization);
  if (clientKey !== undefined) {
    return keyring === null ? undefined : await findClientCredentials({ database, keyring }, clientKey, account);
  }
  const apiKey = apiKeyOf(authorization);
  if (apiKey === undefined) return undefined;
  const find = () => findCredentials(database, apiKey, account);
  return (await lookups(JSON.stringify([apiKey, account]), find)).result;
}

function checkSigner(
  { header, nowMs }: AuthenticationInput,
  saltHash: string | undefined,
  credentials: Credentials,
): void {
  if (isSameHash(saltHash, credentials.saltHash)) return;
  throw new ApiError(isTimely(header('x-timestamp'), nowMs) ? 'INVALID_SIGNATURE' : 'TIMESTAMP_EXPIRED');
}

/** SHA-256, hex, of the salt that the request is signed with; undefined where the signature or the timestamp is not valid. */
function saltHashOfRequest({ header, rawBody, nowMs }: AuthenticationInput): string | undefined {
  const timestamp = header('x-timestamp');
  if (!isTimely(timestamp, nowMs)) return undefined;
  return saltHashOfSigner({ timestamp, rawBody, salt: header('x-secret-salt'), signature: header('x-signature') });
}

/** Finds the key and counts the request in one statement, where only what the key's row says can fail a check in between. */
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

function checkKeyState({ isRevoked, expiresAtMs }: Credentials, nowMs: number): void {
  if (isRevoked) throw new ApiError('API_KEY_REVOKED');
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw new ApiError('API_KEY_EXPIRED');
}

function checkTransport(environment: Environment, input: AuthenticationInput): void {
  if (environment !== 'production') return;
  const problem = productionProblem(input.transport());
  if (problem !== null) throw new ApiError('FORBIDDEN', { message: problem });
}

function principalFor(credentials: Credentials, address: string): Principal {
  const { apiKeyId, merchantId, environment, scopes, merchantAccountId, attemptBudget, paymentIntentId } = credentials;
  const { isReadOnly = false } = credentials;
  if (merchantAccountId === null || attemptBudget === null) {
    throw new ApiError('FORBIDDEN', { message: 'The API key may not act for this merchant account.' });
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
    scopes,
    keyLimits: keyLimitsOf(credentials),
    ...(paymentIntentId === undefined
      ? {}
      : { onlyPaymentIntentId: paymentIntentId, isReadOnly, pageAddress: address }),
  };
}

function keyLimitsOf({ accountBound, ipRestricted, ipAllowlist, expiresAtMs }: Credentials): KeyLimits {
  return { accountBound, ipRestricted, ipAllowlist, expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs) };
}

/** @throws ApiError `INSUFFICIENT_PERMISSIONS` */
export function requireScope(principal: Principal, scope: string): void {
  if (!principal.scopes.includes(scope)) throw new ApiError('INSUFFICIENT_PERMISSIONS', { details: { scope } });
}
