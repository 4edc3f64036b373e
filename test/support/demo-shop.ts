import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context, RootHookObject } from 'mocha';
import { createDemoApp } from '../../demo/app.ts';
import { readShopPage } from '../../demo/page.ts';
import { createShop } from '../../demo/shop.ts';
import { findChromium } from './chromium.ts';
import { getStack, mochaHooks as stackHooks } from './stack.ts';

let server: Server | undefined;

/** Where the demo shop of this run is. */
export function demoUrl(): string {
  if (server === undefined) throw new Error('the demo shop runs only under the hooks of test/support/demo-shop.ts');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/demo`;
}

async function startDemoShop(): Promise<void> {
  const { sandbox } = getStack();
  const apiUrl = sandbox.baseUrl;
  const shop = createShop({ credentials: sandbox, simulators: sandbox.simulators });
  server = createServer(createDemoApp({ shop, page: await readShopPage(apiUrl), apiUrl }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Root hooks of the browser tests: an engine and a shop, unless there is no browser to visit it with. */
export const mochaHooks: RootHookObject = {
  async beforeAll(this: Context) {
    if (findChromium() === undefined) {
      console.log('  Skipped: no Chromium or Chrome is on the PATH. Install one to run these tests.');
      this.skip();
    }
    await call(stackHooks.beforeAll, this);
    await startDemoShop();
  },
  async afterAll(this: Context) {
    server?.closeAllConnections();
    server?.close();
    await call(stackHooks.afterAll, this);
  },
};

async function call(hook: RootHookObject['beforeAll'], context: Context): Promise<void> {
  if (typeof hook === 'function') await Reflect.apply(hook, context, []);
}
