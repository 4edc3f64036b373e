import { settingsOf } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import type { ChildSpec } from './child-spec.ts';
import type { Sandbox } from './data-folder.ts';
import { nodeSpec } from './engine-processes.ts';

/** The address of the demo shop. */
export function demoUrlOf(demoPort: number): string {
  return `http://127.0.0.1:${demoPort}/demo`;
}

/** How the demo shop is run: with nothing but what a merchant's server has, the API's address and a key. */
export function demoSpec(
  demoPort: number,
  { baseUrl, apiKey, secretSalt }: Sandbox,
  settings: Settings,
  dataDir: string,
): ChildSpec {
  return nodeSpec({
    name: 'demo',
    program: 'sandbox/demo-shop/main.js',
    env: {
      ...settingsOf('demo', settings),
      DEMO_PORT: String(demoPort),
      DEMO_API_URL: baseUrl,
      DEMO_API_KEY: apiKey,
      DEMO_SECRET_SALT: secretSalt,
    },
    dataDir,
    readyLine: /^demo shop listening on /m,
  });
}
