import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it } from 'mocha';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { paymentLinkResource } from '../../contract/schemas/payment-link.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { CARD_NUMBERS } from '../../sandbox/test-payment-methods.ts';
import { WIDE } from '../support/browser-page.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { createMember, dashboardOfStack } from '../support/dashboard.ts';
import { demoUrl } from '../support/demo-shop.ts';
import { closeServer, listenLocally, portOf } from '../support/local-server.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { clientOf, resourceOf } from '../support/resources.ts';
import { getStack } from '../support/stack.ts';

/** What a page says of a window of another origin that it can hold on to. */
const READ = `((target) => {
  const attempts = [() => target.document.title, () => target.location.href, () => target.localStorage.length];
  return attempts.map((read) => { try { return String(read()); } catch (error) { return error.name; } });
})`;
const REFUSED = ['SecurityError', 'SecurityError', 'SecurityError'];

describe('a page of somebody else', function () {
  this.timeout(2 * MINUTE_MS);
  let browser: Browser;
  let context: BrowserContext;
  let hostile: Server;
  let merchant: TestMerchant;
  let linkUrl: string;

  before(async () => {
    browser = await launchChromium(findChromium() ?? '');
    hostile = createServer((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end('<title>x</title>'),
    );
    await listenLocally(hostile);
    merchant = await createMerchant();
    const link = await clientOf(merchant.credentials)('POST', '/payment-links', { amount: 4_900, currency: 'EUR' });
    linkUrl = resourceOf(link, paymentLinkResource, 201).url ?? '';
    context = await browser.newContext({ viewport: WIDE });
    context.setDefaultTimeout(MINUTE_MS);
    const { url } = dashboardOfStack();
    const { browser: signedIn } = await createMember(merchant.merchantId, 'owner');
    await context.addCookies([...signedIn.cookies].map(([name, value]) => ({ name, value, url })));
  });
  after(async () => {
    await browser?.close();
    await closeServer(hostile);
  });

  async function openHostile(): Promise<Page> {
    const page = await context.newPage();
    // Another name of this machine: another origin, and another site.
    await page.goto(`http://thief.localhost:${portOf(hostile)}/`);
    return page;
  }

  /** Puts an address into a frame under something of the page's own. @returns what the page gets to see of it */
  async function frame(page: Page, address: string) {
    const read = await page.evaluate<string[]>(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = () => resolve(${READ}(frame.contentWindow));
      frame.src = ${JSON.stringify(address)};
      document.body.append(frame);
    })`);
    const [, ...framed] = page.frames();
    return { read, shown: await Promise.all(framed.map((each) => each.evaluate<string>('document.body.innerText'))) };
  }

  it('can frame neither payment page nor dashboard, console, documentation or shop, so that it lays nothing over them', async () => {
    const { url } = dashboardOfStack();
    const { baseUrl } = getStack().sandbox;
    const home = `${url}/sandbox/${merchant.merchantAccountId}`;
    for (const address of [
      linkUrl,
      `${url}/sign-in`,
      home,
      `${home}/security`,
      `${url}/console`,
      `${baseUrl}/docs`,
      demoUrl(),
    ]) {
      const page = await openHostile();
      const { read, shown } = await frame(page, address);
      assert.deepEqual(read, REFUSED, address);
      const [framed] = page.frames().slice(1);
      assert.match(framed?.url() ?? '', /^chrome-error:/, address);
      assert.doesNotMatch(shown.join(), /Pay|Sign in|Home|Lamp/, address);
      await page.close();
    }
  });

  it('gets no hold on a payment page or a dashboard that it opens in a window', async () => {
    for (const address of [linkUrl, `${dashboardOfStack().url}/sandbox/${merchant.merchantAccountId}`]) {
      const page = await openHostile();
      const popup = context.waitForEvent('page');
      await page.evaluate(`window.opened = window.open(${JSON.stringify(address)})`);
      const opened = await popup;
      await opened.getByRole('heading', { level: 1 }).first().waitFor();
      assert.equal(await opened.evaluate('window.opener'), null, address);
      const isCut = await page.evaluate<boolean>(
        `window.opened.closed || ${READ}(window.opened).every((each) => each === 'SecurityError')`,
      );
      assert.ok(isCut, address);
      await opened.close();
      await page.close();
    }
  });

  it('that may embed the card fields reads nothing of what is typed into them, and gets no card without a client secret', async () => {
    const address = `${getStack().sandbox.baseUrl}/sdk/checkout/v1/card-fields`;
    const page = await context.newPage();
    await page.goto(`http://localhost:${portOf(hostile)}/`);
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = resolve;
      frame.src = ${JSON.stringify(address)};
      frame.style.cssText = 'width: 600px; height: 300px';
      document.body.append(frame);
    })`);
    await page.evaluate(`(() => {
      const { port1, port2 } = new MessageChannel();
      window.answers = [];
      window.port = port1;
      port1.onmessage = ({ data }) => window.answers.push(JSON.stringify(data));
      document.querySelector('iframe').contentWindow.postMessage('payment-engine:card-fields:1', ${JSON.stringify(new URL(address).origin)}, [port2]);
      port1.postMessage({ type: 'configure', language: 'en', theme: {}, colorScheme: 'light' });
    })()`);
    const fields = page.frameLocator('iframe');
    await fields.locator('#number').fill(CARD_NUMBERS.approved);
    await fields.locator('#expiry').fill(`12${String(new Date().getUTCFullYear() + 3).slice(2)}`);
    await fields.locator('#code').fill('737');
    for (const clientSecret of ['', 'made_up', `pi_${'0'.repeat(32)}_secret_${'0'.repeat(64)}`])
      await page.evaluate(`window.port.postMessage({ type: 'store', requestId: 7, clientSecret: '${clientSecret}' })`);
    await page.waitForFunction(`window.answers.filter((each) => each.includes('"stored"')).length === 3`);
    const answers = (await page.evaluate<string[]>('window.answers')).join('\n');
    assert.doesNotMatch(answers, new RegExp(`${CARD_NUMBERS.approved.slice(0, 6)}|737|pm_`));
    assert.equal(await page.evaluate(`document.querySelector('iframe').contentDocument`), null);
    assert.deepEqual(await page.evaluate(`${READ}(document.querySelector('iframe').contentWindow)`), REFUSED);
    await page.close();
  });
});
