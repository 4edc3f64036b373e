import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Bundles the compiled workflows once, so that no worker spends seconds on it at its start. */
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.js', import.meta.url)),
});
await writeFile(new URL('../workflow-bundle.js', import.meta.url), code);
