import { z } from 'zod';
import { parseCookies } from 'better-auth/cookies';
import { ApiError } from '../../domain/api-error.ts';
import { hash } from 'node:crypto';
import { sessionTokenOf } from '../../http/authentication/session.ts';
import type { ApiRequest } from '../../http/request-context.ts';
import type { SignInEvent } from '../../domain/audit.ts';
import type { ClientAddresses } from '../../http/client-address.ts';
import { sessionCookieOf } from './auth.ts';
import { type AuthRequest, textIn } from './auth-requests.ts';
import { RESET_LINK, storedLink } from './mailed-links.ts';
import { sessionOf } from './session-cookie.ts';
import { LockedOut } from './sign-in-limits.ts';
import type { PastSessionDependencies } from './past-sessions.ts';
import type { SignInRecord, SignInRecords } from './sign-in-records.ts';
import type { SignedInPerson } from './signed-in-person.ts';

interface RecorderDependencies extends PastSessionDependencies {
  readonly records: SignInRecords;
  readonly addresses: ClientAddresses;
}

/** Records how one request at the sign-in ends. */
export interface Recorder {
  /** Records the refusal of a limit, once in its time. @throws what it is given */
  readonly lockedOut: (thrown: unknown) => never;
  /** Records a refusal of our own after the library's success. @throws what it is given */
  readonly refused: (thrown: unknown) => never;
  /** Records what the library has answered. */
  readonly answered: (answer: Response) => Promise<void>;
}

const ended = z.object({ code: z.string().max(100) });

/** Before the library answers, which uses up what tells whose sign-in it is. */
export async function openRecorder(
  dependencies: RecorderDependencies,
  recorded: AuthRequest['recorded'],
  {
    request,
    body,
    person,
  }: { readonly request: ApiRequest; readonly body: object; readonly person: SignedInPerson | null },
): Promise<Recorder> {
  const { records, addresses } = dependencies;
  const origin = { address: addresses.of(request), userAgent: request.get('user-agent') };
  const email = textIn(body, 'email');
  const known = recorded === undefined ? undefined : (person?.id ?? (await findBegun(dependencies, request, body)));
  const of = known === undefined ? (email === undefined ? null : { email }) : { personId: known };
  /** Not awaited: for an address that nobody has, there is nothing to write, and the time of the answer must not tell. */
  const failed = (event: SignInEvent, reason: string): void => {
    if (of !== null) records.writeLater({ event, of, isByPerson: false, ...origin, details: { reason } });
  };
  return {
    lockedOut: (thrown) => {
      if (thrown instanceof LockedOut && thrown.isFirstOfPerson) failed('locked_out', 'too_many_attempts');
      throw thrown;
    },
    refused: (thrown) => {
      failed('sign_in_failed', thrown instanceof ApiError ? reasonOfError(thrown) : 'error');
      throw thrown;
    },
    answered: async (answer) => {
      if (recorded === undefined) return;
      if (!answer.ok && answer.status !== 302) {
        if (recorded.failure === true && answer.status < 500) failed('sign_in_failed', await reasonOf(answer));
        return;
      }
      if (recorded.asked !== undefined && of !== null)
        records.writeLater({ event: recorded.asked, of, isByPerson: false, ...origin });
      const record = await successOf(dependencies, recorded, { answer, known, hadSession: person !== null });
      if (record !== null) await records.write({ ...record, isByPerson: true, ...origin });
    },
  };
}

function reasonOfError({ code, details }: ApiError): string {
  return typeof details?.reason === 'string' ? details.reason : code;
}

async function reasonOf(answer: Response): Promise<string> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return (ended.safeParse(body).data?.code ?? String(answer.status)).toLowerCase();
}

/** What a success has done. */
async function successOf(
  dependencies: RecorderDependencies,
  { begins, success }: NonNullable<AuthRequest['recorded']>,
  {
    answer,
    known,
    hadSession,
  }: { readonly answer: Response; readonly known: string | undefined; readonly hadSession: boolean },
): Promise<Pick<SignInRecord, 'event' | 'of' | 'details'> | null> {
  const session = begins === undefined ? null : await findBegunSession(dependencies, answer);
  if (begins !== undefined && session === null) return null;
  if (session !== null && !hadSession) {
    const { personId, secondFactor } = session;
    return { event: 'signed_in', of: { personId }, details: { method: begins ?? '', secondFactor } };
  }
  return success === undefined || known === undefined ? null : { event: success, of: { personId: known } };
}

/** The session whose cookie an answer sets last; null where it sets none, or takes it back. */
async function findBegunSession({ publicUrl, database, secret }: RecorderDependencies, answer: Response) {
  const name = `${sessionCookieOf(publicUrl)}=`;
  const cookie = answer.headers.getSetCookie().findLast((each) => each.startsWith(name));
  const value = parseCookies(cookie?.split(';', 1)[0] ?? '').get(sessionCookieOf(publicUrl)) ?? '';
  const token = sessionTokenOf(`Session ${value}`, secret);
  if (token === undefined) return null;
  return database.personSession.findUnique({ where: { token }, select: { personId: true, secondFactor: true } });
}

/** Whose sign-in lacks its second factor, or whose link chooses a password; undefined where the request has neither. */
async function findBegun(
  { publicUrl, database, secret }: RecorderDependencies,
  request: ApiRequest,
  body: object,
): Promise<string | undefined> {
  const halfway = sessionOf(request, sessionCookieOf(publicUrl).replace(/session_token$/, 'two_factor'));
  const token = sessionTokenOf(`Session ${halfway ?? ''}`, secret);
  const link = textIn(body, 'token');
  const identifiers = [
    ...(token === undefined ? [] : [hash('sha256', token, 'base64url')]),
    ...(link === undefined ? [] : [storedLink(RESET_LINK, link)]),
  ];
  if (identifiers.length === 0) return undefined;
  const where = { identifier: { in: identifiers }, expiresAt: { gt: new Date() } };
  return (await database.personVerification.findFirst({ where, select: { value: true } }))?.value;
}
