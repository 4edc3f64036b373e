import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import type { ClientAddresses } from '../../http/client-address.ts';
import { ApiError } from '../../domain/api-error.ts';
import { redactText } from '../../domain/redaction.ts';
import type { ApiRequest, ApiResponse } from '../../http/request-context.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { isOpenEnrolment } from '../../prisma/stores/staff-enrolment.ts';
import { type Auth, AUTH_PATH, CLIENT_ADDRESS_HEADER } from './auth.ts';
import { type AuthRequest, textIn } from './auth-requests.ts';
import { knownBrowserCookie, knownBrowserOf } from './known-browsers.ts';
import { libraryAddressOf, withAddresses } from './library-address.ts';
import { isOpenConfirmation } from './mailed-links.ts';
import { openRecorder } from './recorded-answers.ts';
import type { SignInRecords } from './sign-in-records.ts';
import { type PastSessionDependencies, refreshSessions } from './past-sessions.ts';
import { requireStrongPassword } from './password-strength.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import type { SignedInPerson } from './signed-in-person.ts';

export interface AuthLibraryDependencies extends PastSessionDependencies {
  readonly auth: Auth;
  readonly limits: SignInLimits;
  readonly records: SignInRecords;
  readonly addresses: ClientAddresses;
}

/** How long an even answer takes: longer than the library needs, whether or not there is such an e-mail address. */
const EVEN_MS = 600;

/** What the library answers where a session begins. */
const begunSession = z.object({ token: z.string() });

/** A request for the library. */
interface LibraryCall {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  /** What the library gets of the request's body; not used for a GET. */
  readonly body: object;
  /** What has to happen once the request is counted, before the library answers it. */
  readonly prepare?: () => Promise<void>;
}

/** Lets the library answer, counted and in even time where the request needs it. */
export async function answerByLibrary(
  dependencies: AuthLibraryDependencies,
  authRequest: AuthRequest,
  { request, response, body, prepare }: LibraryCall,
): Promise<void> {
  const { auth, database } = dependencies;
  await refreshSessions(dependencies, request);
  const usesSession = authRequest.ofSession === true || authRequest.recorded?.success !== undefined;
  const person = usesSession ? await findPerson(dependencies, request) : null;
  if (authRequest.secondFactor === true && person !== null) await requireSecondFactor(database, person);
  if (authRequest.enrolsFactor === true && person !== null) await requireEnrolment(database, person, body);
  await checkNewPassword(authRequest, body, person);
  const recorded = await recordedOf(database, authRequest, person);
  const recorder = await openRecorder(dependencies, recorded, { request, body, person });
  const takeBack = await countAttempt(dependencies, authRequest, { request, body, person }).catch(recorder.lockedOut);
  const minimum = authRequest.evenTime === true ? after(EVEN_MS) : undefined;
  await prepare?.();
  const webRequest = webRequestOf(dependencies, request, authRequest.method === 'post' ? bodyForLibrary(body) : null);
  const answered = await auth.handle(
    authRequest.confirmsAddress === true ? await withOpenLinkOnly(database, webRequest) : webRequest,
  );
  await minimum;
  if (authRequest.codeCountsOnce === true && person === null && answered.ok)
    await requireFirstUse(dependencies, body, answered.clone()).catch(recorder.refused);
  if (answered.ok && authRequest.provesPerson === true && person !== null)
    await recordProof(dependencies, body, person).catch(recorder.refused);
  await recorder.answered(answered);
  if (answered.ok && authRequest.counted === 'password') await takeBack();
  const email = textIn(body, 'email');
  if (answered.ok && authRequest.makesBrowserKnown === true && email !== undefined)
    response.append('Set-Cookie', knownBrowserCookie(dependencies, email));
  await sendWebResponse(answered.ok && authRequest.answersNothing === true ? Response.json({}) : answered, response);
}

/** The person whose session the request's cookies name; null without one that is open. */
export async function requestingPerson(
  dependencies: AuthLibraryDependencies,
  request: ApiRequest,
): Promise<SignedInPerson | null> {
  await refreshSessions(dependencies, request);
  return findPerson(dependencies, request);
}

function findPerson(
  { auth, addresses }: Pick<AuthLibraryDependencies, 'auth' | 'addresses'>,
  request: ApiRequest,
): Promise<SignedInPerson | null> {
  return auth.findPerson(headersOf(addresses, request));
}

/** The request; without the token of a link that a newer one has replaced, which the library would still take. */
async function withOpenLinkOnly(database: Database, request: Request): Promise<Request> {
  const url = new URL(request.url);
  if (await isOpenConfirmation(database, url.searchParams.get('token') ?? '')) return request;
  url.searchParams.set('token', 'replaced');
  return new Request(url, request);
}

async function requireSecondFactor(database: Database, { sessionToken: token }: SignedInPerson): Promise<void> {
  const session = await database.personSession.findUnique({ where: { token }, select: { secondFactor: true } });
  if (session?.secondFactor === true) return;
  throw new ApiError('FORBIDDEN', {
    message: 'This session began without your second factor. Sign out, then sign in with it.',
    details: { reason: 'second_factor_not_given' },
  });
}

