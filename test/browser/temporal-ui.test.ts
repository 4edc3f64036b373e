import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, type Payment } from '../support/payments.ts';
import { getStack } from '../support/stack.ts';
import { openDetails } from '../support/temporal-ui.ts';

describe('support staff in the real Temporal UI', function () {
  this.timeout(2 * MINUTE_MS);
  let browser: Browser;
  let page: Page;
  let merchant: TestMerchant;
  let paid: Payment;
  let failed: Payment;

  const workflowsUrl = (): string => `${getStack().sandbox.temporalUi}/namespaces/default/workflows`;

  before(async () => {
    merchant = await createMerchant();
    paid = await createPayment({}, merchant.credentials);
    failed = await createPayment({}, merchant.credentials);
    await paid.confirm(card('failover'));
    await failed.confirm(card('fraud'));
    await paid.reach('succeeded');
    browser = await launchChromium(findChromium() ?? '');
    page = await browser.newPage();
    page.setDefaultTimeout(MINUTE_MS);
  });
  after(() => browser.close());

  it('can tell a failed payment from one that succeeded in the list', async () => {
    const query = `MerchantAccount="${merchant.merchantAccountId}"`;
    await eventually(async () => {
      await page.goto(`${workflowsUrl()}?${new URLSearchParams({ query }).toString()}`);
      const rowOf = ({ id }: Payment) => page.getByRole('row').filter({ hasText: id }).first();
      assert.match(await rowOf(failed).innerText({ timeout: MINUTE_MS / 4 }), /Failed/);
      assert.match(await rowOf(paid).innerText(), /Completed/);
    });
  });

  it('see the whole details of a payment, with a link to its refunds', async () => {
    const frame = await openDetails(page, workflowsUrl(), paid.id);
    const lastLine = frame.getByText('Of this payment');
    const iframe = page.locator('iframe').last();
    // The frame gets its height after its text.
    await eventually(async () => {
      const [line, around] = [await lastLine.boundingBox(), await iframe.boundingBox()];
      assert.ok(line && around);
      assert.ok(line.y + line.height <= around.y + around.height, JSON.stringify({ line, around }));
    });
    const href = await frame.getByRole('link', { name: 'refunds' }).evaluate((link) => link.getAttribute('href'));
    await page.goto(new URL(href ?? '', `${getStack().sandbox.temporalUi}/render`).href);
    await page.getByText('refundWorkflow').first().waitFor();
  });

  it('see why a card was refused, and which card each attempt was made with', async () => {
    const { id, confirm, reach } = await createPayment({}, merchant.credentials);
    await confirm(card('expired'));
    const refused = await openDetails(page, workflowsUrl(), id);
    await refused.getByText(/Last error: CARD_DECLINED \(expired_card\)/).waitFor();
    await confirm(card('approved'));
    await reach('succeeded');
    const shown = await openDetails(page, workflowsUrl(), id);
    await shown.getByText(/^Attempt 1 at alpha, card ending in 0135: declined/).waitFor();
    await shown.getByText(/^Attempt 2 at alpha, card ending in 4242: approved/).waitFor();
  });
});
