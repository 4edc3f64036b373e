import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { NARROW } from './browser-page.ts';

/** A phone on a slow line: 400 ms of latency, 50 KB/s, and a processor that is four times as slow. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50 * 1_024, uploadThroughput: 50 * 1_024 };
const SLOWER = 4;

/** What a page has cost until something was shown. */
export interface FirstLoad {
  readonly scriptBytes: number;
  readonly bytes: number;
  readonly shownAfterMs: number;
  /** The sum of all layout shifts. */
  readonly layoutShift: number;
}

const finished = z.object({ requestId: z.string(), encodedDataLength: z.number() });
const responded = z.object({ requestId: z.string(), type: z.string(), response: z.object({ url: z.string() }) });

/** The files that the page of the sign-in fetches once it is shown: they may arrive before the test has seen that it is. */
const FETCHED_AHEAD = `(document.querySelector('meta[name="after-sign-in"]')?.content ?? '')
  .split(' ').filter((file) => file !== '').map((file) => new URL(file, location.href).href)`;

/**
 * Opens an address with an empty cache on a slow line.
 * @param shown waits until what somebody comes for is on the page
 */
export async function measureFirstLoad(
  context: BrowserContext,
  address: string,
  shown: (page: Page) => Promise<void>,
): Promise<FirstLoad> {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  const sizes = new Map<string, number>();
  const answers = new Map<string, { readonly type: string; readonly url: string }>();
  client.on('Network.responseReceived', (event) => {
    const { requestId, type, response } = responded.parse(event);
    answers.set(requestId, { type, url: response.url });
  });
  client.on('Network.loadingFinished', (event) => {
    const { requestId, encodedDataLength } = finished.parse(event);
    sizes.set(requestId, encodedDataLength);
  });
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', LINE);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(`
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.layoutShift += value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  const startedAtMs = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await shown(page);
  const shownAfterMs = performance.now() - startedAtMs;
  const loaded = [...sizes].map(([id, size]) => ({ size, ...answers.get(id) }));
  const fetchedAhead = await page.evaluate<readonly string[]>(FETCHED_AHEAD);
  const needed = loaded.filter(({ url = '' }) => !fetchedAhead.includes(url));
  const bytes = sumOf(needed);
  const scriptBytes = sumOf(needed.filter(({ type }) => type === 'Script'));
  await page.waitForLoadState('networkidle');
  const layoutShift = await page.evaluate<number>('window.layoutShift');
  return { bytes, scriptBytes, shownAfterMs, layoutShift };
}

function sumOf(answers: readonly { readonly size: number }[]): number {
  return answers.reduce((total, { size }) => total + size, 0);
}

/** A phone with an empty cache. @param baseUrl what paths are added to */
export async function openPhone(browser: Browser, baseUrl?: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: NARROW,
    reducedMotion: 'reduce',
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });
  context.setDefaultTimeout(MINUTE_MS);
  return context;
}
