import { createServer } from 'node:http';
import { readDemoConfig } from '../../config/sandbox.ts';
import { warnOfReach } from '../warn-of-reach.ts';
import { runScript } from '../stack/explain-error.ts';
import { createDemoApp } from './app.ts';
import { createEngine } from './engine.ts';
import { readShopPage } from './page.ts';
import { createShop } from './shop.ts';

/** The demo shop as a separate process, like a merchant's server. It accepts only sandbox keys. */
async function main(): Promise<void> {
  const { host, publicUrl, port, apiUrl, apiKey, secretSalt, simulators } = readDemoConfig();
  const shop = createShop({ engine: createEngine({ baseUrl: apiUrl, apiKey, secretSalt }), simulators });
  const hosts = publicUrl === null ? [host] : [host, new URL(publicUrl).hostname];
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  const server = createServer(createDemoApp({ shop, page: await readShopPage(apiUrl), apiUrl, hosts, isSecure }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => resolve());
  });
  const stopped = new Promise<void>((resolve) => {
    for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => resolve());
  });
  warnOfReach('DEMO_HOST', host, 'the demo shop makes payments with the sandbox key for whoever opens it');
  process.stdout.write(`demo shop listening on http://${host}:${port}/demo\n`);
  await stopped;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

await runScript(main);
process.exit();
