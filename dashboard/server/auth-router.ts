import { Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../../domain/api-error.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { rateLimitExceeded, type RateLimiters } from '../../http/rate-limits/rate-limit.ts';
import { readBody } from '../../http/request-body.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, rawBodyOf } from '../../http/request-context.ts';
import { invalidField, validate } from '../../contract/validation.ts';
import { jsonResponse, sendResponse } from '../../http/response.ts';
import { shownName } from '../../contract/schemas/common.ts';
import { signInAddress } from '../../contract/schemas/sign-in-address.ts';
import { signInAddressOf } from '../../domain/email-address.ts';
import { methodNotAllowed } from '../../http/method-not-allowed.ts';
import type { DashboardConfig } from '../../config/dashboard.ts';
import { personName } from './auth.ts';
import { answerByLibrary, type AuthLibraryDependencies, requestingPerson } from './auth-library.ts';
import { AUTH_REQUESTS, type AuthRequest, SIGN_UP } from './auth-requests.ts';
import { removeUnconfirmed } from './mailed-links.ts';
import type { SignedInPerson } from './signed-in-person.ts';
import { acceptInvitation, createMerchantOf, findInvitation } from './teams.ts';

export interface AuthRouterDependencies
  extends AuthLibraryDependencies, Pick<DashboardConfig, 'publicApiUrl' | 'signUp' | 'openIdProvider' | 'simulators'> {
  readonly rateLimiters: RateLimiters;
}

const token = z.string().min(1).max(200);
const merchantName = shownName(100).trim().min(1);
const signUpBody = z.strictObject({
  name: personName,
  email: signInAddress,
  password: z.string().min(1).max(1_000),
  merchantName: merchantName.optional().describe('The merchant to be made; not for who is invited.'),
  invitationToken: token.optional(),
});
const invitationBody = z.strictObject({ token });
const merchantBody = z.strictObject({ merchantName });

/** Everything below /auth. */
export function createAuthRouter(dependencies: AuthRouterDependencies): Router {
  const router = Router({ caseSensitive: true });
  router.use(refuseBlocked(dependencies), readBody);
  const mount = ({ method, path }: Pick<AuthRequest, 'method' | 'path'>, handler: ApiHandler): void => {
    router
      .route(path)
      [method](handler)
      .all(methodNotAllowed([method.toUpperCase()]));
  };
  for (const each of AUTH_REQUESTS) mount(each, handleByLibrary(dependencies, each));
  mount({ method: 'get', path: '/options' }, handleOptions(dependencies));
  mount(SIGN_UP, handleSignUp(dependencies));
  mount({ method: 'post', path: '/invitation' }, handleInvitation(dependencies));
  mount({ method: 'post', path: '/accept-invitation' }, handleAcceptance(dependencies));
  mount({ method: 'post', path: '/create-merchant' }, handleMerchantCreation(dependencies));
  return router;
}

/**
 * Refuses an address that is over its limit of rejected requests, from memory: to look at a password takes up to a fifth of a second.
 * Reads pass, so that people who are signed in behind the same address work on.
 */
function refuseBlocked({ rateLimiters, addresses }: AuthRouterDependencies): ApiHandler {
  return (request, _response, next) => {
    const blocked = request.method === 'GET' ? null : rateLimiters.blockedAddress(addresses.of(request));
    if (blocked !== null) throw rateLimitExceeded(blocked);
    next();
  };
}

function handleByLibrary(dependencies: AuthRouterDependencies, each: AuthRequest): ApiHandler {
  return async (request, response) => {
    const body = each.method === 'post' ? fieldsOf(each, request, response) : {};
    await answerByLibrary(dependencies, each, { request, response, body });
  };
}

/** What the pages show of how people may sign up and in. */
function handleOptions({ signUp, openIdProvider, publicApiUrl }: AuthRouterDependencies): ApiHandler {
  return (_request, response) => {
    sendResponse(
      response,
      jsonResponse(200, { signUp, openIdProvider: openIdProvider?.name ?? null, apiUrl: publicApiUrl }),
    );
  };
}

function handleSignUp(dependencies: AuthRouterDependencies): ApiHandler {
  return async (request, response) => {
    const { invitationToken, ...given } = bodyOf(signUpBody, request, response);
    const { email } = given;
    await requireSignUp(dependencies, { email, merchantName: given.merchantName, invitationToken });
    const { merchantName: name, ...fields } = given;
    const more = invitationToken === undefined ? { merchantName: name } : { invitationToken };
    const body = { ...fields, ...more, email, callbackURL: '/sign-in?verified=true' };
    const prepare = () => removeUnconfirmed(dependencies.database, email);
    await answerByLibrary(dependencies, SIGN_UP, { request, response, body, prepare });
  };
}

/** @throws ApiError where sign-up is by invitation and there is none for the address */
async function requireSignUp(
  { database, signUp }: AuthRouterDependencies,
  asked: {
    readonly email: string;
    readonly merchantName: string | undefined;
    readonly invitationToken: string | undefined;
  },
): Promise<void> {
  if (asked.invitationToken !== undefined) {
    const invitation = await findInvitation(database, asked.invitationToken);
    if (invitation?.email !== asked.email) throw noInvitation();
  } else if (signUp !== 'open') {
    throw signUpClosed();
  } else if (asked.merchantName === undefined) {
    throw new ApiError('VALIDATION_ERROR', {
      message: 'Expected merchantName, the name of the merchant to be made.',
    });
  }
}

function handleInvitation({ database, limits, addresses }: AuthRouterDependencies): ApiHandler {
  return async (request, response) => {
    const body = bodyOf(invitationBody, request, response);
    await limits.count({ kind: 'password', address: addresses.of(request) });
    const found = await findInvitation(database, body.token);
    if (found === null) throw noInvitation();
    sendResponse(response, jsonResponse(200, found));
  };
}

function handleAcceptance(dependencies: AuthRouterDependencies): ApiHandler {
  return async (request, response) => {
    const body = bodyOf(invitationBody, request, response);
    const person = await requirePerson(dependencies, request);
    await acceptInvitation(dependencies.database, person, body.token);
    sendResponse(response, jsonResponse(200, {}));
  };
}

/** For who signed up at the OpenID provider. */
function handleMerchantCreation(dependencies: AuthRouterDependencies): ApiHandler {
  return async (request, response) => {
    const body = bodyOf(merchantBody, request, response);
    const person = await requirePerson(dependencies, request);
    if (dependencies.signUp !== 'open') throw signUpClosed();
    await dependencies.database.person.updateMany({ where: { id: person.id, emailVerified: true }, data: body });
    await createMerchantOf(dependencies, person.id);
    sendResponse(response, jsonResponse(200, {}));
  };
}

async function requirePerson(dependencies: AuthRouterDependencies, request: ApiRequest): Promise<SignedInPerson> {
  const person = await requestingPerson(dependencies, request);
  if (person === null) throw new ApiError('UNAUTHORIZED', { message: 'Sign in first.' });
  return person;
}

function fieldsOf({ fields = [] }: AuthRequest, request: ApiRequest, response: ApiResponse): object {
  const body = Object.entries(parseJsonBody(rawBodyOf(response), request.get('content-type')));
  const given = body.filter(([name]) => fields.includes(name));
  return storable(
    Object.fromEntries(given.map(([name, value]) => [name, name === 'email' ? addressIn(value) : value])),
  );
}

/** The library looks for the address as it is stored. */
function addressIn(value: unknown): unknown {
  return typeof value === 'string' ? signInAddressOf(value) : value;
}

/** The body, whose names are known. @throws ApiError `VALIDATION_ERROR` where PostgreSQL could neither store nor look for a text */
function storable<Body extends object>(body: Body): Body {
  const wrong = Object.entries(body).find(([, value]) => typeof value === 'string' && value.includes('\0'));
  if (wrong === undefined) return body;
  throw invalidField(wrong[0], 'invalid', 'Expected text without NUL; got such a character. Remove it.');
}

function bodyOf<Schema extends z.ZodType>(
  schema: Schema,
  request: ApiRequest,
  response: ApiResponse,
): z.output<Schema> {
  const body = validate(schema, parseJsonBody(rawBodyOf(response), request.get('content-type')), []);
  storable(Object(body));
  return body;
}

function noInvitation(): ApiError {
  return new ApiError('RESOURCE_NOT_FOUND', {
    message:
      'Expected an invitation for this e-mail address; this one is for another, has expired, or was withdrawn. Ask for a new one.',
  });
}

function signUpClosed(): ApiError {
  return new ApiError('FORBIDDEN', {
    message: 'Sign-up is by invitation here. Ask an owner of the team to invite you.',
  });
}
