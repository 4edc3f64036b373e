import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { newId } from '../../domain/new-id.ts';
import type { Role } from '../../domain/roles.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { startServerProcess } from './server-process.ts';
import { eventually } from './eventually.ts';
import { queryStack } from './stack-database.ts';
import { getDataDir, getStack } from './stack.ts';

/** The dashboard of the running engine, with its mailbox. */
export function dashboardOfStack() {
  const { dashboard } = getStack().sandbox;
  assert.ok(dashboard !== undefined, 'the stack has no dashboard');
  return dashboard;
}

export interface BrowserAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The `data` of a success, or the whole body. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The code of an error, in either envelope. */
  readonly code: string | undefined;
  readonly tookMs: number;
}

const bodySchema = z.looseObject({
  data: z.unknown().optional(),
  code: z.string().optional(),
  error: z.looseObject({ code: z.string() }).optional(),
});
const objectSchema = z.record(z.string(), z.unknown());

/** A browser at the dashboard: it keeps cookies and says which page its requests come from. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #baseUrl: string;

  constructor(baseUrl = dashboardOfStack().url) {
    this.#baseUrl = baseUrl;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<BrowserAnswer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<BrowserAnswer> {
    return this.send('POST', path, body, headers);
  }

  async send(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<BrowserAnswer> {
    const startedAtMs = Date.now();
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(method === 'GET' ? {} : { Origin: this.#baseUrl }),
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const text = await response.text();
    const parsed = bodySchema.safeParse(/^\{/.test(text) ? JSON.parse(text) : {}).data;
    return {
      status: response.status,
      text,
      headers: response.headers,
      data: objectSchema.safeParse(parsed?.data ?? parsed).data ?? {},
      code: parsed?.error?.code ?? parsed?.code,
      tookMs: Date.now() - startedAtMs,
    };
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const separator = pair.indexOf('=');
    const [name, value] = [pair.slice(0, separator), pair.slice(separator + 1)];
    if (value === '' || /max-age=0\b/i.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

const mails = z.object({ data: z.array(z.object({ to: z.array(z.string()), subject: z.string(), text: z.string() })) });

/** The link in the newest mail to an address whose subject has these words. */
export async function linkInMail(to: string, subject: string): Promise<URL> {
  return eventually(async () => {
    const response = await fetch(`${dashboardOfStack().mailbox}/mails?to=${encodeURIComponent(to)}`);
    const mail = mails.parse(await response.json()).data.find((each) => each.subject.includes(subject));
    assert.ok(mail !== undefined, `no mail to ${to} about "${subject}"`);
    return new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? '');
  });
}

/** The subjects of the mails that an address got, newest first. */
export async function subjectsTo(to: string): Promise<readonly string[]> {
  const response = await fetch(`${dashboardOfStack().mailbox}/mails?to=${encodeURIComponent(to)}`);
  return mails.parse(await response.json()).data.map(({ subject }) => subject);
}

/** How many mails an address got. */
export async function countMails(to: string): Promise<number> {
  return (await subjectsTo(to)).length;
}

/** A person in the team of a merchant, with a browser that is signed in. */
export interface SignedInMember {
  readonly personId: string;
  readonly email: string;
  readonly browser: Browser;
}

/** Puts a person with a session into the database of the running engine. */
export async function createMember(merchantId: string | null, role: Role): Promise<SignedInMember> {
  const personId = newId('person');
  const email = `${personId}@example.com`;
  const token = randomBytes(24).toString('hex');
  await queryStack('INSERT INTO person (id, name, email, email_verified) VALUES ($1, $2, $3, true)', [
    personId,
    'Member of a test',
    email,
  ]);
  await queryStack(
    `INSERT INTO person_session (id, person_id, token, expires_at) VALUES ($1, $2, $3, now() + interval '1 hour')`,
    [personId, personId, token],
  );
  if (merchantId !== null) {
    const values = [personId, merchantId, role];
    await queryStack('INSERT INTO membership (person_id, merchant_id, role) VALUES ($1, $2, $3)', values);
  }
  const browser = new Browser();
  browser.cookies.set('payment-engine.session_token', encodeURIComponent(await signedSession(token)));
  return { personId, email, browser };
}

