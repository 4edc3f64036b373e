import { readToolsConfig } from '../../config/tools.ts';
import { provideTemporalTestServer } from '../../sandbox/tools/temporal-test-server.ts';

let found: Promise<string> | undefined;

/** Path of the time-skipping test server; looked for, and fetched if need be, once. */
export function provideTestServer(): Promise<string> {
  found ??= provideTemporalTestServer({
    tools: readToolsConfig(),
    settings: process.env,
    report: (line) => console.log(line),
  });
  return found;
}
