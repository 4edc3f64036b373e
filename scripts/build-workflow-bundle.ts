import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/**
 * Bundles the compiled workflows once, so that no worker spends seconds on it at its start. Their modules hold no state,
 * so that all workflows of a worker share them instead of each evaluating its own.
 */
const workflowsPath = pathOf('../workflows/index.js');
const { code } = await bundleWorkflowCode({
  workflowsPath,
  preloadModules: [pathOf('../workflows/shared/stack-traces.js'), workflowsPath],
});
await writeFile(new URL('../workflow-bundle.js', import.meta.url), code);

function pathOf(url: string): string {
  return fileURLToPath(new URL(url, import.meta.url));
}
