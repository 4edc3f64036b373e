import assert from 'node:assert/strict';
import axe from 'axe-core';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { findChromium, launchChromium, type ShopVisit, visitShop } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { getStack } from '../support/stack.ts';

const PAID = 'Paid. Thank you!';

describe('the demo shop in a browser', function () {
  this.timeout(MINUTE_MS);
  let browser: Browser | undefined;
  let visit: ShopVisit;

  before(async () => {
    browser = await launchChromium(findChromium() ?? '');
  });
  after(() => browser?.close());
  afterEach(async () => {
    const { complaints } = visit;
    await visit.context.close();
    assert.deepEqual(complaints, []);
  });

  async function enter(size?: { readonly width: number; readonly height: number }): Promise<Page> {
    assert.ok(browser);
    visit = await visitShop(browser, size);
    return visit.page;
  }

  /** Violations that keep people from using the page. */
  async function seriousProblems(page: Page): Promise<readonly string[]> {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  it('takes a card', async () => {
    await enter();
    await visit.choose('Card', 'Approved');
    await visit.pay();
    await visit.told(PAID);
    await eventually(async () => assert.ok((await visit.events()).includes('payment-succeeded')));
  });

  it('tells of a decline and takes another card', async () => {
    await enter();
    await visit.choose('Card', 'Declined');
    await visit.pay();
    await visit.told('Not paid');
    await visit.choose('Card', 'Approved');
    await visit.pay();
    await visit.told(PAID);
    const events = await visit.events();
    assert.ok(events.indexOf('payment-failed CARD_DECLINED') < events.indexOf('payment-succeeded'));
    assert.equal(events.filter((name) => name === 'ready').length, 1);
  });

  it('says what is wrong with an input, at the input', async () => {
    const page = await enter();
    await visit.pay();
    assert.equal(await page.locator('#number').getAttribute('aria-invalid'), 'true');
    await visit.choose('Card', 'Approved');
    await page.locator('#number').fill('4242 4242 4242 4241');
    await visit.pay();
    await page.getByRole('alert').getByText('Please check the card number.').waitFor();
  });

  it('is paid by the second provider when the first one fails, and shows it', async () => {
    const page = await enter();
    await visit.choose('Card', 'Failover');
    await visit.pay();
    await visit.told(PAID);
    await page.locator('#timeline').getByText(/beta/).first().waitFor();
  });

  for (const [decision, outcome] of [
    ['Approve', PAID],
    ['Refuse', 'Not paid'],
  ] as const) {
    it(`goes to the bank and back: ${decision}`, async () => {
      const page = await enter();
      await visit.choose('Card', '3-D Secure');
      await visit.pay();
      await page.getByRole('button', { name: decision, exact: true }).click();
      await page.waitForURL(/\/demo/);
      await visit.told(outcome);
    });
  }

  it('lets the bank ask in a window of its own, which closes by itself', async () => {
    const page = await enter();
    await visit.choose('Card', '3-D Secure');
    await page.getByLabel(/window of its own/).check();
    const opened = page.waitForEvent('popup');
    await visit.pay();
    const popup = await opened;
    const closed = popup.waitForEvent('close');
    const approve = popup.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    assert.equal(await popup.evaluate('window.opener'), null);
    await approve.click();
    await visit.told(PAID);
    await closed;
  });

  it('waits for the approval of a UPI payment', async () => {
    const page = await enter();
    await visit.choose('UPI', 'Pending');
    await visit.pay();
    await visit.told('Approve in your UPI app');
    await page.getByRole('button', { name: 'Approve' }).click();
    await visit.told(PAID);
  });

  it('shows where to send a deposit, and is paid when it is confirmed', async () => {
    const page = await enter();
    await visit.choose('Crypto', 'Confirmed');
    await visit.pay();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await visit.told(PAID);
  });

  it('misses no event while the connection is cut', async () => {
    const page = await enter();
    await visit.choose('UPI', 'Pending');
    await visit.pay();
    await visit.told('Approve in your UPI app');
    const id = String(await page.locator('#frames pre').first().textContent()).match(/pi_[0-9a-f]{32}/)?.[0];
    await visit.context.setOffline(true);
    await page.locator('#connection[data-state="reconnecting"]').waitFor();
    await settle(String(id));
    await visit.context.setOffline(false);
    await visit.told(PAID);
    const events = await visit.events();
    assert.deepEqual(
      events.filter((name) => name.startsWith('payment-')),
      [...new Set(events.filter((name) => name.startsWith('payment-')))],
    );
    assert.ok(events.indexOf('payment-requires-action') < events.indexOf('payment-succeeded'));
  });

  it('can be used without a mouse', async () => {
    const page = await enter();
    await page.getByRole('button', { name: /^Approved/ }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#number').focus();
    await page.keyboard.press('Enter');
    await visit.told(PAID);
  });

  for (const [screen, size] of [
    ['wide', { width: 1_280, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    it(`has nothing in the way of anybody, on a ${screen} screen`, async () => {
      const page = await enter(size);
      assert.deepEqual(await seriousProblems(page), []);
      await visit.choose('Crypto', 'Unpaid');
      await visit.pay();
      await page.getByRole('img', { name: /QR code/ }).waitFor();
      assert.deepEqual(await seriousProblems(page), []);
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await page.evaluate<number>(overflow), 0);
    });
  }

  async function settle(paymentIntentId: string): Promise<void> {
    const [simulator] = getStack().sandbox.simulators;
    const response = await fetch(`${simulator?.url}/simulate/settle`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ paymentIntentId, outcome: 'approved' }),
      signal: AbortSignal.timeout(10 * SECOND_MS),
    });
    assert.equal(response.status, 200);
  }
});
