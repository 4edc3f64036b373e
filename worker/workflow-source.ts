import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from '@temporalio/worker';
import { UserError } from '../domain/user-error.ts';

/** The bundle is built in advance, so that a worker does not bundle at its start. */
const BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
const BUILD_ID_PATH = fileURLToPath(new URL('../workflow-build-id', import.meta.url));
const SOURCE_PATH = fileURLToPath(new URL('../workflows/index.js', import.meta.url));

/** The workflow code of a worker: the bundle where there is one, else the compiled sources. */
export function workflowSource(): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  return existsSync(BUNDLE_PATH) ? { workflowBundle: { codePath: BUNDLE_PATH } } : { workflowsPath: SOURCE_PATH };
}

/** The id of the version of the workflow code: the same code has the same id wherever it is built. @throws UserError */
export function workflowBuildId(): string {
  try {
    return readFileSync(BUILD_ID_PATH, 'utf8');
  } catch {
    throw new UserError('The workflows are not built. Run "npm run build", then start the worker again.');
  }
}
