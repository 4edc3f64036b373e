import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { transform } from 'esbuild';

const BUILD_ID_LENGTH = 12;

/**
 * Bundles the compiled workflows once, so that no worker spends seconds on it at its start. Their modules hold no state,
 * so that all workflows of a worker share them instead of each evaluating its own.
 */
const workflowsPath = pathOf('../workflows/index.js');
const interceptorsPath = pathOf('../workflows/shared/trace-messages.js');
const { code } = await bundleWorkflowCode({
  workflowsPath,
  workflowInterceptorModules: [interceptorsPath],
  preloadModules: [pathOf('../workflows/shared/stack-traces.js'), workflowsPath, interceptorsPath],
});
await writeFile(new URL('../workflow-bundle.js', import.meta.url), code);
await writeFile(new URL('../workflow-build-id', import.meta.url), await buildIdOf(code));

/** A hash of what runs: neither comments nor the source map, which holds paths of this machine, make another version. */
async function buildIdOf(bundle: string): Promise<string> {
  const { code: bare } = await transform(bundle, { minifyWhitespace: true, legalComments: 'none' });
  return createHash('sha256').update(bare).digest('hex').slice(0, BUILD_ID_LENGTH);
}

function pathOf(url: string): string {
  return fileURLToPath(new URL(url, import.meta.url));
}
