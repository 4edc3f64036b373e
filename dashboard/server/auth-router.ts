import { setTimeout as after } from 'node:timers/promises';
import { Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../../api/middleware/errors.ts';
import type { ClientAddresses } from '../../api/middleware/client-address.ts';
import { parseJsonBody } from '../../api/middleware/json-body.ts';
import { rateLimitExceeded, type RateLimiters } from '../../api/middleware/rate-limits/rate-limit.ts';
import { readBody } from '../../api/middleware/request-body.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, rawBodyOf } from '../../api/middleware/request-context.ts';
import { invalidField, validate } from '../../api/middleware/validation.ts';
import { jsonResponse, sendResponse } from '../../api/response.ts';
import { shownName } from '../../api/schemas/common.ts';
import { methodNotAllowed } from '../../api/resources/mount-operations.ts';
import type { DashboardConfig } from '../../config/dashboard.ts';
import type { Database } from '../../prisma/client.ts';
import { type Auth, AUTH_PATH, CLIENT_ADDRESS_HEADER, OPEN_ID_PROVIDER, personEmail, personName } from './auth.ts';
import { requireStrongPassword } from './password-strength.ts';
import type { SignedInPerson } from './signed-in-person.ts';
import type { AttemptKind, SignInLimits } from './sign-in-limits.ts';
import { acceptInvitation, createMerchantOf, findInvitation } from './teams.ts';

export interface AuthRouterDependencies extends Pick<
  DashboardConfig,
  'publicUrl' | 'publicApiUrl' | 'signUp' | 'openIdProvider' | 'simulators'
> {
  readonly auth: Auth;
  readonly database: Database;
  readonly limits: SignInLimits;
  readonly addresses: ClientAddresses;
  readonly rateLimiters: RateLimiters;
}

/** Longer than any of these takes, whether or not there is such an e-mail address: the time tells nothing. */
const EVEN_MS = 600;

interface AuthRequest {
  readonly method: 'get' | 'post';
  /** Below /auth. */
  readonly path: string;
  /** The members of its body that the library gets; none where absent. */
  readonly fields?: readonly string[];
  /** What it is counted as; absent where it can neither guess nor send anything. */
  readonly counted?: AttemptKind;
  /** Whether it also guesses for the person of its session, if it has one. */
  readonly ofSession?: boolean;
  /** Whether the session must have begun with a second factor: who stole an older session and the password replaces none. */
  readonly secondFactor?: boolean;
  /** Whether it begins a session by a code that counts once: who saw it being typed must not sign in with it too. */
  readonly codeCountsOnce?: boolean;
  /** The member with a password that the person chooses. */
  readonly newPassword?: string;
  /** Whether it must take alike for e-mail addresses that are known and that are not. */
  readonly evenTime?: boolean;
}

/**
 * The requests that the library answers. Whatever else it could answer is refused, and whatever else it could be told is left out:
 * nobody trusts a device in place of a second factor, or makes a session last longer.
 */
const AUTH_REQUESTS: readonly AuthRequest[] = [
  { method: 'post', path: '/sign-in/email', fields: ['email', 'password', 'callbackURL'], counted: 'password' },
  { method: 'post', path: '/sign-in/social', fields: ['provider', 'callbackURL'], counted: 'password' },
  { method: 'get', path: `/callback/${OPEN_ID_PROVIDER}` },
  { method: 'post', path: '/sign-out' },
  {
    method: 'post',
    path: '/send-verification-email',
    fields: ['email', 'callbackURL'],
    counted: 'mail',
    evenTime: true,
  },
  { method: 'get', path: '/verify-email' },
  { method: 'post', path: '/request-password-reset', fields: ['email', 'redirectTo'], counted: 'mail', evenTime: true },
  {
    method: 'post',
    path: '/reset-password',
    fields: ['token', 'newPassword'],
    counted: 'password',
    newPassword: 'newPassword',
  },
  {
    method: 'post',
    path: '/change-password',
    fields: ['currentPassword', 'newPassword', 'revokeOtherSessions'],
    counted: 'password',
    ofSession: true,
    newPassword: 'newPassword',
  },
  { method: 'get', path: '/get-session' },
  { method: 'get', path: '/list-sessions' },
  { method: 'post', path: '/revoke-session', fields: ['token'] },
  { method: 'post', path: '/revoke-other-sessions' },
  { method: 'post', path: '/two-factor/enable', fields: ['password'], counted: 'password', ofSession: true },
  {
    method: 'post',
    path: '/two-factor/disable',
    fields: ['password'],
    counted: 'password',
    ofSession: true,
    secondFactor: true,
  },
  {
    method: 'post',
    path: '/two-factor/verify-totp',
    fields: ['code'],
    counted: 'password',
    ofSession: true,
    codeCountsOnce: true,
  },
  { method: 'post', path: '/two-factor/verify-backup-code', fields: ['code'], counted: 'password', ofSession: true },
  {
    method: 'post',
    path: '/two-factor/generate-backup-codes',
    fields: ['password'],
    counted: 'password',
    ofSession: true,
    secondFactor: true,
  },
];

const SIGN_UP: AuthRequest = {
  method: 'post',
  path: '/sign-up/email',
  counted: 'mail',
  newPassword: 'password',
  evenTime: true,
};

/** What the library answers where a session begins. */
const begunSession = z.object({ token: z.string() });

const token = z.string().min(1).max(200);
const merchantName = shownName(100).trim().min(1);
const signUpBody = z.strictObject({
  name: personName,
  email: personEmail,
  password: z.string().min(1).max(1_000),
  merchantName: merchantName.optional().describe('The merchant to be made; not for who is invited.'),
  invitationToken: token.optional(),
});
const invitationBody = z.strictObject({ token });
const merchantBody = z.strictObject({ merchantName });

/** Everything below /auth. */
export function createAuthRouter(dependencies: AuthRouterDependencies): Router {
  const { publicUrl, publicApiUrl, signUp, openIdProvider, auth, database, addresses } = dependencies;
  const router = Router({ caseSensitive: true });
  router.use(refuseBlocked(dependencies), readBody);
  const mount = ({ method, path }: Pick<AuthRequest, 'method' | 'path'>, handler: ApiHandler): void => {
    router
      .route(path)
      [method](handler)
      .all(methodNotAllowed([method.toUpperCase()]));
  };
  for (const each of AUTH_REQUESTS) mount(each, (request, response) => answer(each, request, response));

  mount({ method: 'get', path: '/options' }, (_request, response) => {
    sendResponse(
      response,
      jsonResponse(200, { signUp, openIdProvider: openIdProvider?.name ?? null, apiUrl: publicApiUrl }),
    );
  });
  mount(SIGN_UP, async (request, response) => {
    const { invitationToken, ...body } = bodyOf(signUpBody, request, response);
    const email = body.email.toLowerCase();
    await requireSignUp({ email, merchantName: body.merchantName, invitationToken });
    const next =
      invitationToken === undefined
        ? '/sign-in?verified=true'
        : `/invitation?token=${encodeURIComponent(invitationToken)}`;
    const { merchantName: name, ...fields } = body;
    const merchant = invitationToken === undefined ? { merchantName: name } : {};
    const sent = { ...fields, ...merchant, email, callbackURL: next };
    await answer(SIGN_UP, request, response, sent);
  });
  mount({ method: 'post', path: '/invitation' }, async (request, response) => {
    const body = bodyOf(invitationBody, request, response);
    await dependencies.limits.count({ kind: 'password', address: addresses.of(request) });
    const found = await findInvitation(database, body.token);
    if (found === null) throw noInvitation();
    sendResponse(response, jsonResponse(200, found));
  });
  mount({ method: 'post', path: '/accept-invitation' }, async (request, response) => {
    const body = bodyOf(invitationBody, request, response);
    const person = await requirePerson(request);
    await acceptInvitation(database, person, body.token);
    sendResponse(response, jsonResponse(200, {}));
  });
  // For who signed up at the OpenID provider.
  mount({ method: 'post', path: '/create-merchant' }, async (request, response) => {
    const body = bodyOf(merchantBody, request, response);
    const person = await requirePerson(request);
    if (signUp !== 'open') throw signUpClosed();
    await database.person.updateMany({ where: { id: person.id, emailVerified: true }, data: body });
    await createMerchantOf(dependencies, person.id);
    sendResponse(response, jsonResponse(200, {}));
  });
  return router;

  /** Lets the library answer, counted and in even time where the request needs it. */
  async function answer(each: AuthRequest, request: ApiRequest, response: ApiResponse, body?: object): Promise<void> {
    const given = body ?? (each.method === 'post' ? fieldsOf(each, request, response) : {});
    const person = each.ofSession === true ? await auth.findPerson(headersOf(request)) : null;
    if (each.secondFactor === true && person !== null) await requireSecondFactor(person);
    await checkNewPassword(each, given, person);
    const takeBack = await countAttempt(each, request, given, person);
    const minimum = each.evenTime === true ? after(EVEN_MS) : undefined;
    const answered = await auth.handle(webRequestOf(request, each.method === 'post' ? JSON.stringify(given) : null));
    await minimum;
    if (each.codeCountsOnce === true && person === null && answered.ok) await requireFirstUse(given, answered.clone());
    if (answered.ok && each.counted === 'password') await takeBack();
    await sendWebResponse(answered, response);
  }

  /** Ends the session that the library has begun by a code which began another one before. @throws ApiError `UNAUTHORIZED` */
  async function requireFirstUse(body: object, answered: Response): Promise<void> {
    const { token } = begunSession.parse(await answered.json());
    const { personId } = await database.personSession.findUniqueOrThrow({
      where: { token },
      select: { personId: true },
    });
    if (await dependencies.limits.useCode(personId, textIn(body, 'code') ?? '')) return;
    await database.personSession.deleteMany({ where: { token } });
    throw new ApiError('UNAUTHORIZED', {
      message: 'This code was used before. Sign in again, with the next code of your authenticator app.',
      details: { reason: 'code_used' },
    });
  }

  async function requireSecondFactor({ sessionToken: token }: SignedInPerson): Promise<void> {
    const session = await database.personSession.findUnique({ where: { token }, select: { secondFactor: true } });
    if (session?.secondFactor === true) return;
    throw new ApiError('FORBIDDEN', {
      message: 'This session began without your second factor. Sign out, then sign in with it.',
      details: { reason: 'second_factor_not_given' },
    });
  }

  async function countAttempt(
    { counted: kind }: AuthRequest,
    request: ApiRequest,
    body: object,
    person: SignedInPerson | null,
  ): Promise<() => Promise<void>> {
    if (kind === undefined) return () => Promise.resolve();
    const address = addresses.of(request);
    return dependencies.limits.count({ kind, address, email: textIn(body, 'email'), personId: person?.id });
  }

  /** @throws ApiError where sign-up is by invitation and there is none for the address */
  async function requireSignUp(asked: {
    readonly email: string;
    readonly merchantName: string | undefined;
    readonly invitationToken: string | undefined;
  }): Promise<void> {
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

  async function requirePerson(request: ApiRequest): Promise<SignedInPerson> {
    const person = await auth.findPerson(headersOf(request));
    if (person === null) throw new ApiError('UNAUTHORIZED', { message: 'Sign in first.' });
    return person;
  }

  function headersOf(request: ApiRequest): Headers {
    const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: addresses.of(request) });
    for (const name of PASSED_HEADERS) {
      const value = request.get(name);
      if (value !== undefined) headers.set(name, value);
    }
    return headers;
  }

  /** The request as the library takes it, under the public address whatever the client says of the host. */
  function webRequestOf(request: ApiRequest, body: string | null): Request {
    const headers = headersOf(request);
    if (body !== null) headers.set('content-type', 'application/json');
    return new Request(new URL(`${AUTH_PATH}${request.url}`, publicUrl), { method: request.method, headers, body });
  }
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

/** Before anything is counted or read for an e-mail address, so that it tells nothing, and a person may try again. */
async function checkNewPassword(
  { newPassword = '' }: AuthRequest,
  body: object,
  person: SignedInPerson | null,
): Promise<void> {
  const password = textIn(body, newPassword);
  if (password === undefined) return;
  const known = [...['name', 'email', 'merchantName'].map((name) => textIn(body, name)), person?.name, person?.email];
  await requireStrongPassword(
    password,
    known.filter((text) => text !== undefined),
  );
}

function textIn(body: object, name: string): string | undefined {
  const value: unknown = Object.entries(body).find(([each]) => each === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

const PASSED_HEADERS: readonly string[] = [
  'cookie',
  'origin',
  'user-agent',
  'accept',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
];

async function sendWebResponse(answered: Response, response: ApiResponse): Promise<void> {
  response.status(answered.status);
  for (const [name, value] of answered.headers) {
    if (name !== 'set-cookie') response.setHeader(name, value);
  }
  response.append('Set-Cookie', answered.headers.getSetCookie());
  response.setHeader('Cache-Control', 'no-store');
  response.end(Buffer.from(await answered.arrayBuffer()));
}

function fieldsOf({ fields = [] }: AuthRequest, request: ApiRequest, response: ApiResponse): object {
  const body = Object.entries(parseJsonBody(rawBodyOf(response), request.get('content-type')));
  return storable(Object.fromEntries(body.filter(([name]) => fields.includes(name))));
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
