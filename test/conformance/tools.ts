import { existsSync } from 'node:fs';
import path from 'node:path';
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

async function must(command: string, args: readonly string[]): Promise<void> {
  const code = await runConformanceProgram(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