/** What of a second factor the staff of a test have. */
type SecondFactor = 'given' | 'not given' | 'not set up';

/** Puts one of the staff of the platform with a session into the database of the running engine. */
export async function createStaff(factor: SecondFactor = 'given'): Promise<SignedInMember> {
  const staff = await createMember(null, 'read_only');
  const { personId } = staff;
  await queryStack(`INSERT INTO platform_staff (person_id, added_by) VALUES ($1, 'test')`, [personId]);
  await queryStack('UPDATE person SET two_factor_enabled = $2 WHERE id = $1', [personId, factor !== 'not set up']);
  const values = [personId, factor === 'given'];
  await queryStack('UPDATE person_session SET second_factor = $2 WHERE person_id = $1', values);
  return staff;
}

/** The value of the cookie with the session of a token. */
export async function signedSession(token: string): Promise<string> {
  const { dashboardSecret } = await provideSecrets(getDataDir());
  return `${token}.${createHmac('sha256', dashboardSecret).update(token).digest('base64')}`;
}

/** One more dashboard on the running engine, with settings of its own. */
export async function startDashboard(settings: Readonly<Record<string, string>>) {
  const [port] = await findFreePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const { dashboardSecret } = await provideSecrets(getDataDir());
  const { stop } = await startServerProcess({
    program: 'dashboard/main',
    portVariable: 'DASHBOARD_PORT',
    settings: {
      DASHBOARD_PORT: String(port),
      DASHBOARD_URL: url,
      DASHBOARD_API_URL: getStack().sandbox.baseUrl,
      DASHBOARD_SECRET: dashboardSecret,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'payments@example.com',
      ...settings,
    },
  });
  return { url, stop };
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const CODE_MS = 30 * SECOND_MS;
/** The server accepts the code of the time before and of the time after too. */
const ACCEPTED_OFFSETS = [0, 1, -1] as const;
const shownCodes = new Set<string>();

/**
 * A code of an authenticator app that is accepted now, and that this did not return before, because each begins one session only.
 * @param uri `otpauth://totp/…`
 */
export function totpCode(uri: string): string {
  const codes = ACCEPTED_OFFSETS.map((offset) => totpCodeAt(uri, Date.now() + offset * CODE_MS));
  const code = codes.find((each) => !shownCodes.has(`${uri} ${each}`));
  assert.ok(code !== undefined, 'all codes that are accepted now were used');
  shownCodes.add(`${uri} ${code}`);
  return code;
}

/** The code that an authenticator app shows at a time (RFC 6238). */
function totpCodeAt(uri: string, atMs: number): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / CODE_MS)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/** A password that is long enough, and not easy to guess. */
export const PASSWORD = 'correct horse battery';

export const newEmail = (): string => `${randomUUID()}@example.com`;

/** Signs up, and confirms the e-mail address. */
export async function signUp(email: string): Promise<Browser> {
  const browser = new Browser();
  const person = { name: 'Person of a test', email, password: PASSWORD, merchantName: 'Shop of a test' };
  assertStatus(await browser.post('/auth/sign-up/email', person), 200);
  const link = await linkInMail(email, 'Confirm');
  const confirmed = await browser.get(`${link.pathname}${link.search}`);
  assert.deepEqual([confirmed.status, confirmed.headers.get('location')], [302, '/sign-in?verified=true']);
  return browser;
}

export const signIn = (browser: Browser, email: string, password = PASSWORD): Promise<BrowserAnswer> =>
  browser.post('/auth/sign-in/email', { email, password });

export function assertStatus(answer: BrowserAnswer, status: number, code?: string): void {
  assert.deepEqual([answer.status, answer.status < 300 ? undefined : answer.code], [status, code], answer.text);
}
