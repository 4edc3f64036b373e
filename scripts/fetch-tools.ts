import { readStartConfig } from '../config/sandbox.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { provideNode22 } from '../sandbox/tools/node-22.ts';
import { findOrFetchTemporalCli } from '../sandbox/tools/temporal-cli.mjs';
import { provideTemporalTestServer, type TestServerOptions } from '../sandbox/tools/temporal-test-server.ts';

const TOOLS: Readonly<Record<string, (options: TestServerOptions) => Promise<string | undefined>>> = {
  temporal: findOrFetchTemporalCli,
  'test-server': provideTemporalTestServer,
  'node-22': provideNode22,
};

// Exits on a signal, which also ends the build programs that it has started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/** `node fetch-tools.js <tool…>`: fetches or builds tools in the background. */
await runScript(async () => {
  const { tools, settings } = readStartConfig();
  for (const name of process.argv.slice(2)) await TOOLS[name]?.({ tools, settings, report: console.log });
});
