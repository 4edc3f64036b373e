import { createAddressLimit } from '../rate-limits/page-limit.ts';
import type { SessionLimits } from '../../domain/session-limits.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Keyring } from '../../vault/keyring.ts';
import type { ClientAddresses } from '../client-address.ts';
import { rateLimitHeaders, type RateLimiters, type RateLimitStatus } from '../rate-limits/rate-limit.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, rawBodyOf } from '../request-context.ts';
import { transportOf } from '../transport.ts';
import { authenticate, type AuthenticationDependencies, findCaller } from './authenticate.ts';
import { headerOf } from './authentication-input.ts';
import { createCountingLookup } from './counting-lookup.ts';
import { type Credentials, secretOf } from './credentials.ts';
import { isKnown, type KnownCallers, refuseBlockedAddress } from './known-callers.ts';
import {
  authenticateSession,
  authenticateStaff,
  claimsSession,
  isPlatformPath,
  type SessionDependencies,
  sessionTokenOf,
} from './session.ts';
import { createSingleFlight } from './single-flight.ts';

export interface HttpAuthenticationDependencies {
  readonly database: Database;
  /** Connections for looking up unknown callers. */
  readonly unknownCallersDatabase: Pick<Database, 'direct'>;
  readonly knownCallers: KnownCallers;
  readonly keyring: Keyring;
  readonly rateLimiters: RateLimiters;
  readonly addresses: ClientAddresses;
  /** Requests per minute that this process accepts from one address without a key. */
  readonly pageRequestsPerMinute: number;
  /** Verifies the sessions of people, which the dashboard signs; null where only keys are taken. */
  readonly dashboardSecret: string | null;
  /** Whether the operator demands a second factor of everybody who signs in. */
  readonly requireSecondFactor: boolean;
  readonly sessionLimits: SessionLimits;
}

/** What authentication does with a request, in the order of its parts. */
export interface HttpAuthentication {
  /** Before the body is read. */
  readonly refuseBlocked: ApiHandler;
  /** Whether the request names a key that exists, so that a large body may be read. */
  readonly isExistingCaller: (request: ApiRequest) => Promise<boolean>;
  /** Sets the principal, once the body is there. */
  readonly authenticateRequest: ApiHandler;
}

/** Creates the parts of authentication once for all requests. */
export function createHttpAuthentication(dependencies: HttpAuthenticationDependencies): HttpAuthentication {
  const { knownCallers, addresses, dashboardSecret } = dependencies;
  const lookupFor = createLookups(dependencies);
  const limitAddressOf = createAddressLimit(dependencies.pageRequestsPerMinute);
  return {
    refuseBlocked: (request, _response, next) => {
      refuseBlockedAddress({ header: headerOf(request), address: () => addresses.of(request) }, dependencies);
      next();
    },
    isExistingCaller: async (request) => {
      const header = headerOf(request);
      if (sessionTokenOf(header('authorization'), dashboardSecret) !== undefined) return true;
      return (await findCaller(header, lookupFor(request))) !== undefined;
    },
    authenticateRequest: async (request, response, next) => {
      const header = headerOf(request);
      if (dashboardSecret !== null && claimsSession(header('authorization')))
        await acceptSession(dependencies, request, response);
      else await acceptSignature(dependencies, lookupFor(request), request, response);
      limitAddressOf(response.locals.principal);
      knownCallers.add(secretOf(header) ?? '');
      next();
    },
  };
}

type Lookup = Pick<
  AuthenticationDependencies,
  'database' | 'keyring' | 'acceptsClientSecrets' | 'lookups' | 'countingLookup'
>;

/** Unknown callers are looked up over connections of their own. */
function createLookups(dependencies: HttpAuthenticationDependencies): (request: ApiRequest) => Lookup {
  const { database, unknownCallersDatabase, knownCallers, keyring, rateLimiters } = dependencies;
  const { inDatabase } = rateLimiters;
  const createLookup = (connections: Pick<Database, 'direct'>): Lookup => ({
    database: connections,
    keyring,
    acceptsClientSecrets: true,
    lookups: createSingleFlight<Credentials | undefined>(),
    countingLookup: inDatabase === null ? null : createCountingLookup(connections, inDatabase),
  });
  const [ofKnown, ofUnknown] = [createLookup(database), createLookup(unknownCallersDatabase)];
  return (request) => (isKnown(knownCallers, headerOf(request)) ? ofKnown : ofUnknown);
}

/** Takes a person's session of the dashboard, or a staff member's where the path is for staff. */
async function acceptSession(
  dependencies: HttpAuthenticationDependencies,
  request: ApiRequest,
  response: ApiResponse,
): Promise<void> {
  const {
    database,
    unknownCallersDatabase,
    knownCallers,
    rateLimiters,
    addresses,
    dashboardSecret,
    requireSecondFactor,
    sessionLimits,
  } = dependencies;
  const header = headerOf(request);
  const isForStaff = isPlatformPath(request.path);
  const principal = await (isForStaff ? authenticateStaff : authenticateSession)(
    sessionTokenOf(header('authorization'), dashboardSecret),
    {
      method: request.method,
      header,
      address: () => addresses.of(request),
      transport: () => transportOf(request, addresses),
    },
    {
      database: isKnown(knownCallers, header) ? database : unknownCallersDatabase,
      rateLimiters,
      requireSecondFactor,
      sessionLimits,
      onCounted: showCounted(response),
    },
  );
  const { apiKeyId, merchantAccountId, environment } = principal;
  response.locals.principal = principal;
  if (!isForStaff) response.locals.signer = { apiKeyId, merchantAccountId, environment };
}

/** Takes a request that is signed with an API key or a client secret. */
async function acceptSignature(
  { rateLimiters, addresses }: HttpAuthenticationDependencies,
  lookup: Lookup,
  request: ApiRequest,
  response: ApiResponse,
): Promise<void> {
  response.locals.principal = await authenticate(
    {
      method: request.method,
      target: request.originalUrl,
      header: headerOf(request),
      rawBody: rawBodyOf(response),
      address: () => addresses.of(request),
      transport: () => transportOf(request, addresses),
      nowMs: Date.now(),
    },
    {
      ...lookup,
      rateLimiters,
      onSigned: ({ apiKeyId, merchantAccountId, environment }) => {
        // Null if the key may not act for the account that the request names.
        if (merchantAccountId !== null) response.locals.signer = { apiKeyId, merchantAccountId, environment };
      },
      onCounted: showCounted(response),
    },
  );
}

/** Shows the client its limit, and notes that the request is counted. */
function showCounted(response: ApiResponse): SessionDependencies['onCounted'] {
  return (rateLimit: RateLimitStatus): void => {
    response.locals.counted = true;
    response.set(rateLimitHeaders(rateLimit));
  };
}
