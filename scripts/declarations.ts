import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../domain/user-error.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';

/** Compiles a folder with its own tsconfig.json. @throws UserError when its types are wrong */
export async function compile(folder: string): Promise<void> {
  const tsc = path.join(PROJECT_ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new UserError(`The types of ${path.relative(PROJECT_ROOT, folder)} are wrong.`);
}

/** Renames the imports in the declarations of a folder: older compilers look for them under the name of the code only. */
export async function nameDeclarationsAsPublished(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = path.join(folder, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/(?<=from '\.{1,2}\/[\w/-]+)\.ts(?=')/g, '.js'));
  }
}
