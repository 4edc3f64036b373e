import { createServer } from 'node:http';
import type { Context, RootHookObject } from 'mocha';
import { createDemoApp } from '../../sandbox/demo-shop/app.ts';
import { readShopPage } from '../../sandbox/demo-shop/page.ts';
import { createEngine } from '../../sandbox/demo-shop/engine.ts';
import { createShop } from '../../sandbox/demo-shop/shop.ts';
import { findChromium } from './chromium.ts';
import { listenLocally } from './local-server.ts';
import { skipWithout } from './skip.ts';
import { getStack, mochaHooks as stackHooks } from './stack.ts';

/** A running demo shop. */
export interface DemoShop {
  readonly url: string;
  close(): void;
}

let shared: DemoShop | undefined;

/** The address of the demo shop of this run. */
export function demoUrl(): string {
  if (shared === undefined) throw new Error('the demo shop runs only under the hooks of test/support/demo-shop.ts');
  return shared.url;
}

/** Starts a demo shop on a free port. @param apiUrl the API's address for its pages; default: the engine's own */
export async function startDemoShop(apiUrl = getStack().sandbox.baseUrl): Promise<DemoShop> {
  const { sandbox } = getStack();
  const shop = createShop({ engine: createEngine(sandbox), simulators: sandbox.simulators });
  const page = await readShopPage(apiUrl);
  const server = createServer(createDemoApp({ shop, page, apiUrl, hosts: [], isSecure: false }));
  return {
    url: `${await listenLocally(server)}/demo`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Root hooks of the browser tests: start an engine and a shop, unless no browser is installed. */
export const mochaHooks: RootHookObject = {
  async beforeAll(this: Context) {
    if (findChromium() === undefined) skipWithout('Chromium or Chrome (on the PATH)', this);
    await call(stackHooks.beforeAll, this);
    shared = await startDemoShop();
  },
  async afterAll(this: Context) {
    shared?.close();
    await call(stackHooks.afterAll, this);
  },
};

async function call(hook: RootHookObject['beforeAll'], context: Context): Promise<void> {
  if (typeof hook === 'function') await Reflect.apply(hook, context, []);
}
