import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../../domain/time.ts';
import { DIST_DIR, PROJECT_ROOT } from '../../../sandbox/stack/project.ts';
import { findNode22 } from '../../support/node-22.ts';

const run = promisify(execFile);

/** What the packages depend on, taken from the project's own packages: nothing is fetched. */
const DEPENDENCIES = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'].map((name) => `./node_modules/${name}`);

const PAGE = `
import { createCheckout, depositCode, resumeCheckout } from '@payment-engine/checkout';
import type { PaymentEvent } from '@payment-engine/checkout';

const checkout = resumeCheckout() ?? createCheckout({ clientSecret: 'of the payment', baseUrl: 'https://api.example' });
checkout.on('payment-failed', ({ error, terminal }) => console.log(error.code, terminal));
checkout.on('payment-canceled', ({ error }: PaymentEvent) => console.log(error?.code));
const result = await checkout.confirm({ paymentMethod: { type: 'upi', upi: { vpa: 'a@b' } } });
if (result.outcome === 'declined' || result.outcome === 'failed') console.log(result.error.message);
if (result.nextAction?.type === 'crypto_deposit') document.body.append(depositCode(result.nextAction));
`;

/** Literals are inferred without \`as const\`, and unions narrow. */
const SERVER = `
import { createClient, PaymentEngineError, verifyWebhook } from '@payment-engine/server';
import type { Customer, Event, Page, PaymentIntent, PaymentMethod, Refund } from '@payment-engine/server';

const client = createClient({ baseUrl: 'https://api.example', apiKey: 'svc_test_k', secretSalt: 's', signatureVersion: 2 });
const method: PaymentMethod = { type: 'card', card: { number: '4242', expiryMonth: 12, expiryYear: 2030, cvc: '123' } };

export async function pay(): Promise<PaymentIntent> {
  const intent = await client.paymentIntents.create({ amount: 1, currency: 'EUR', captureMethod: 'manual', paymentMethod: method });
  await client.paymentIntents.confirm(intent.id, { paymentMethod: { type: 'upi', upi: { vpa: 'a@b' } } }, { respondAsync: true });
  await client.paymentRoutes.simulate({ amount: 1, currency: 'EUR', paymentMethod: 'card' });
  return client.paymentIntents.get(intent.id);
}
export async function read(): Promise<Refund[]> {
  const found: Refund[] = [];
  for await (const refund of client.refunds.iterate({ limit: 2 })) found.push(refund);
  const customers: Page<Customer> = await client.customers.list();
  return customers.data.length > 0 ? found : [];
}
export function handle(payload: Uint8Array, headers: Headers, error: unknown): string {
  const event: Event = verifyWebhook({ payload, headers, secret: ['whsec_one', 'whsec_two'] });
  if (error instanceof PaymentEngineError && error.code === 'CARD_DECLINED') return error.paymentIntent?.clientSecret ?? '';
  if (event.type === 'refund.failed') return event.data.failure?.code ?? event.data.status;
  return event.data.object === 'payment_intent' ? event.data.status : event.type;
}
`;

const CALL = `
const client = createClient({
  baseUrl: 'http://engine.test',
  apiKey: 'svc_test_k',
  secretSalt: 'salt',
  fetch: async (url, { headers }) => {
    if (!headers['X-Signature']) throw new Error('not signed');
    return Response.json({ success: true, data: { id: new URL(url).pathname.split('/').at(-1) } });
  },
});
try {
  verifyWebhook({ payload: '{}', headers: {}, secret: 'whsec_c2VjcmV0' });
} catch (error) {
  if (!(error instanceof WebhookVerificationError)) throw error;
  client.paymentIntents.get('pi_1').then(({ id }) => console.log(id));
}
`;
const NAMES = '{ createClient, verifyWebhook, WebhookVerificationError }';

describe('the packages of the SDKs', function () {
  this.timeout(5 * MINUTE_MS);
  let project: string;

  before(async () => {
    project = await mkdtemp(path.join(tmpdir(), 'consumer-'));
    const archives = path.join(project, 'archives');
    await run(process.execPath, [path.join(DIST_DIR, 'scripts', 'pack-sdks.js'), archives]);
    await run('npm', ['pack', '--silent', '--pack-destination', archives, ...DEPENDENCIES], { cwd: PROJECT_ROOT });
    await writeFile(path.join(project, 'package.json'), '{}');
    const files = (await readdir(archives)).map((name) => `./archives/${name}`);
    const offline = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...offline, ...files], { cwd: project });
  });
  after(() => rm(project, { recursive: true, force: true }));

  for (const [system, file, source] of [
    ['an ES module', 'call.mjs', `import ${NAMES} from '@payment-engine/server';${CALL}`],
    ['CommonJS', 'call.cjs', `const ${NAMES} = require('@payment-engine/server');${CALL}`],
  ] as const) {
    it(`let ${system} call the engine, on this version of Node and on Node 22`, async function () {
      await writeFile(path.join(project, file), source);
      for (const node of [process.execPath, await findNode22(this)]) {
        const { stdout } = await run(node, [file], { cwd: project });
        assert.equal(stdout, 'pi_1\n', node);
      }
    });
  }

  // What node16 takes, nodenext takes as well.
  for (const [version, compiler, moduleResolution, files] of [
    [6, 'typescript', 'node16', { 'server.mts': SERVER, 'server.cts': SERVER, 'page.mts': PAGE }],
    [7, 'typescript-native', 'bundler', { 'server.ts': SERVER, 'page.ts': PAGE }],
  ] as const) {
    it(`have types that TypeScript ${version} compiles under the module resolution ${moduleResolution}`, async () => {
      for (const [name, source] of Object.entries(files)) await writeFile(path.join(project, name), source);
      const module = moduleResolution === 'bundler' ? 'preserve' : moduleResolution;
      const args = ['--strict', '--noEmit', '--module', module, '--moduleResolution', moduleResolution];
      const tsc = path.join(PROJECT_ROOT, 'node_modules', compiler, 'bin', 'tsc');
      await run(process.execPath, [tsc, ...args, ...Object.keys(files)], { cwd: project }).catch(
        (error: { stdout?: string }) => assert.fail(error.stdout ?? String(error)),
      );
    });
  }

  it('can be bundled into a page', async () => {
    await writeFile(path.join(project, 'page.mts'), PAGE);
    const { outputFiles } = await build({
      absWorkingDir: project,
      entryPoints: ['page.mts'],
      bundle: true,
      format: 'esm',
      write: false,
    });
    assert.match(outputFiles[0]?.text ?? '', /api\/v1\/payment-intents/);
  });
});
