import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { refuseArguments } from '../../scripts/command-arguments.ts';
import { runConformanceProgram } from '../conformance/run-program.ts';
import { providePython } from '../conformance/tools.ts';
import { BRUNO_COLLECTION, brunoRequests } from './bruno-requests.ts';
import { clientSources } from './client-sources.ts';
import { describeApi } from './described-api.ts';
import { goSources } from './go-sources.ts';
import { PYTHON_RESOURCES, PYTHON_TYPES, pythonSources } from './python-sources.ts';

const TYPES_GENERATOR = 'datamodel-code-generator==0.89.0';
/** Types that need nothing but Python's standard library. */
const TYPES_OPTIONS = [
  ...['--input-file-type', 'openapi', '--output-model-type', 'typing.TypedDict', '--target-python-version', '3.11'],
  ...['--enum-field-as-literal', 'all', '--use-schema-description', '--use-field-description', '--use-title-as-name'],
  ...['--use-union-operator', '--use-standard-collections', '--no-use-closed-typed-dict', '--formatters', 'builtin'],
];

/** Generates the sources of the clients, and a collection of requests, from the OpenAPI document. */
refuseArguments('generate');
const document = describeApi();
const python = pythonSources(document);
const requests = brunoRequests(document);
const sources = [
  ...(await clientSources(document)),
  ...goSources(document),
  [PYTHON_RESOURCES, python.resources] as const,
];
for (const [file, source] of sources) {
  await write(file, source);
  console.log(file);
}
for (const folder of new Set([...requests.keys()].map(path.dirname))) {
  await rm(path.join(PROJECT_ROOT, folder), { recursive: true, force: true });
}
for (const [file, source] of requests) await write(file, source);
console.log(BRUNO_COLLECTION);
await generatePythonTypes();

/** Runs the generator only if the schemas have changed: it is a Python program, which has to be installed first. */
async function generatePythonTypes(): Promise<void> {
  const output = path.join(PROJECT_ROOT, PYTHON_TYPES);
  if ((await readFile(output, 'utf8').catch(() => '')).startsWith(python.typesHeader)) return;
  const folder = path.join(PROJECT_ROOT, '.data', 'generate-client');
  await mkdir(folder, { recursive: true });
  const input = path.join(folder, 'schemas.json');
  await writeFile(input, python.schemas);
  const programOf = await providePython(folder, [TYPES_GENERATOR]);
  const files = ['--input', input, '--output', output, '--custom-file-header', python.typesHeader];
  const code = await runConformanceProgram(programOf('datamodel-codegen'), [...TYPES_OPTIONS, ...files]);
  if (code !== 0) throw new Error(`datamodel-codegen ended with ${code}`);
  console.log(PYTHON_TYPES);
}

async function write(file: string, source: string): Promise<void> {
  const target = path.join(PROJECT_ROOT, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, source);
}
