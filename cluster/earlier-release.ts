import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { UserError } from '../domain/user-error.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';

const run = promisify(execFile);
const PACKAGES = 'node_modules';
/** They say that a set-up has been done here, which would overwrite ours. */
const STAMPS = ['.packages-stamp', '.install-stamp'];
const LONGEST_OUTPUT = 2 ** 26;

/**
 * Checks an earlier release out into a folder, which is removed afterwards. It begins with copies of our packages, so that its
 * set-up installs packages only if it needs others.
 * @param revision as git knows it
 * @throws UserError where there is no such revision
 */
export async function withEarlierRelease<Result>(
  folder: string,
  revision: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const git = (...args: readonly string[]) => run('git', args, { cwd: PROJECT_ROOT });
  await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`).catch(() => {
    throw new UserError(`git knows no revision ${revision}.`);
  });
  const remove = () => git('worktree', 'remove', '--force', folder);
  await remove().catch(() => undefined);
  await git('worktree', 'add', '--detach', folder, revision);
  try {
    await linkPackages(path.join(folder, PACKAGES));
    return await work(folder);
  } finally {
    await remove();
  }
}

/** Hard links take seconds where copies or an installation take minutes. Without them, the set-up installs. */
async function linkPackages(to: string): Promise<void> {
  try {
    await run('cp', ['-al', path.join(PROJECT_ROOT, PACKAGES), to]);
    for (const stamp of STAMPS) await rm(path.join(to, stamp), { force: true });
  } catch {
    await rm(to, { recursive: true, force: true });
  }
}

const failureSchema = z.object({ stdout: z.string(), stderr: z.string() });

/** Builds a release in its folder. @throws UserError with what the build said */
export async function buildRelease(folder: string): Promise<void> {
  await run('npm', ['run', 'build'], { cwd: folder, maxBuffer: LONGEST_OUTPUT }).catch((error: unknown) => {
    const said = failureSchema.safeParse(error).data;
    throw new UserError(`The earlier release cannot be built.\n${said?.stdout ?? String(error)}${said?.stderr ?? ''}`);
  });
}
