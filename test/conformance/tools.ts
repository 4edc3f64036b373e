import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { runConformanceProgram } from './run-program.ts';

const GENERATOR = { group: 'org.openapitools', name: 'openapi-generator-cli', version: '7.25.0' } as const;

/**
 * A Python environment of its own with these packages.
 * @returns finds one of its programs by name
 * @throws Error when Python or a package cannot be had
 */
export async function providePython(folder: string, packages: readonly string[]): Promise<(program: string) => string> {
  const environment = path.join(folder, 'python');
  const programOf = (program: string): string => path.join(environment, 'bin', program);
  if (!existsSync(programOf('pip'))) await must('python3', ['-m', 'venv', environment]);
  await must(programOf('pip'), ['install', '--quiet', ...packages]);
  return programOf;
}

/** The OpenAPI generator, from Maven's repository. @throws Error when Maven cannot fetch it */
export async function provideGenerator(folder: string): Promise<string> {
  const { group, name, version } = GENERATOR;
  const file = path.join(folder, `${name}-${version}.jar`);
  if (!existsSync(file)) {
    const artifact = `-Dartifact=${group}:${name}:${version}`;
    await must('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`]);
  }
  return file;
}

/** A program of a Go module, built once. @param version path of its package, and `@version` @throws Error when it cannot be had */
export async function provideGoProgram(folder: string, version: string): Promise<string> {
  const [name = ''] = path.basename(version).split('@');
  const bin = path.join(folder, version.replaceAll(/\W+/g, '-'));
  const program = path.join(bin, name);
  if (!existsSync(program)) await must('go', ['install', version], { variables: { GOBIN: bin } });
  return program;
}

/** The program of the file with that name in this folder, with a module that it needs. @throws Error when it cannot be built */
export async function provideOwnGoProgram(folder: string, name: string, module: string): Promise<string> {
  const cwd = path.join(folder, name);
  await mkdir(cwd, { recursive: true });
  await copyFile(path.join(PROJECT_ROOT, 'test', 'conformance', `${name}.go`), path.join(cwd, 'main.go'));
  if (!existsSync(path.join(cwd, 'go.mod'))) await must('go', ['mod', 'init', name], { cwd });
  await must('go', ['get', module], { cwd });
  await must('go', ['mod', 'tidy'], { cwd });
  await must('go', ['build', '-o', name], { cwd });
  return path.join(cwd, name);
}

interface Place {
  readonly variables?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

async function must(command: string, args: readonly string[], { variables, cwd }: Place = {}): Promise<void> {
  const code = await runConformanceProgram(command, args, variables, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
