import assert from 'node:assert/strict';
import axe from 'axe-core';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { customerResource } from '../../contract/schemas/customer.ts';
import { paymentLinkResource } from '../../contract/schemas/payment-link.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { CARD_NUMBERS, type CardName } from '../../sandbox/test-payment-methods.ts';
import { NARROW, collectComplaints, WIDE } from '../support/browser-page.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { chargesOf } from '../support/ledger.ts';
import { createMerchant } from '../support/merchants.ts';
import { type Client, clientOf, resourceOf } from '../support/resources.ts';
import { queryStack } from '../support/stack-database.ts';

const EXPIRY = `12${String(new Date().getUTCFullYear() + 3).slice(2)}`;
const PAID = 'Paid. Thank you!';
/** The customer of the sandbox never makes the deposit: it waits as long as the test looks at it. */
const UNPAID = { metadata: { scenario: 'unpaid' } };
const HOSTILE = `<img src=x onerror="document.title='hostile'"><script>document.title='hostile'</script>`;

describe('the page of a payment link', function () {
  this.timeout(3 * MINUTE_MS);
  let browser: Browser;
  let contexts: BrowserContext[];
  let complaints: string[];
  let send: Client;
  let accountId: string;

  before(async () => {
    browser = await launchChromium(findChromium() ?? '');
    const merchant = await createMerchant();
    accountId = merchant.merchantAccountId;
    send = clientOf(merchant.credentials);
  });
  after(() => browser?.close());
  beforeEach(() => {
    contexts = [];
    complaints = [];
  });
  afterEach(async () => {
    for (const context of contexts) await context.close();
    assert.deepEqual(complaints, []);
  });

  async function createUrl(fields: object = {}): Promise<string> {
    const answer = await send('POST', '/payment-links', { amount: 4_900, currency: 'EUR', ...fields });
    return resourceOf(answer, paymentLinkResource, 201).url ?? '';
  }

  /** Opens an address as a visitor with a browser of their own. */
  async function visit(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', locale: 'en-GB', ...options });
    contexts.push(context);
    context.setDefaultTimeout(MINUTE_MS);
    const page = await context.newPage();
    collectComplaints(page, complaints);
    await page.goto(url);
    return page;
  }

  async function message(page: Page, title: string): Promise<void> {
    const shown = page.getByRole('status').or(page.getByRole('alert')).getByText(title, { exact: true });
    try {
      await shown.waitFor();
    } catch {
      assert.fail(`"${title}" is not shown: ${await page.locator('main').innerText()}`);
    }
  }
  const payButton = (page: Page) => page.getByRole('button', { name: /^Pay / });

  async function payByCard(page: Page, name: CardName): Promise<void> {
    const fields = page.frameLocator('iframe');
    await fields.locator('#number').fill(CARD_NUMBERS[name]);
    await fields.locator('#expiry').fill(EXPIRY);
    await fields.locator('#code').fill('123');
    await payButton(page).click();
  }

  const idOnReceipt = async (page: Page) =>
    (await page.getByRole('region', { name: 'Receipt' }).getByText(/^pi_/).textContent()) ?? '';

  it('keeps a card that was typed in while the connection is lost, and goes on by itself when it is back', async () => {
    const page = await visit(await createUrl());
    const fields = page.frameLocator('iframe');
    await fields.locator('#number').fill(CARD_NUMBERS.approved);
    await fields.locator('#expiry').fill(EXPIRY);
    await fields.locator('#code').fill('123');
    await page.context().setOffline(true);
    await payButton(page).click();
    const problem = page.getByRole('alert').filter({ hasText: /./ }).first();
    await problem.waitFor();
    assert.ok(await payButton(page).isVisible());
    await page.context().setOffline(false);
    await page.locator('#status').waitFor({ state: 'hidden' });
    assert.notEqual(await fields.locator('#number').inputValue(), '');
    await payButton(page).click();
    await message(page, PAID);
  });

  it('loads the card fields by itself once they can be loaded', async () => {
    const context = await browser.newContext({ viewport: WIDE, locale: 'en-GB' });
    contexts.push(context);
    const page = await context.newPage();
    const FRAME = '**/sdk/checkout/v1/card-fields';
    await page.route(FRAME, (route) => route.abort());
    await page.goto(await createUrl());
    await payButton(page).waitFor();
    await page.unroute(FRAME);
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await page.frameLocator('iframe').locator('#number').fill(CARD_NUMBERS.approved);
  });

  it('takes a card with 3-D Secure, also if it is loaded again meanwhile, and shows the receipt', async () => {
    const page = await visit(await createUrl({ description: 'Reading lamp', reference: 'INV-9' }));
    await page.getByRole('heading', { name: 'Payment to Merchant of a test' }).waitFor();
    await page.getByText('€49.00', { exact: true }).first().waitFor();
    await page.getByText('Reading lamp').waitFor();
    await payByCard(page, 'threeDSecure');
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.goBack();
    await message(page, 'Your bank asks you to confirm');
    await page.reload();
    await page.getByRole('button', { name: 'Go to my bank' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.waitForURL(/\/pay\//);
    await message(page, PAID);
    const id = await idOnReceipt(page);
    await page.reload();
    await message(page, PAID);
    assert.equal(await idOnReceipt(page), id);
    assert.deepEqual(await chargesOf(id), ['alpha capture 4900']);
  });

  it('reports a decline, and takes another card for the same payment', async () => {
    const page = await visit(await createUrl());
    await payByCard(page, 'declined');
    await message(page, 'Not paid');
    await payByCard(page, 'approved');
    await message(page, PAID);
  });

  it('saves a card that the customer lets the merchant keep, and takes it again with its security code alone', async () => {
    const customer = await send('POST', '/customers', { name: 'Ada' });
    const { id: customerId } = resourceOf(customer, customerResource, 201);
    const members = { customerId, setupFutureUsage: 'on_session', allowSavedPaymentMethods: true, maxPayments: null };
    const page = await visit(await createUrl(members));
    const box = page.getByRole('checkbox', { name: 'Save this card at Merchant of a test for my next payments.' });
    assert.equal(await box.isChecked(), false);
    await box.check();
    await payByCard(page, 'approved');
    await message(page, PAID);
    const [saved] = await queryStack<{ usage: string; consent: Readonly<Record<string, string>> }>(
      'SELECT usage, consent FROM saved_payment_method WHERE customer_id = $1',
      [customerId],
    );
    assert.equal(saved?.usage, 'on_session');
    assert.equal(saved?.consent.text, 'Save this card at Merchant of a test for my next payments.');
    await page.getByRole('button', { name: 'Pay again' }).click();
    const card = page.getByRole('radio', { name: /^Visa ending in 4242/ });
    assert.ok(await card.isChecked());
    assert.equal(await box.isVisible(), false);
    const code = page.frameLocator('iframe >> visible=true').getByLabel('Security code');
    await code.waitFor();
    await page.evaluate(axe.source);
    for (const [colorScheme, size] of [
      ['light', WIDE],
      ['dark', NARROW],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      assert.deepEqual(await accessibilityProblems(page), [], colorScheme);
    }
    await page.getByRole('radio', { name: 'Another card' }).check();
    await box.waitFor();
    await card.check();
    await code.fill('917');
    await payButton(page).click();
    await message(page, PAID);
    const id = await idOnReceipt(page);
    assert.deepEqual(await chargesOf(id), ['alpha capture 4900']);
    const [paid] = await queryStack<{ saved: boolean }>(
      'SELECT saved_payment_method_id IS NOT NULL AS saved FROM payment_method WHERE payment_intent_id = $1',
      [id],
    );
    assert.deepEqual(paid, { saved: true });
    const other = await visit(await createUrl({ customerId }));
    await payButton(other).waitFor();
    assert.equal(await other.getByRole('radio', { name: /^Visa/ }).count(), 0);
    assert.equal(await other.getByRole('checkbox').count(), 0);
  });

  it('takes one payment from two browsers, and informs the second one', async () => {
    const url = await createUrl();
    const [first, second] = [await visit(url), await visit(url)];
    await payButton(second).waitFor();
    await payByCard(first, 'approved');
    await message(first, PAID);
    const id = await idOnReceipt(first);
    await payByCard(second, 'approved');
    await message(second, 'Already paid');
    assert.deepEqual(await chargesOf(id), ['alpha capture 4900']);
  });

  it('shows a deposit, and lets the customer cancel it and pay by card', async () => {
    const page = await visit(await createUrl(UNPAID));
    await page.getByRole('radio', { name: 'Crypto' }).check();
    await payButton(page).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await page.getByRole('button', { name: 'Cancel and pay another way' }).click();
    await message(page, 'Canceled');
    await page.getByRole('radio', { name: 'Card' }).check();
    await payByCard(page, 'approved');
    await message(page, PAID);
  });

  it('takes UPI in rupees', async () => {
    const page = await visit(await createUrl({ currency: 'INR', amount: 450_000 }));
    await page.getByRole('radio', { name: 'UPI' }).check();
    await page.getByLabel(/UPI address/).fill('nobody');
    await payButton(page).click();
    await page.getByText('Check the UPI address. It looks like name@bank.').waitFor();
    await page.getByLabel(/UPI address/).fill('success@upi');
    await payButton(page).click();
    await message(page, PAID);
    await page
      .getByRole('region', { name: 'Receipt' })
      .getByText(/^UPI, /)
      .waitFor();
  });

  it('reads text of merchants as text', async () => {
    await queryStack('UPDATE merchant_account SET public_name = $2 WHERE id = $1', [accountId, HOSTILE]);
    try {
      const page = await visit(await createUrl({ description: HOSTILE }));
      await payButton(page).waitFor();
      assert.equal(await page.locator('#description').textContent(), HOSTILE);
      assert.equal(await page.title(), `Payment to ${HOSTILE}`);
      assert.equal(await page.locator('img:not(#logo), header script').count(), 0);
    } finally {
      await queryStack('UPDATE merchant_account SET public_name = NULL WHERE id = $1', [accountId]);
    }
  });

  it('says why nothing can be paid', async () => {
    const url = await createUrl();
    const id = await queryStack<{ id: string }>('SELECT id FROM payment_link ORDER BY created_at DESC LIMIT 1', []);
    await send('PATCH', `/payment-links/${id[0]?.id ?? ''}`, { active: false });
    await message(await visit(url), 'This link is not active');
    const page = await visit(url.replace(/.{32}$/, 'A'.repeat(32)));
    await message(page, 'There is no payment here');
    await page.evaluate(axe.source);
    assert.deepEqual(await accessibilityProblems(page), []);
  });

  for (const [locale, title, amount] of [
    ['de-DE', 'Zahlung an Merchant of a test', '49,00 €'],
    ['es-ES', 'Pago a Merchant of a test', '49,00 €'],
    ['hi-IN', 'Merchant of a test को भुगतान', '€49.00'],
  ] as const) {
    it(`speaks the reader's language: ${locale}`, async () => {
      const page = await visit(await createUrl(), { locale });
      await page.getByRole('heading', { name: title }).waitFor();
      assert.equal((await page.locator('#amount').textContent())?.replaceAll(/\s/g, ' '), amount);
      assert.equal(await page.locator('html').getAttribute('lang'), locale.slice(0, 2));
    });
  }

  it('is accessible, light and dark, on a desktop and a phone', async () => {
    const page = await visit(await createUrl({ ...UNPAID, description: 'x'.repeat(300), reference: 'INV-10' }));
    await payButton(page).waitFor();
    await page.frameLocator('iframe').locator('label:not(:empty)').first().waitFor();
    const check = async () => {
      await page.evaluate(axe.source);
      for (const [colorScheme, size] of [
        ['light', WIDE],
        ['dark', NARROW],
        ['light', NARROW],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        assert.deepEqual(await accessibilityProblems(page), [], `${colorScheme}, ${size.width} wide`);
      }
    };
    await check();
    await page.getByRole('radio', { name: 'Crypto' }).check();
    await payButton(page).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await check();
  });
});
