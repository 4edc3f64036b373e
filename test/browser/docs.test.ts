import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { readDocsSite } from '../../api/openapi/docs-site.ts';
import { sign, signV2 } from '../../http/authentication/signature.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { LOOKS, WIDE } from '../support/browser-page.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { createPayment } from '../support/payments.ts';
import { getStack } from '../support/stack.ts';

/** Pages that together have every kind of content; they are checked in every look, with all that folds unfolded. */
const VARIED_PAGES = /^\/docs$|\/(states|signature-calculator|sockets|refunds)$/;
/** Pages of the reference differ in their texts only, so that each is checked in one look. */
const REFERENCE = /^\/docs\/reference\//;

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

describe('the documentation in a browser', function () {
  this.timeout(3 * MINUTE_MS);
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  before(async () => {
    browser = await launchChromium(findChromium() ?? '');
  });
  after(() => browser?.close());
  beforeEach(async () => {
    const origin = getStack().sandbox.baseUrl;
    complaints = [];
    context = await browser.newContext({ viewport: WIDE, colorScheme: 'light' });
    context.setDefaultTimeout(MINUTE_MS);
    page = await context.newPage();
    page.on('pageerror', (error) => void complaints.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Failed to load/i.test(message.text())) complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`)) complaints.push(`a request to ${request.url()}`);
    });
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });

  const open = (path: string) => page.goto(`${getStack().sandbox.baseUrl}${path}`);

  async function enterKey(apiKey: string): Promise<void> {
    await page.getByLabel('API key', { exact: true }).fill(apiKey);
    await page.getByLabel('Secret salt').fill(getStack().sandbox.secretSalt);
    await page.getByRole('button', { name: 'Use this key' }).click();
  }

  it('shows a page at an address without one, and the error of the API to programs', async () => {
    const response = await open('/docs/no-such-guide');
    assert.equal(response?.status(), 404);
    await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor();
    await page.evaluate(axe.source);
    assert.deepEqual(await accessibilityProblems(page), []);
    const program = await fetch(`${getStack().sandbox.baseUrl}/docs/no-such-guide`);
    assert.equal(program.status, 404);
    assert.match(program.headers.get('content-type') ?? '', /json/);
    complaints = complaints.filter((complaint) => !complaint.includes('404'));
  });

  it('has no accessibility violations, light and dark, wide and narrow', async () => {
    const paths = (await readDocsSite()).filter(({ type }) => type.startsWith('text/html')).map(({ path }) => path);
    assert.ok(paths.length > 20);
    for (const [index, path] of paths.entries()) {
      await open(path);
      await page.evaluate(axe.source);
      const isVaried = VARIED_PAGES.test(path);
      if (isVaried) await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true');
      for (const { colorScheme, size } of isVaried ? LOOKS : looksOf(path, index)) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        assert.deepEqual(await accessibilityProblems(page), [], `${path}, ${colorScheme}, ${size.width} wide`);
      }
    }
  }).timeout(10 * MINUTE_MS);

  it('sends a payment that it signs with the sandbox key, and keeps the key on other pages, but not after a reload', async () => {
    const { apiKey } = getStack().sandbox;
    await open('/docs/reference/payment-intents#createPaymentIntent');
    const form = page.locator('form[data-method="POST"][data-path="/api/v1/payment-intents"]');
    const send = form.getByRole('button', { name: 'Send' });
    await page.locator('details.try', { has: form }).locator('summary').click();
    const card = { number: '4242424242424242', expiryMonth: 12, expiryYear: new Date().getFullYear() + 2, cvc: '123' };
    const body = { amount: 1_999, currency: 'EUR', confirm: true, paymentMethod: { type: 'card', card } };
    await form.getByLabel('Body').fill(JSON.stringify(body));
    await send.click();
    await enterKey(apiKey);
    await send.click();
    await form.getByRole('status').getByText(/^201 /).waitFor();
    await form.getByRole('status').getByText('"status": "succeeded"').waitFor();
    const id = await page.locator('input[data-in="path"][name="id"]').first().inputValue();
    assert.match(id, /^pi_/);

    await page.getByRole('link', { name: 'Refunds', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Refunds' }).waitFor();
    const refund = page.locator('form[data-method="POST"][data-path$="/refunds"]');
    await page.locator('details.try', { has: refund }).locator('summary').click();
    await refund.getByLabel('Body').fill(JSON.stringify({ paymentIntentId: id, amount: 500 }));
    await refund.getByLabel('X-Idempotency-Key').fill('tried-in-a-browser');
    await refund.getByRole('button', { name: 'Send' }).click();
    await refund.getByRole('status').getByText(/^201 /).waitFor();

    await page.reload();
    await page.locator('details.try', { has: refund }).locator('summary').click();
    await refund.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Sandbox key' }).waitFor();
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    assert.equal(stored, '[{},{},""]');
  });

  it('lists what has the pairs of metadata that are entered', async () => {
    const { id } = await createPayment({ currency: 'EUR', metadata: { shelf: 'A=1', room: '7' } });
    await open('/docs/reference/payment-intents#listPaymentIntents');
    const form = page.locator('form[data-method="GET"][data-path="/api/v1/payment-intents"]');
    const send = form.getByRole('button', { name: 'Send' });
    await page.locator('details.try', { has: form }).locator('summary').click();
    await form.getByLabel('metadata').fill('shelf=A=1&room=7');
    await send.click();
    await enterKey(getStack().sandbox.apiKey);
    await send.click();
    await form.getByRole('status').getByText(/^200 /).waitFor();
    const listed = listSchema.parse(JSON.parse((await form.locator('.result code').textContent()) ?? ''));
    assert.deepEqual(
      listed.data.map((payment) => payment.id),
      [id],
    );
  });

  it('refuses production keys', async () => {
    await open('/docs');
    await page.getByRole('button', { name: 'Sandbox key' }).click();
    await enterKey('svc_live_0123456789');
    await page.getByRole('alert').getByText('This is a production key.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sandbox key ✓' }).count(), 0);
  });

  it('calculates the same signatures as the server', async () => {
    await open('/docs/signature-calculator');
    const salt = 'salt ü';
    const body = '{"description": "Lamp – 5\u2009€"}\n';
    const [timestamp, nonce, target] = ['2026-11-22T12:00:00Z', '0123456789abcdef', '/api/v1/refunds?page=2&x=a+b'];
    const [account, idempotencyKey] = ['mer_1', "o'clock"];
    const values = {
      'Path and query': target,
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      'X-Merchant-ID': account,
    };
    await page.locator('#calculator-salt').fill(salt);
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    await page.getByLabel('X-Idempotency-Key').fill(idempotencyKey);
    await page.getByLabel('Body, exactly').fill(body);
    const rawBody = Buffer.from(body);
    const parts = { method: 'POST', target, timestamp, nonce, account, idempotencyKey, rawBody };
    const shown = page.locator('#calculator-signature');
    await shown.getByText(signV2(salt, parts).toString('hex')).waitFor();
    assert.match(await page.locator('#calculator-string').innerText(), /^v2↵\nPOST↵\n[^]*[0-9a-f]{64}$/);
    assert.match(await page.locator('#calculator-curl').innerText(), /X-Idempotency-Key: o'\\''clock'/);
    await page.locator('#calculator').getByLabel('Version 1').check();
    const asBytes = Buffer.from(salt).toString('latin1');
    await shown.getByText(sign(asBytes, timestamp, rawBody).toString('hex')).waitFor();
  });

  it('can be searched with the keyboard alone', async () => {
    await open('/docs/quick-start');
    await page.keyboard.press('/');
    await page.keyboard.type('nonce_used');
    await page
      .getByRole('status')
      .getByText(/result/)
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/(errors#INVALID_SIGNATURE|signature#version-2)$/);
    await page.getByRole('heading', { level: 1, name: /^(Errors|Signatures)$/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor();
  });

  it('shows where the reader is in the navigation', async () => {
    for (const path of ['/docs/quick-start', '/docs/reference/webhook-endpoints']) {
      await open(path);
      const isShown = await page.locator('#navigation > ul > li > [aria-current]').evaluate((link) => {
        const [navigation, own] = [link.closest('nav'), link.getBoundingClientRect()];
        return navigation !== null && own.bottom <= navigation.getBoundingClientRect().bottom && own.top >= 0;
      });
      assert.ok(isShown, path);
    }
  });

  it('says that its search could not be loaded, and loads it at the next key', async () => {
    await open('/docs/quick-start#%');
    const index = `**${await page.locator('html').getAttribute('data-search')}`;
    await page.route(index, (route) => route.fulfill({ status: 503 }));
    await page.keyboard.press('/');
    await page.keyboard.type('nonce');
    const status = page.getByRole('status');
    await status.getByText(/could not be loaded/).waitFor();
    await page.unroute(index);
    await page.keyboard.type('_used');
    await status.getByText(/^\d+ results?$/).waitFor();
    assert.ok(complaints.splice(0).every((complaint) => complaint.includes('503')));
  });
});

/** Both colours and both widths; a page of the reference in one of the looks, by turns. */
function looksOf(path: string, index: number): readonly (typeof LOOKS)[number][] {
  return REFERENCE.test(path) ? LOOKS.slice(index % LOOKS.length, (index % LOOKS.length) + 1) : LOOKS.slice(0, 2);
}
