import { spawn } from 'node:child_process';

/** Runs a program in the caller's own terminal; resolves with its exit code. @throws when it cannot be started */
export function runConformanceProgram(
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd, env: { ...process.env, ...variables } });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
