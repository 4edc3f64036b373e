import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { demoUrl } from './demo-shop.ts';

const shownFrame = z.object({ id: z.string().optional(), paymentIntentId: z.string().optional() });
type ShownFrame = z.infer<typeof shownFrame>;

/** A customer at the demo shop. */
export interface ShopVisit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors in the browser's console: blocked loads, script errors. */
  readonly complaints: readonly string[];
  /** Chooses a method, and one of its test inputs by its label. */
  choose(method: 'Card' | 'UPI' | 'Crypto', input: string): Promise<void>;
  pay(): Promise<void>;
  /** From now on confirms wait until the page's socket is subscribed, so that it gets every event. */
  subscribeFirst(): Promise<void>;
  /** Waits until the page shows a message with that title. */
  waitForMessage(title: string, withinMs?: number): Promise<void>;
  /** The frames of the socket by their names, oldest first. */
  events(): Promise<readonly string[]>;
  /** The frames themselves, oldest first. */
  frames(): Promise<readonly ShownFrame[]>;
}

export interface VisitOptions {
  /** Default: the shop of this run. */
  readonly url?: string;
  readonly size?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  /** Runs in every document before its own scripts. */
  readonly initScript?: string;
}

/** Opens the shop in a fresh browser profile. */
export async function visitShop(browser: Browser, options: VisitOptions = {}): Promise<ShopVisit> {
  const { url = demoUrl(), size = { width: 1_280, height: 900 }, colorScheme = 'light' } = options;
  const context = await browser.newContext({ viewport: size, colorScheme });
  if (options.initScript !== undefined) await context.addInitScript(options.initScript);
  context.setDefaultTimeout(MINUTE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|integrity|TrustedHTML/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(url);
  return {
    page,
    context,
    complaints,
    choose: async (method, input) => {
      await page.getByRole('radio', { name: method }).check();
      await page
        .getByRole('group', { name: 'Test inputs' })
        .getByRole('button', { name: new RegExp(`^${input}`) })
        .click();
    },
    pay: () => page.getByRole('button', { name: /^Pay / }).click(),
    subscribeFirst: async () => {
      await page.route(/\/confirm$/, async (route) => {
        const ready = page.locator('#frames summary code').getByText('ready', { exact: true });
        await ready.first().waitFor({ state: 'attached' });
        await route.continue();
      });
    },
    waitForMessage: (title, timeout) =>
      page
        .getByRole('status')
        .or(page.getByRole('alert'))
        .getByText(title, { exact: true })
        .waitFor(timeout === undefined ? {} : { timeout }),
    events: async () => (await page.locator('#frames summary code').allTextContents()).reverse(),
    frames: async () =>
      (await page.locator('#frames pre').allTextContents()).reverse().map((text) => shownFrame.parse(JSON.parse(text))),
  };
}
