import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import axe from 'axe-core';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import type { Role } from '../../domain/roles.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { NARROW, collectComplaints, WIDE } from '../support/browser-page.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { recordsOf } from '../support/csv.ts';
import { createMember, dashboardOfStack } from '../support/dashboard.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';

const LOOKS = [
  ['light', WIDE],
  ['dark', WIDE],
  ['dark', NARROW],
  ['light', NARROW],
] as const;
const paidSchema = z.object({ data: z.object({ id: z.string(), status: z.string() }) });

describe('the first steps and the files of lists in a browser', function () {
  this.timeout(4 * MINUTE_MS);
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let merchant: TestMerchant;

  before(async () => {
    browser = await launchChromium(findChromium() ?? '');
  });
  after(() => browser?.close());
  beforeEach(async () => {
    const { url } = dashboardOfStack();
    complaints = [];
    merchant = await createMerchant();
    context = await browser.newContext({
      viewport: WIDE,
      reducedMotion: 'reduce',
      baseURL: url,
      acceptDownloads: true,
    });
    context.setDefaultTimeout(MINUTE_MS);
    page = await context.newPage();
    collectComplaints(page, complaints, url);
    page.on('dialog', (dialog) => void complaints.push(dialog.message()));
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });

  async function enterAs(role: Role): Promise<void> {
    const { browser: signedIn } = await createMember(merchant.merchantId, role);
    const { url } = dashboardOfStack();
    await context.addCookies([...signedIn.cookies].map(([name, value]) => ({ name, value, url })));
  }

  /** On a phone the menu is a dialog over the page. */
  async function closeMenu(): Promise<void> {
    await button('Close menu').click();
    await page.mouse.move(WIDE.width / 2, WIDE.height / 2);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
  }

  const open = (path: string) => page.goto(`/sandbox/${merchant.merchantAccountId}/${path}`);

  it('leads an owner from a key to the first payment, which it notices by itself', async () => {
    await enterAs('owner');
    await page.goto('/');
    await heading('First steps').waitFor();
    await page.getByText('Waiting for your first payment').waitFor();
    let shown: string | undefined;
    await page.route('**/api/v1/api-keys', (route) => {
      const key = route.request().headers()['x-idempotency-key'];
      shown ??= key;
      if (key !== shown) return route.continue();
      return route.fulfill({ json: { success: true, data: { apiKey: null, secretSalt: null } } });
    });
    await button('Make a sandbox key').click();
    await page.getByText('The key was shown already. Make another one.').waitFor();
    await button('Make a sandbox key').click();
    const request = page.getByRole('region', { name: 'Request in curl' });
    await request.getByText('X-Signature').waitFor();
    const { stdout } = await promisify(execFile)('sh', ['-c', await request.innerText()]);
    const { data: paid } = paidSchema.parse(JSON.parse(stdout));
    assert.equal(paid.status, 'succeeded');
    await page.getByText('Your payment has come').waitFor();

    await button('Send it from here').click();
    await page.getByText(/The API answered 201/).waitFor();
    assert.match(await page.getByRole('region', { name: 'Answer' }).innerText(), new RegExp(paid.id));
    await button('New request').click();
    await button('Send it from here').click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('succeeded').waitFor();
    assert.doesNotMatch(await answer.innerText(), new RegExp(paid.id));

    await page.getByRole('tab', { name: 'Python' }).click();
    const apiKey = /api_key="(svc_test_[^"]+)"/.exec(
      await page.getByRole('region', { name: 'Request in Python' }).innerText(),
    )?.[1];
    assert.ok(apiKey !== undefined);
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    await page.getByRole('region', { name: 'Request in TypeScript' }).getByText('signatureVersion: 2').waitFor();
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    assert.ok(!stored.includes(apiKey), 'the key is in the storage of the browser');

    await closeMenu();
    await page.evaluate(axe.source);
    for (const [colorScheme, size] of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      await heading('First steps').waitFor();
      assert.deepEqual(await accessibilityProblems(page), [], `${colorScheme}, ${size.width} wide`);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(width <= size.width, `${width} of ${size.width} pixels`);
    }
    await page.setViewportSize(WIDE);
    await page.getByRole('link', { name: 'Open the payment' }).click();
    await heading('Payment of EUR 19.99').waitFor();
    await page.goto('/');
    await heading('Home').waitFor();
  });

  it('lets a developer, who may make no payments, use a key that an owner made', async () => {
    await enterAs('developer');
    await page.goto('/');
    await heading('First steps').waitFor();
    await page.getByRole('textbox', { name: 'API key' }).fill('svc_live_1');
    await page.getByLabel('Secret salt').fill('salt');
    assert.ok(await button('Use this key').isDisabled());
    await page.getByRole('textbox', { name: 'API key' }).fill('svc_test_unknown');
    await button('Use this key').click();
    await button('Send it from here').click();
    await page.getByText(/The API answered 401/).waitFor();
  });

  it('leads others to the home page', async () => {
    await enterAs('support');
    await page.goto('/');
    await heading('Home').waitFor();
    await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'First steps' }).count(), 0);
  });

  it('saves the rows that the filters of a list select as a CSV file', async () => {
    await createPayment({ reference: 'ORDER-1', description: '=1+1' }, merchant.credentials);
    await createPayment({ reference: 'ORDER-2' }, merchant.credentials);
    await enterAs('read_only');
    await open('payment-intents');
    await page.getByRole('textbox', { name: /reference/ }).fill('ORDER-1');
    await page.waitForURL(/ORDER-1/);
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()]);
    assert.match(download.suggestedFilename(), /^payment-intents-sandbox-\d{8}T\d{6}Z\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    assert.ok(text.startsWith('\uFEFF'));
    assert.deepEqual(
      recordsOf(text.slice(1)).map(({ reference, description }) => [reference, description]),
      [['ORDER-1', "'=1+1"]],
    );
    await page.getByText(`Saved as ${download.suggestedFilename()}.`).waitFor();
    for (const list of ['refunds', 'transactions', 'customers']) {
      await open(list);
      const [empty] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()]);
      assert.ok(empty.suggestedFilename().startsWith(`${list}-sandbox-`));
    }
  });

  it('saves filters as a view of the person, under any name, and filters by metadata', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    await createPayment({ reference: 'ORDER-1', metadata: { channel: 'web' } }, merchant.credentials);
    await createPayment({ reference: 'ORDER-2' }, merchant.credentials);
    await enterAs('read_only');
    await open('payment-intents');
    await page.getByText('ORDER-2').waitFor();
    await button('Add filter').click();
    await page.getByRole('menuitemcheckbox', { name: 'Metadata' }).click();
    await page.getByRole('textbox', { name: 'Metadata' }).fill('channel=web');
    await page.getByText('ORDER-2').waitFor({ state: 'detached' });
    await page.getByText('ORDER-1').waitFor();
    await button('Save view').click();
    await page.getByRole('textbox', { name: 'Name' }).fill(hostile);
    await page.getByRole('dialog').getByRole('button', { name: 'Save view', exact: true }).click();
    const chip = page.getByRole('region', { name: 'Saved views' }).getByRole('button', { name: hostile, exact: true });
    await chip.and(page.locator('[aria-pressed=true]')).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate(axe.source);
    assert.deepEqual(await accessibilityProblems(page), []);

    await open('payment-intents');
    await page.getByText('ORDER-2').waitFor();
    await chip.click();
    await page.getByText('ORDER-2').waitFor({ state: 'detached' });
    await closeMenu();
    await page.setViewportSize(NARROW);
    await page.evaluate(axe.source);
    await chip.waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= NARROW.width, `${width} of ${NARROW.width} pixels`);
    await button('Delete view').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view', exact: true }).click();
    await chip.waitFor({ state: 'detached' });
  });
});
