import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { SocketPrincipal, SocketAuthentication, AuthenticatedRequest } from './socket-authentication.ts';
import type { Rejection } from '../http/rejection.ts';
import type { Database } from '../prisma/connection/client.ts';
import type { Keyring } from '../vault/keyring.ts';
import type { ClientAddresses } from '../http/client-address.ts';
import type { KeyUses } from '../http/key-uses.ts';
import type { ApiError } from '../domain/api-error.ts';
import { toApiError } from '../http/errors.ts';
import { rateLimitExceeded, rateLimitHeaders, type RateLimiters } from '../http/rate-limits/rate-limit.ts';
import { secretOf } from '../http/authentication/credentials.ts';
import { liveAt } from '../prisma/fragments/conditions.ts';
import { isKnown, type KnownCallers, refuseBlockedAddress } from '../http/authentication/known-callers.ts';
import { createSingleFlight } from '../http/authentication/single-flight.ts';
import { type AuthenticationDependencies, authenticate, requireScope } from '../http/authentication/authenticate.ts';
import { type AuthenticationInput, headerOf } from '../http/authentication/authentication-input.ts';
import { isOnAllowlist } from '../domain/ip-allowlist.ts';
import { transportOf } from '../http/transport.ts';

export interface SocketAuthenticationDependencies {
  readonly database: Database;
  /** Connections for looking up unknown callers. */
  readonly unknownCallersDatabase: Pick<Database, 'direct'>;
  readonly knownCallers: KnownCallers;
  /** Null in a process without vault keys, which rejects API keys on signature version 2. */
  readonly keyring: Keyring | null;
  readonly rateLimiters: RateLimiters;
  readonly addresses: ClientAddresses;
  readonly keyUses: Pick<KeyUses, 'note'>;
  readonly logger: Logger;
}

/** The dependencies with the parts that are created once for all requests. */
type Dependencies = SocketAuthenticationDependencies & Pick<AuthenticationDependencies, 'lookups'>;

/** The scope that a key needs to subscribe to all events of its account. */
const SCOPE = 'events:read';
const NO_BODY = Buffer.alloc(0);
/** A request with one of these headers claims to be signed. Pages cannot set them. */
const SIGNING_HEADERS = ['authorization', 'x-signature', 'x-secret-salt', 'x-timestamp'];

/** Authenticates requests for sockets as REST requests are authenticated. */
export function createSocketAuthentication(options: SocketAuthenticationDependencies): SocketAuthentication {
  const dependencies: Dependencies = { ...options, lookups: createSingleFlight() };
  return {
    isSigned: ({ headers }) => SIGNING_HEADERS.some((name) => headers[name] !== undefined),
    authenticate: (request) => authenticateSocket(request, dependencies),
    findRevoked: (principals) => findRevoked(dependencies.database, principals),
  };
}

async function authenticateSocket(
  request: IncomingMessage,
  {
    database,
    unknownCallersDatabase,
    knownCallers,
    keyring,
    rateLimiters,
    addresses,
    keyUses,
    lookups,
    logger,
  }: Dependencies,
): Promise<AuthenticatedRequest | { readonly rejection: Rejection }> {
  const address = addresses.of(request);
  let headers: Readonly<Record<string, string>> | undefined;
  try {
    const input = inputOf(request, address, addresses);
    refuseBlockedAddress(input, { rateLimiters, knownCallers });
    const principal = await authenticate(input, {
      database: isKnown(knownCallers, input.header) ? database : unknownCallersDatabase,
      keyring,
      acceptsClientSecrets: false,
      rateLimiters,
      lookups,
      countingLookup: null,
      onCounted: (rateLimit) => {
        headers = rateLimitHeaders(rateLimit);
      },
    });
    knownCallers.add(secretOf(input.header) ?? '');
    requireScope(principal, SCOPE);
    const { apiKeyId, merchantAccountId } = principal;
    keyUses.note({ apiKeyId, address, operation: 'GET /events/socket', isRefused: false });
    return { principal: { apiKeyId, merchantAccountId, address }, headers: headers ?? {} };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) {
      logger.warn({ code: error.code, err: error.cause }, 'request for a socket failed');
      return { rejection: rejectionOf(error, rateLimitHeaders(rateLimiters.uncounted())) };
    }
    if (headers !== undefined) return { rejection: rejectionOf(error, headers) };
    const rateLimit = await rateLimiters.countAddress(address);
    return {
      rejection: rejectionOf(rateLimit.exceeded ? rateLimitExceeded(rateLimit) : error, rateLimitHeaders(rateLimit)),
    };
  }
}

function inputOf(request: IncomingMessage, address: string, addresses: ClientAddresses): AuthenticationInput {
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    header: headerOf(request),
    rawBody: NO_BODY,
    address: () => address,
    transport: () => transportOf(request, addresses),
    nowMs: Date.now(),
  };
}

function rejectionOf(
  { code, message, details, retryAfterSeconds }: ApiError,
  limits: Readonly<Record<string, string>>,
): Rejection {
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return { code, message, details, headers: { ...limits, ...retryAfter } };
}

/**
 * The principals whose key was deleted, was revoked, has expired, or lost the scope, the address or the account; and those whose
 * account, or the key's own account, is suspended.
 */
async function findRevoked(
  database: Database,
  principals: readonly SocketPrincipal[],
): Promise<readonly SocketPrincipal[]> {
  if (principals.length === 0) return [];
  const keyIds = new Set(principals.map(({ apiKeyId }) => apiKeyId));
  const accountIds = new Set(principals.map(({ merchantAccountId }) => merchantAccountId));
  const [keys, accounts] = await Promise.all([
    database.apiKey.findMany({
      where: {
        id: { in: [...keyIds] },
        scopes: { has: SCOPE },
        merchantAccount: { status: 'active' },
        ...liveAt(new Date()),
      },
      select: {
        id: true,
        merchantId: true,
        merchantAccountId: true,
        environment: true,
        ipRestricted: true,
        ipAllowlist: true,
        accountBound: true,
      },
    }),
    database.merchantAccount.findMany({
      where: { id: { in: [...accountIds] }, status: 'active' },
      select: { id: true, merchantId: true, environment: true },
    }),
  ]);
  const keyById = new Map(keys.map((key) => [key.id, key]));
  const accountById = new Map(accounts.map((account) => [account.id, account]));
  return principals.filter(({ apiKeyId, merchantAccountId, address }) => {
    const key = keyById.get(apiKeyId);
    const account = accountById.get(merchantAccountId);
    if (key === undefined || account === undefined) return true;
    if (key.merchantId !== account.merchantId || key.environment !== account.environment) return true;
    if (key.accountBound && key.merchantAccountId !== account.id) return true;
    return key.ipRestricted && !isOnAllowlist(address, key.ipAllowlist);
  });
}
