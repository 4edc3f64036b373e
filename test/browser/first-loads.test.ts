import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { paymentLinkResource } from '../../contract/schemas/payment-link.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { SANDBOX_ACCOUNTS, SANDBOX_MERCHANT } from '../../sandbox/stack/sandbox-data.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { createMember, dashboardOfStack } from '../support/dashboard.ts';
import { demoUrl } from '../support/demo-shop.ts';
import { createPayment } from '../support/payments.ts';
import { clientOf, resourceOf } from '../support/resources.ts';
import { type FirstLoad, measureFirstLoad, openPhone } from '../support/slow-line.ts';
import { getStack } from '../support/stack.ts';

const HOME = `/sandbox/${SANDBOX_ACCOUNTS[0].id}`;
const KILOBYTE = 1_024;

/** A page, and what somebody comes for. */
type Visit = readonly [address: string, shown: (page: Page) => Promise<void>];

describe('the first load of a page on a slow phone', function () {
  this.timeout(4 * MINUTE_MS);
  let browser: Browser;
  let loads: ReadonlyMap<string, FirstLoad>;

  before('opens the pages beside each other', async () => {
    browser = await launchChromium(findChromium() ?? '');
    const { url } = dashboardOfStack();
    const member = await createMember(SANDBOX_MERCHANT.id, 'owner');
    const { id } = await createPayment({ confirm: true, paymentMethod: card('approved') });
    const link = await clientOf(getStack().sandbox)('POST', '/payment-links', { amount: 4_900, currency: 'EUR' });
    const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();
    const visits: Readonly<Record<string, Visit>> = {
      'sign-in, first field': ['/sign-in', (page) => page.getByLabel('E-mail').waitFor()],
      'sign-in': ['/sign-in', (page) => page.locator('button[type=submit]:enabled').first().waitFor()],
      home: [HOME, heading('Home')],
      payments: [`${HOME}/payment-intents`, (page) => page.getByRole('row').nth(1).waitFor()],
      'one payment': [`${HOME}/payment-intents/${id}/show`, heading(/^Payment of/)],
      'payment link': [
        resourceOf(link, paymentLinkResource, 201).url ?? '',
        (page) => page.frameLocator('iframe').locator('#number').waitFor(),
      ],
      'demo shop': [demoUrl(), (page) => page.getByLabel('Card number').waitFor()],
    };
    const measured = await Promise.all(
      Object.entries(visits).map(async ([name, [address, shown]]) => {
        const context = await openPhone(browser, url);
        if (!name.startsWith('sign-in'))
          await context.addCookies(
            [...member.browser.cookies].map(([cookie, value]) => ({ name: cookie, value, url })),
          );
        const load = await measureFirstLoad(context, address, shown);
        await context.close();
        return [name, load] as const;
      }),
    );
    loads = new Map(measured);
    console.table(
      Object.fromEntries(
        measured.map(([name, { scriptBytes, bytes, shownAfterMs, layoutShift }]) => [
          name,
          {
            'script (KB)': Math.round(scriptBytes / KILOBYTE),
            'all (KB)': Math.round(bytes / KILOBYTE),
            'shown after (s)': (shownAfterMs / 1_000).toFixed(1),
            'layout shift': layoutShift.toFixed(3),
          },
        ]),
      ),
    );
  });
  after(() => browser?.close());

  it('takes less than 60 KB until somebody can sign in', () => {
    const { bytes = Infinity } = loads.get('sign-in') ?? {};
    assert.ok(bytes < 60 * KILOBYTE, `${bytes} bytes`);
  });

  it('moves nothing of the demo shop that is on the screen', () => {
    const { layoutShift = 1 } = loads.get('demo shop') ?? {};
    assert.ok(layoutShift < 0.1, String(layoutShift));
  });
});
