import { betterAuth, type BetterAuthOptions, type User } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { genericOAuth, type GenericOAuthUserInfo, twoFactor } from 'better-auth/plugins';
import type { Logger } from 'pino';
import { z } from 'zod';
import { shownName } from '../../contract/schemas/common.ts';
import { signInAddress } from '../../contract/schemas/sign-in-address.ts';
import { signInAddressOf } from '../../domain/email-address.ts';
import { newId, newUniquePart } from '../../domain/new-id.ts';
import { redactText } from '../../domain/redaction.ts';
import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';
import type { DashboardConfig } from '../../config/dashboard.ts';
import type { Mail, Mailer } from '../../mail/mailer.ts';
import {
  alreadySignedUpMail,
  passwordChangedMail,
  passwordResetMail,
  secondFactorOffMail,
  secondFactorOnMail,
  verificationMail,
} from '../../mail/messages.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { closeEnrolments } from '../../prisma/stores/staff-enrolment.ts';
import { endAllLinks, endLinksOfKind, LINK_MS, openConfirmation, RESET_LINK, storedLink } from './mailed-links.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password-strength.ts';
import { addressOf, databaseOfLibrary, libraryAddressOf } from './library-address.ts';
import type { SignedInPerson } from './signed-in-person.ts';
import { createMerchantOf, findInvitation } from './teams.ts';

/** The path below which people sign in. */
export const AUTH_PATH = '/auth';
/** Where better-auth reads the client's address; the server overwrites what clients send. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';
/** The id of the OpenID provider in paths and rows. */
export const OPEN_ID_PROVIDER = 'oidc';

/** Why a sign-in there ended, in the address of the sign-in page. */
const EMAIL_NOT_VERIFIED = 'email_not_verified';

/** A session that begins with one of these requests begins with a second factor. */
const SECOND_FACTOR_PATHS: readonly string[] = ['/two-factor/verify-totp', '/two-factor/verify-backup-code'];
const seconds = (ms: number): number => ms / SECOND_MS;
/** A session ends so long after a page was last opened, and at its limits, see `SessionLimits`. */
const SESSION_MS = 12 * HOUR_MS;
/** Changing a second factor and the like takes a session that is not older. */
const FRESH_MS = HOUR_MS;

/** A name that people may give themselves. */
export const personName = shownName(100).trim().min(1);

export interface AuthDependencies extends Pick<
  DashboardConfig,
  'publicUrl' | 'secret' | 'signUp' | 'openIdProvider' | 'simulators'
> {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly logger: Logger;
}

/** Answers the requests of people who sign up, sign in, or change how they do. */
export interface Auth {
  handle(request: Request): Promise<Response>;
  /** The person whose session the cookies of a request name; null without one. */
  findPerson(headers: Headers): Promise<SignedInPerson | null>;
}

/** Names of cookies: over HTTPS no other host, path or plain connection can set them. */
export function cookiePrefixOf(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-payment-engine' : 'payment-engine';
}

/** The name of the cookie with the session. */
export function sessionCookieOf(publicUrl: string): string {
  return `${cookiePrefixOf(publicUrl)}.session_token`;
}

export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

const SESSIONS = {
  modelName: 'personSession',
  fields: { userId: 'personId' },
  expiresIn: seconds(SESSION_MS),
  updateAge: seconds(HOUR_MS),
  freshAge: seconds(FRESH_MS),
  additionalFields: {
    secondFactor: { type: 'boolean', required: false, input: false, returned: false },
    lastUsedAt: { type: 'date', required: false, input: false },
  },
} satisfies BetterAuthOptions['session'];

