import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { showHelp } from '../../scripts/command-arguments.ts';
import { SANDBOX_ACCOUNTS, SANDBOX_API_KEY_ID } from '../../sandbox/stack/sandbox-data.ts';
import { BRUNO_COLLECTION } from '../support/bruno-requests.ts';
import { describeApi } from '../support/described-api.ts';
import { startTestStack } from '../support/stack.ts';
import { UserError } from '../../domain/user-error.ts';
import { checkAdyen } from './adyen.ts';
import { checkWithAutobahn } from './autobahn.ts';
import { checkWithCashfree } from './cashfree.ts';
import { checkDeployment } from './deploy.ts';
import { checkImage } from './image.ts';
import { runConformanceProgram } from './run-program.ts';
import { checkWithStripeMock } from './stripe.ts';
import { provideGenerator, providePython } from './tools.ts';
import { checkUpgrade } from './upgrade.ts';

const FOLDER = path.join(PROJECT_ROOT, '.data', 'conformance');
const SOURCES = path.join(PROJECT_ROOT, 'test', 'conformance');
const REDOCLY = '@redocly/cli@2.77.0';
const BRUNO = '@usebruno/cli@4.1.0';
/** In this order, for each takes ids from those before it. */
const BRUNO_REQUESTS = [
  'payment-intents/create',
  'payment-intents/confirm',
  'refunds/create',
  'refunds/get',
  'events/list',
];
const PYTHON_CLIENT = path.join(PROJECT_ROOT, 'sdk', 'python');
const IS_INSTALLED_ALONE = `
import importlib.metadata, importlib.resources, os, payment_engine
assert payment_engine.Client and payment_engine.__file__.startswith(os.getcwd()), payment_engine.__file__
assert importlib.resources.files(payment_engine).joinpath("py.typed").is_file(), "py.typed is missing"
assert not importlib.metadata.requires("payment-engine"), "it needs other packages"
`;
const brunoReportSchema = z.array(
  z.object({
    results: z.array(
      z.object({ test: z.object({ filename: z.string() }), response: z.object({ status: z.unknown() }) }),
    ),
  }),
);

/** Checks the API with independent programs, and adapters by documents of their vendors: `npm run conformance -- lint`, and so on. */
const CHECKS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  lint,
  schemathesis,
  client,
  python: checkPythonPackage,
  bruno: checkBrunoCollection,
  autobahn: () => checkWithAutobahn(FOLDER),
  adyen: checkAdyen,
  cashfree: checkWithCashfree,
  stripe: () => checkWithStripeMock(FOLDER),
  deploy: () => checkDeployment(FOLDER),
  image: () => checkImage(FOLDER),
  upgrade: (args) => checkUpgrade(FOLDER, args),
};

