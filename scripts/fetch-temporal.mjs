/**
 * Fetches or builds the Temporal server: `node fetch-temporal.mjs`. Plain JavaScript without packages: the set-up runs it while it
 * installs them.
 */
import { toolFolders } from '../config/tool-folders.mjs';
import { findOrFetchTemporalCli } from '../sandbox/tools/temporal-cli.mjs';

/** On a terminal, the set-up has left the cursor at the end of its own line, and writes that line again within a second. */
const LINE_START = process.stdout.isTTY ? '\r\u001B[K' : '';

// Exits on a signal, which also ends the build programs that it has started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

await findOrFetchTemporalCli({
  tools: toolFolders(process.env),
  settings: process.env,
  report: (line) => console.log(`${LINE_START}${line}`),
});