/** Sets the library up: its rows are those of `person` and the tables beside it. */
export function createAuth(given: AuthDependencies): Auth {
  const dependencies = { ...given, mailer: toAddresses(given.mailer) };
  const { publicUrl, secret, database, logger } = dependencies;
  const auth = betterAuth({
    appName: 'Payment dashboard',
    baseURL: publicUrl,
    basePath: AUTH_PATH,
    secret,
    trustedOrigins: [publicUrl],
    database: prismaAdapter(databaseOfLibrary(database), { provider: 'postgresql', transaction: true }),
    telemetry: { enabled: false },
    logger: {
      // Its messages repeat what strangers send, such as an address of any length.
      log: (level, message) =>
        logger[level === 'error' ? 'error' : 'debug']({ library: 'better-auth' }, redactText(message)),
    },
    user: {
      modelName: 'person',
      additionalFields: { merchantName: { type: 'string', required: false, returned: false } },
      validateUserInfo: ({ user, source: { method, action } }) =>
        method === 'oauth' && action !== 'sign-in' ? openIdProblem(user) : undefined,
    },
    session: SESSIONS,
    databaseHooks: {
      session: {
        create: {
          before: (session, context) => {
            const secondFactor = SECOND_FACTOR_PATHS.includes(context?.path ?? '');
            return Promise.resolve({ data: { ...session, secondFactor } });
          },
        },
      },
      account: {
        create: { before: withoutIdToken },
        update: {
          before: withoutIdToken,
          after: (signIn, context) => endAfterChange(dependencies, context?.path, signIn.userId),
        },
      },
      user: {
        create: { before: (person, context) => confirmInvited(database, person, context?.body) },
        update: {
          after: (person, context) => tellOfSecondFactor(dependencies, context?.path, person),
        },
      },
      verification: { create: { before: (link) => endEarlierResets(database, link) } },
    },
    account: {
      modelName: 'personSignIn',
      fields: { userId: 'personId' },
      encryptOAuthTokens: true,
      // Only by an e-mail address that the OpenID provider has verified.
      accountLinking: { enabled: true, trustedProviders: [] },
    },
    verification: {
      modelName: 'personVerification',
      storeIdentifier: {
        default: 'hashed',
        overrides: { [RESET_LINK]: { hash: (token) => Promise.resolve(storedLink(RESET_LINK, token)) } },
      },
    },
    emailAndPassword: passwordOptions(dependencies),
    emailVerification: verificationOptions(dependencies),
    plugins: [
      twoFactor({
        issuer: 'Payment dashboard',
        twoFactorTable: 'personSecondFactor',
        schema: { twoFactor: { fields: { userId: 'personId' } } },
      }),
      ...openIdPlugins(dependencies),
    ],
    // The server counts requests itself, in one statement each.
    rateLimit: { enabled: false },
    advanced: advancedOptions(publicUrl),
    onAPIError: { errorURL: `${publicUrl}/sign-in` },
  });
  return {
    handle: (request) => auth.handler(request),
    async findPerson(headers) {
      const found = await auth.api.getSession({ headers });
      return found === null
        ? null
        : {
            ...found.user,
            email: addressOf(found.user.email),
            sessionToken: found.session.token,
          };
    },
  };
}

/** Sends mails to the people whom the library names. */
function toAddresses(mailer: Mailer): Mailer {
  return { ...mailer, post: (mail) => mailer.post({ ...mail, to: addressOf(mail.to) }) };
}

/** How people sign up, sign in and change their password by e-mail. */
function passwordOptions({ publicUrl, mailer, database }: Pick<AuthDependencies, 'publicUrl' | 'mailer' | 'database'>) {
  return {
    enabled: true,
    requireEmailVerification: true,
    autoSignIn: false,
    minPasswordLength: SHORTEST_PASSWORD,
    maxPasswordLength: LONGEST_PASSWORD,
    resetPasswordTokenExpiresIn: seconds(LINK_MS),
    revokeSessionsOnPasswordReset: true,
    sendResetPassword: ({ user, token }) =>
      post(mailer, passwordResetMail(user.email, `${publicUrl}/reset-password?token=${encodeURIComponent(token)}`)),
    onPasswordReset: async ({ user }) => {
      await endAllLinks(database, user.id);
      mailer.post(passwordChangedMail(user.email));
    },
    onExistingUserSignUp: ({ user }) => post(mailer, alreadySignedUpMail(user.email, publicUrl)),
  } satisfies BetterAuthOptions['emailAndPassword'];
}

/** How people confirm an address. */
function verificationOptions(dependencies: AuthDependencies) {
  return {
    sendOnSignUp: true,
    // The page asks for another mail, so that all of them are counted.
    sendOnSignIn: false,
    autoSignInAfterVerification: false,
    expiresIn: seconds(LINK_MS),
    sendVerificationEmail: async ({ user, url, token }) => {
      if (user.emailVerified) return;
      await openConfirmation(dependencies.database, user.id, token);
      dependencies.mailer.post(verificationMail(user.email, url));
    },
    afterEmailVerification: async ({ id }) => {
      if (dependencies.signUp === 'open') await createMerchantOf(dependencies, id);
    },
  } satisfies BetterAuthOptions['emailVerification'];
}

/** No answer waits for a mail, so that its time tells nothing. */
function post(mailer: Mailer, mail: Mail): Promise<void> {
  mailer.post(mail);
  return Promise.resolve();
}