const [name = '', ...args] = process.argv.slice(2);
const check = CHECKS[name];
const USAGE = `Name one check: npm run conformance -- ${Object.keys(CHECKS).join('|')}`;
showHelp(USAGE);
if (check === undefined) {
  console.error(USAGE);
  process.exit(1);
}
await mkdir(FOLDER, { recursive: true });
try {
  process.exit(await check(args));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** Redocly's linter reads the document. */
async function lint(): Promise<number> {
  const config = path.join(SOURCES, 'redocly.yaml');
  return runConformanceProgram('npx', ['--yes', REDOCLY, 'lint', await writeDocument(), '--config', config]);
}

/** Schemathesis sends what the document allows and what it does not, and checks every answer against it. */
async function schemathesis(options: readonly string[]): Promise<number> {
  const python = await providePython(FOLDER, ['schemathesis==4.32.5']);
  const defaults = ['--continue-on-failure', '--request-timeout', '30', '--workers', '2', '--max-examples', '50'];
  const config = path.join(SOURCES, 'schemathesis.toml');
  return withStack(({ baseUrl, apiKey, secretSalt }) =>
    runConformanceProgram(
      python('schemathesis'),
      ['--config-file', config, 'run', `${baseUrl}/openapi.json`, ...defaults, ...options],
      {
        SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
        PYTHONPATH: SOURCES,
        CONFORMANCE_API_KEY: apiKey,
        CONFORMANCE_SECRET_SALT: secretSalt,
        CONFORMANCE_ACCOUNT: SANDBOX_ACCOUNTS[0].id,
        CONFORMANCE_PROTECTED: [SANDBOX_API_KEY_ID, SANDBOX_ACCOUNTS[0].id].join(),
      },
      FOLDER,
    ),
  );
}

/** A Python client that the OpenAPI generator makes of the document creates and confirms a payment. */
async function client(): Promise<number> {
  const [generator, python] = await Promise.all([provideGenerator(FOLDER), providePython(FOLDER, ['setuptools'])]);
  const generated = path.join(FOLDER, 'client');
  await rm(generated, { recursive: true, force: true });
  const properties = '--additional-properties=packageName=payment_engine';
  const input = ['generate', '-g', 'python', '-i', await writeDocument(), '-o', generated, properties];
  const code =
    (await runConformanceProgram('java', ['-jar', generator, ...input])) ||
    (await runConformanceProgram(python('pip'), ['install', '--quiet', generated]));
  if (code !== 0) return code;
  return withStack(({ baseUrl, apiKey, secretSalt }) =>
    runConformanceProgram(python('python'), [path.join(SOURCES, 'pay_with_client.py')], {
      CONFORMANCE_BASE_URL: baseUrl,
      CONFORMANCE_API_KEY: apiKey,
      CONFORMANCE_SECRET_SALT: secretSalt,
    }),
  );
}

/** pip installs the Python client, with its types and without other packages. */
async function checkPythonPackage(): Promise<number> {
  const python = await providePython(FOLDER, ['flit_core']);
  const installed = path.join(FOLDER, 'installed');
  await rm(installed, { recursive: true, force: true });
  const options = ['--quiet', '--no-index', '--no-build-isolation', '--target', installed];
  const code = await runConformanceProgram(python('pip'), ['install', ...options, PYTHON_CLIENT]);
  return code || runConformanceProgram(python('python'), ['-c', IS_INSTALLED_ALONE], {}, installed);
}

/** Bruno pays with the collection, as its environment has it. */
function checkBrunoCollection(): Promise<number> {
  return withStack(({ baseUrl, apiKey, secretSalt }) => payWithBruno({ baseUrl, apiKey, secretSalt }));
}

async function payWithBruno(variables: Readonly<Record<string, string>>): Promise<number> {
  const report = path.join(FOLDER, 'bruno.json');
  const values = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const files = BRUNO_REQUESTS.map((request) => `${request}.bru`);
  const reporter = ['--reporter-json', report, '--reporter-skip-all-headers'];
  const args = ['--yes', BRUNO, 'run', ...files, '--env', 'sandbox', ...values, ...reporter];
  const code = await runConformanceProgram('npx', args, {}, path.join(PROJECT_ROOT, BRUNO_COLLECTION));
  if (code !== 0) return code;
  const results = brunoReportSchema.parse(JSON.parse(await readFile(report, 'utf8'))).flatMap((run) => run.results);
  const failed = results.filter(({ response }) => response.status !== 200 && response.status !== 201);
  for (const { test, response } of failed) console.error(`${test.filename}: ${String(response.status)}`);
  return failed.length === 0 && results.length === BRUNO_REQUESTS.length ? 0 : 1;
}

async function writeDocument(): Promise<string> {
  const file = path.join(FOLDER, 'openapi.json');
  await writeFile(file, JSON.stringify(describeApi(), null, 2));
  return file;
}

type Sandbox = Awaited<ReturnType<typeof startTestStack>>['stack']['sandbox'];

async function withStack(use: (sandbox: Sandbox) => Promise<number>): Promise<number> {
  const { stack, dataDir } = await startTestStack();
  try {
    return await use(stack.sandbox);
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
