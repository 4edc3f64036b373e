import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Bundles the compiled workflows once, so that no worker spends seconds on it at its start. */
const compiled = (name: string) => fileURLToPath(new URL(`../workflows/${name}.js`, import.meta.url));
const { code } = await bundleWorkflowCode({
  workflowsPath: compiled('index'),
  preloadModules: [compiled('shallow-stacks')],
});
await writeFile(new URL('../workflow-bundle.js', import.meta.url), code);
