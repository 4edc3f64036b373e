import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readCheckoutSdk, servedCardFields } from '../api/checkout/sdk.ts';
import { readPaymentPage } from '../api/payment-page/built-page.ts';
import { servedPaymentPage } from '../api/payment-page/router.ts';
import { SECOND_MS } from '../domain/time.ts';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { readArguments } from './command-arguments.ts';

const USAGE = `Use: npm run check-pages -- https://pay.example
Compares the payment page and the card fields, as this machine gets them from there, with those of this release.`;
const TIMEOUT_MS = 30 * SECOND_MS;

/** What a browser has to get. */
interface ExpectedFile {
  /** On the API's public origin. */
  readonly path: string;
  readonly content: Buffer;
  /** Of the headers that keep scripts of others out; absent for scripts and styles. */
  readonly policy?: string;
}

/** PCI DSS 11.6.1: the pages with cards, their scripts and the headers that protect them, as browsers get them. */
await runScript(async () => {
  const origin = readOrigin();
  const problems: string[] = [];
  for (const file of await expectedFiles(origin)) {
    const found = await problemsOf(origin, file);
    console.log(`${found.length === 0 ? 'as built' : 'CHANGED '}  ${integrityOf(file.content)}  ${file.path}`);
    problems.push(...found);
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'));
});

function readOrigin(): string {
  const { positionals } = readArguments(USAGE, () => parseArgs({ allowPositionals: true }));
  const [address = ''] = positionals;
  if (positionals.length !== 1 || !URL.canParse(address)) throw new UserError(USAGE);
  return new URL(address).origin;
}

/** The page of payment links is the same for every token, also for one that does not exist. */
async function expectedFiles(origin: string): Promise<readonly ExpectedFile[]> {
  const page = servedPaymentPage(await readPaymentPage(), origin);
  const sdk = await readCheckoutSdk();
  const fields = servedCardFields(sdk.cardFields, []);
  return [
    { path: '/pay/check', content: page.html, policy: page.policy },
    { path: page.script.path, content: page.script.content },
    { path: page.style.path, content: page.style.content },
    { path: '/sdk/checkout/v1/card-fields', content: fields.html, policy: fields.policy },
    { path: `/sdk/checkout/v1/${fields.script.path}`, content: fields.script.content },
    { path: `/sdk/checkout/v1/${fields.style.path}`, content: fields.style.content },
    { path: '/sdk/checkout/v1/checkout.js', content: sdk.code },
  ];
}

async function problemsOf(origin: string, { path, content, policy }: ExpectedFile): Promise<string[]> {
  const response = await fetch(`${origin}${path}`, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const got = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) return [`${path}: expected it to be there; got the status ${response.status}.`];
  const differs = got.equals(content)
    ? []
    : [`${path}: expected ${integrityOf(content)} of this release; got ${integrityOf(got)}.`];
  const sent = response.headers.get('content-security-policy') ?? 'none';
  const weaker =
    policy === undefined || withoutParents(sent) === withoutParents(policy)
      ? []
      : [`${path}: expected the Content-Security-Policy "${policy}"; got "${sent}".`];
  return [...differs, ...weaker];
}

/** Which pages may embed the card fields is a setting. */
function withoutParents(policy: string): string {
  return policy.replace(/frame-ancestors [^;]*/, 'frame-ancestors');
}

function integrityOf(content: Buffer): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}