/** A password that was changed in a session ends what was begun with the one before, and is told to the person. */
async function endAfterChange(
  { database, mailer }: Pick<AuthDependencies, 'database' | 'mailer'>,
  path: string | undefined,
  personId: string,
): Promise<void> {
  if (path !== '/change-password') return;
  await endAllLinks(database, personId);
  const { email } = await database.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  mailer.post(passwordChangedMail(email));
}

/** The requests that turn a second factor on and off. */
const SECOND_FACTOR_CHANGES: Readonly<Record<string, (to: string) => Mail>> = {
  '/two-factor/verify-totp': secondFactorOnMail,
  '/two-factor/disable': secondFactorOffMail,
};

/**
 * A second factor that is turned on ends all sessions, those that began with an earlier one too, and the link of one of the staff; the
 * library begins this session anew.
 */
async function tellOfSecondFactor(
  { database, mailer }: Pick<AuthDependencies, 'database' | 'mailer'>,
  path: string | undefined,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<void> {
  const mail = SECOND_FACTOR_CHANGES[path ?? ''];
  if (mail === undefined) return;
  if (path === '/two-factor/verify-totp') {
    await database.personSession.deleteMany({ where: { personId: id } });
    await closeEnrolments(database, id);
  }
  mailer.post(mail(email));
}

/** A newer link to choose a password ends those before. */
async function endEarlierResets(
  database: Database,
  { identifier, value }: { readonly identifier: string; readonly value: string },
): Promise<void> {
  if (identifier.startsWith(RESET_LINK)) await endLinksOfKind(database, RESET_LINK, value);
}

const invitedSignUp = z.object({ invitationToken: z.string() });

/** An invitation proves the address that its mail went to. */
async function confirmInvited<Person extends { readonly email: string }>(
  database: Database,
  person: Person,
  body: unknown,
): Promise<{ data: Person & { emailVerified?: true } }> {
  const { data } = invitedSignUp.safeParse(body);
  const invitation = data === undefined ? null : await findInvitation(database, data.invitationToken);
  return { data: invitation?.email === addressOf(person.email) ? { ...person, emailVerified: true } : person };
}

/** Cookies, the client's address, and ids of rows. */
function advancedOptions(publicUrl: string) {
  return {
    cookiePrefix: cookiePrefixOf(publicUrl),
    // The prefix of the library would be __Secure-.
    useSecureCookies: false,
    defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(publicUrl) },
    ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    database: { generateId: ({ model }) => (model === 'user' ? newId('person') : newUniquePart()) },
  } satisfies BetterAuthOptions['advanced'];
}

/**
 * Why nobody gets an account by what the OpenID provider says: an account with an address that is not the person's would wait for its
 * owner, who would share it with that person from then on.
 */
function openIdProblem({ email, emailVerified }: Partial<User>): { readonly error: string } | undefined {
  const isKnown = emailVerified === true && signInAddress.safeParse(addressOf(email ?? '')).success;
  return isKnown ? undefined : { error: EMAIL_NOT_VERIFIED };
}

/** A sign-in as it is stored. The library would keep the provider's ID token unencrypted, and nothing reads it again. */
function withoutIdToken<SignIn extends object>(signIn: SignIn) {
  return Promise.resolve({ data: { ...signIn, idToken: null } });
}

/** A person as the provider describes one. The library also takes claims by its own names, of which no standard says who sets them. */
function personOf({ name, email, email_verified: isVerified }: GenericOAuthUserInfo) {
  return {
    name: personName.safeParse(name).data ?? email ?? undefined,
    ...(typeof email === 'string' ? { email: libraryAddressOf(signInAddressOf(email)) } : {}),
    emailVerified: isVerified === true || isVerified === 'true',
    image: undefined,
  };
}

function openIdPlugins({ openIdProvider }: Pick<AuthDependencies, 'openIdProvider'>) {
  if (openIdProvider === null) return [];
  const { issuer, clientId, clientSecret, name } = openIdProvider;
  return [
    genericOAuth({
      config: [
        {
          providerId: OPEN_ID_PROVIDER,
          name,
          discoveryUrl: `${issuer}/.well-known/openid-configuration`,
          requireIdTokenVerification: true,
          clientId,
          clientSecret,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
          requireEmailVerification: true,
          mapProfileToUser: personOf,
          disableProviderLogout: true,
        },
      ],
    }),
  ];
}
