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
const responded = z.object({ requestId: z.string(), type: z.string() });

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
  const types = new Map<string, string>();
  client.on('Network.responseReceived', (event) => {
    const { requestId, type } = responded.parse(event);
    types.set(requestId, type);
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
  const sum = (type?: string) =>
    [...sizes].reduce((total, [id, size]) => (type === undefined || types.get(id) === type ? total + size : total), 0);
  const [bytes, scriptBytes] = [sum(), sum('Script')];
  await page.waitForLoadState('networkidle');
  const layoutShift = await page.evaluate<number>('window.layoutShift');
  return { bytes, scriptBytes, shownAfterMs, layoutShift };
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
