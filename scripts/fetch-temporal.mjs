/**
 * Fetches or builds the Temporal server: `node fetch-temporal.mjs`. Plain JavaScript without packages: the set-up runs it while it
 * installs them.
 */
import { toolFolders } from '../config/tool-folders.mjs';
import { findOrFetchTemporalCli } from '../sandbox/tools/temporal-cli.mjs';

// Exits on a signal, which also ends the build programs that it has started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

await findOrFetchTemporalCli({ tools: toolFolders(process.env), settings: process.env, report: console.log });