/**
 * One of the staff sets a second factor up by a link of the operator, not by the password alone, which somebody else may know.
 * @throws ApiError `FORBIDDEN`
 */
async function requireEnrolment(database: Database, { id }: SignedInPerson, body: object): Promise<void> {
  const needing = { id, twoFactorEnabled: false, platformStaff: { isNot: null } };
  const needsLink = (await database.person.count({ where: needing })) > 0;
  if (!needsLink || (await isOpenEnrolment(database, id, textIn(body, 'enrolmentToken') ?? ''))) return;
  throw new ApiError('FORBIDDEN', {
    message:
      'The staff of the platform set a second factor up by a link, which is good for a day and once. Ask an operator for one: ' +
      'npm run staff -- enrol EMAIL.',
    details: { reason: 'enrolment_link_needed' },
  });
}

/** What is recorded of a request. A code in a session proves the person again where the second factor is set up already. */
async function recordedOf(
  database: Database,
  { recorded, provesPerson }: AuthRequest,
  person: SignedInPerson | null,
): Promise<AuthRequest['recorded']> {
  if (provesPerson !== true || recorded?.success === undefined || person === null) return recorded;
  const isSetUp = (await database.person.count({ where: { id: person.id, twoFactorEnabled: true } })) > 0;
  return isSetUp ? { failure: true } : recorded;
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

async function countAttempt(
  dependencies: AuthLibraryDependencies,
  { counted: kind, makesBrowserKnown = false }: AuthRequest,
  { request, body, person }: { request: ApiRequest; body: object; person: SignedInPerson | null },
): Promise<() => Promise<void>> {
  if (kind === undefined) return () => Promise.resolve();
  const { limits, addresses } = dependencies;
  const address = addresses.of(request);
  const email = textIn(body, 'email');
  const browser =
    makesBrowserKnown && email !== undefined ? knownBrowserOf(dependencies, request.get('cookie'), email) : undefined;
  return limits.count({ kind, address, email, browser, personId: person?.id });
}

/** Ends the session that the library has begun by a code which began another one before. @throws ApiError `UNAUTHORIZED` */
async function requireFirstUse(
  { database, limits }: AuthLibraryDependencies,
  body: object,
  answered: Response,
): Promise<void> {
  const { token } = begunSession.parse(await answered.json());
  const { personId } = await database.personSession.findUniqueOrThrow({
    where: { token },
    select: { personId: true },
  });
  if (await limits.useCode(personId, textIn(body, 'code') ?? '')) return;
  await database.personSession.deleteMany({ where: { token } });
  throw codeUsed();
}

function codeUsed(): ApiError {
  return new ApiError('UNAUTHORIZED', {
    message: 'This code was used before. Try again with the next code of your authenticator app.',
    details: { reason: 'code_used' },
  });
}

/** The person has given the password or a code again. A code counts once here too. @throws ApiError `UNAUTHORIZED` */
async function recordProof(
  { database, limits }: AuthLibraryDependencies,
  body: object,
  { id, sessionToken: token }: SignedInPerson,
): Promise<void> {
  const code = textIn(body, 'code');
  // A session that turns the second factor on has none before; its code may then begin a session.
  const session = await database.personSession.findUnique({ where: { token }, select: { secondFactor: true } });
  if (code !== undefined && session?.secondFactor === true && !(await limits.useCode(id, code))) throw codeUsed();
  await database.personSession.updateMany({ where: { token }, data: { authenticatedAt: new Date() } });
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

function headersOf(addresses: ClientAddresses, request: ApiRequest): Headers {
  const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: addresses.of(request) });
  for (const name of PASSED_HEADERS) {
    const value = request.get(name);
    // The library stores the user agent of a session; whatever a client writes there must be no card number.
    if (value !== undefined) headers.set(name, name === 'user-agent' ? redactText(value) : value);
  }
  return headers;
}

/** The request as the library takes it, under the public address whatever the client says of the host. */
function webRequestOf(
  { addresses, publicUrl }: AuthLibraryDependencies,
  request: ApiRequest,
  body: string | null,
): Request {
  const headers = headersOf(addresses, request);
  if (body !== null) headers.set('content-type', 'application/json');
  return new Request(new URL(`${AUTH_PATH}${request.url}`, publicUrl), { method: request.method, headers, body });
}

function bodyForLibrary(body: object): string {
  const email = textIn(body, 'email');
  return JSON.stringify(email === undefined ? body : { ...body, email: libraryAddressOf(email) });
}

async function sendWebResponse(answered: Response, response: ApiResponse): Promise<void> {
  response.status(answered.status);
  for (const [name, value] of answered.headers) {
    if (name !== 'set-cookie') response.setHeader(name, value);
  }
  response.append('Set-Cookie', answered.headers.getSetCookie());
  response.setHeader('Cache-Control', 'no-store');
  response.end(await bodyOf(answered));
}

async function bodyOf(answered: Response): Promise<string> {
  const body = await answered.text();
  const isJson = answered.headers.get('content-type')?.includes('json') === true && body !== '';
  return isJson ? JSON.stringify(withAddresses(JSON.parse(body))) : body;
}
