import { readStartConfig } from '../config/sandbox.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { provideNode22 } from '../sandbox/tools/node-22.ts';
import type { ProvisionOptions } from '../sandbox/tools/build-with-go.ts';
import { provideTemporalCli } from '../sandbox/tools/temporal-cli.ts';
import { provideTemporalTestServer } from '../sandbox/tools/temporal-test-server.ts';

const TOOLS: Readonly<Record<string, (options: ProvisionOptions) => Promise<string>>> = {
  temporal: provideTemporalCli,
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
