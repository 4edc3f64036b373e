import assert from 'node:assert/strict';
import axe from 'axe-core';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { disputeResource } from '../../contract/schemas/dispute.ts';
import type { Role } from '../../domain/roles.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { SANDBOX_ACCOUNTS, SANDBOX_MERCHANT } from '../../sandbox/stack/sandbox-data.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { LOOKS, WIDE } from '../support/browser-page.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { createMember } from '../support/dashboard.ts';
import { type DashboardPage, openDashboardPage } from '../support/dashboard-page.ts';
import { eventually } from '../support/eventually.ts';
import { createPayment } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';

const HOME = `/sandbox/${SANDBOX_ACCOUNTS[0].id}`;
const AMOUNT = 2_000;
const PDF = {
  name: 'delivery.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7 signed by the customer'),
};
/** Answers within its own message are much longer than this. */
const IS_WIDER = `document.documentElement.scrollWidth > document.documentElement.clientWidth`;

describe('disputes in the dashboard', function () {
  this.timeout(4 * MINUTE_MS);
  let browser: Browser;
  let page: Page;
  let opened: DashboardPage;

  before(async () => {
    browser = await launchChromium(findChromium() ?? '');
  });
  after(() => browser?.close());
  beforeEach(async () => {
    opened = await openDashboardPage(browser);
    ({ page } = opened);
  });
  afterEach(() => opened.close());

  async function enterAs(role: Role): Promise<void> {
    await opened.takeSession(await createMember(SANDBOX_MERCHANT.id, role));
  }

  async function disputed(): Promise<{ readonly paymentId: string; readonly id: string }> {
    const payment = await createPayment({ amount: AMOUNT, currency: 'EUR' });
    await payment.confirm(card('disputed'));
    const id = await eventually(async () => {
      const { body } = await request({ method: 'GET', path: `/api/v1/disputes?paymentIntentId=${payment.id}` });
      const [dispute] = disputeResource.array().parse(body['data']);
      return dispute?.id ?? assert.fail('no dispute');
    });
    return { paymentId: payment.id, id };
  }

  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const status = () => region('Dispute').getByRole('status', { name: 'Status' });
  const pageOf = (id: string) => page.locator(`main a[href$="/disputes/${id}/show"]`);

  async function assertAccessible(): Promise<void> {
    await page.evaluate(axe.source);
    for (const { colorScheme, size } of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      const look = `${page.url()}, ${colorScheme}, ${size.width} wide`;
      assert.deepEqual(await accessibilityProblems(page), [], look);
      assert.equal(await page.evaluate(IS_WIDER), false, `${look}: it scrolls sideways`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(WIDE);
  }

  it('lead an owner from the notice to the answer with a PDF, which is sent once and won', async () => {
    const { paymentId, id } = await disputed();
    await enterAs('owner');
    await page.goto(HOME);
    await page.getByRole('link', { name: /disputes? needs? an answer/ }).waitFor();
    await page.getByRole('menuitem', { name: /^Disputes \d+ needs? an answer/ }).click();
    await opened.heading('Disputes').waitFor();
    await page
      .getByRole('columnheader', { name: 'Answer within' })
      .or(page.getByText(/^13 days$/).first())
      .first()
      .waitFor();
    await assertAccessible();

    await page.goto(`${HOME}/payment-intents/${paymentId}/show`);
    await region('Payment').getByText('13 days').waitFor();
    await pageOf(id).first().click();
    await opened.heading(/^Chargeback of/).waitFor();
    const answer = region('Your answer');
    await answer.waitFor();
    assert.equal(await opened.button('Send the answer').isDisabled(), true);

    const file = page.getByLabel('File for the answer');
    await file.setInputFiles({ ...PDF, name: 'delivery.txt', mimeType: 'text/plain' });
    await answer.getByText('Choose a PDF, PNG or JPEG file.').waitFor();
    await file.setInputFiles({ ...PDF, buffer: Buffer.alloc(2 * 1_024 * 1_024 + 1) });
    await answer.getByText(/A file has at most 2 MiB/).waitFor();
    await file.setInputFiles({ ...PDF, buffer: Buffer.from('no PDF at all') });
    await answer.getByText(/got bytes of another type/).waitFor();
    await file.setInputFiles(PDF);
    await answer.getByText(/^PDF, 1 KiB/).waitFor();

    await answer.getByLabel('Explanation').fill('winning_evidence');
    await answer.getByLabel('Carrier').fill('DHL');
    assert.equal(await opened.button('Send the answer').isDisabled(), true);
    await opened.button('Save draft').click();
    await page.getByText('The draft is saved.').waitFor();
    await page.reload();
    await eventually(async () => assert.equal(await answer.getByLabel('Carrier').inputValue(), 'DHL'));
    await assertAccessible();

    await opened.button('Send the answer').click();
    await page.getByRole('dialog').getByText('Explanation, Carrier').waitFor();
    await opened.inDialog('Send for good').click();
    await status().getByText('Won').waitFor();
    await region('Money').getByText('Chargeback reversed').waitFor();
    await answer.getByText(/The provider took it on/).waitFor();
    assert.equal(
      (await opened.button('Send the answer').count()) + (await opened.button('Accept the dispute').count()),
      0,
    );
    await region('Timeline').getByText(/won/).first().waitFor();
    await assertAccessible();

    await page.goto(`${HOME}/audit-events?filter=${encodeURIComponent(JSON.stringify({ resourceId: id }))}`);
    await page.getByRole('cell', { name: 'Member of a test', exact: true }).first().waitFor();
  });

  it('are accepted by a supporter, who types the amount first', async () => {
    const { id } = await disputed();
    await enterAs('support');
    await page.goto(`${HOME}/disputes/${id}/show`);
    await opened.button('Accept the dispute').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This cannot be taken back').waitFor();
    await dialog.getByLabel(/The disputed amount/).fill('2.00');
    await opened.inDialog('Accept for good').click();
    await dialog.getByText('Write 20.00.').waitFor();
    await dialog.getByLabel(/The disputed amount/).fill('20.00');
    await opened.inDialog('Accept for good').click();
    await status().getByText('Lost').waitFor();
    assert.equal(await region('Your answer').count(), 0);
  });

  it('are only read by who may read only', async () => {
    const { id } = await disputed();
    await enterAs('read_only');
    await page.goto(`${HOME}/disputes/${id}/show`);
    await region('Money').getByText('Chargeback').waitFor();
    assert.equal(await region('Your answer').count(), 0);
    await assertAccessible();
  });
});
