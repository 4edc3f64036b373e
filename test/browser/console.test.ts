import assert from 'node:assert/strict';
import axe from 'axe-core';
import { after, before, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { MINUTE_MS } from '../../domain/time.ts';
import { createDatabase } from '../../prisma/connection/client.ts';
import { enrolmentPath, openEnrolment } from '../../prisma/stores/staff-enrolment.ts';
import { SANDBOX_STAFF } from '../../sandbox/stack/sandbox-data.ts';
import { NARROW, WIDE } from '../support/browser-page.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { createMember, dashboardOfStack, totpCode } from '../support/dashboard.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { queryStack } from '../support/stack-database.ts';
import { getStack } from '../support/stack.ts';

const REASON = 'Chargebacks above the limit. Write to risk@platform.example.';

describe('the console of the platform in a browser', function () {
  this.timeout(5 * MINUTE_MS);
  let browser: Browser;
  let merchant: TestMerchant;

  before(async () => {
    browser = await launchChromium(findChromium() ?? '');
    merchant = await createMerchant();
  });
  after(() => browser?.close());

  async function openPage(): Promise<Page> {
    const context = await browser.newContext({
      viewport: WIDE,
      reducedMotion: 'reduce',
      baseURL: dashboardOfStack().url,
    });
    context.setDefaultTimeout(MINUTE_MS);
    return context.newPage();
  }

  /** A page of a person of the merchant. */
  async function openAsOwner(): Promise<Page> {
    const page = await openPage();
    const { browser: signedIn } = await createMember(merchant.merchantId, 'owner');
    const { url } = dashboardOfStack();
    await page.context().addCookies([...signedIn.cookies].map(([name, value]) => ({ name, value, url })));
    return page;
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  async function assertAccessible(page: Page): Promise<void> {
    await page.evaluate(axe.source);
    for (const [colorScheme, size] of [
      ['light', WIDE],
      ['dark', NARROW],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      assert.deepEqual(await accessibilityProblems(page), [], `${page.url()}, ${colorScheme}, ${size.width} wide`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(WIDE);
  }

  /** The address of a link that sets the second factor up. */
  async function enrolmentLink(): Promise<string> {
    const database = createDatabase({ url: getStack().sandbox.databaseUrl, poolSize: 1 });
    try {
      return enrolmentPath(await openEnrolment(database, SANDBOX_STAFF.id));
    } finally {
      await database.$disconnect();
    }
  }

  async function signIn(page: Page, path = '/console'): Promise<void> {
    await page.goto(path);
    await heading(page, 'Sign in').waitFor();
    await page.getByLabel('E-mail').fill(SANDBOX_STAFF.email);
    await page.getByLabel('Password').fill(dashboardOfStack().password);
    await button(page, 'Sign in').click();
  }

  /** @returns the address in the QR code, and a recovery code */
  async function setUpSecondFactor(page: Page): Promise<{ readonly uri: string; readonly recoveryCode: string }> {
    await heading(page, 'The console needs a second factor').waitFor();
    await assertAccessible(page);
    await page.getByLabel('Your password').fill(dashboardOfStack().password);
    await button(page, 'Set up').click();
    await heading(page, 'Scan this code').waitFor();
    const secret = (await page.locator('code').textContent()) ?? '';
    const uri = `otpauth://totp/console?secret=${secret}`;
    await page.getByLabel('Code').fill(totpCode(uri));
    await button(page, 'Turn on').click();
    await heading(page, 'Your recovery codes').waitFor();
    const [recoveryCode = ''] = ((await page.locator('code').first().textContent()) ?? '').split(/\s+/);
    await button(page, 'Go on').click();
    await heading(page, 'Merchants').waitFor();
    return { uri, recoveryCode };
  }

  async function changeSuspension(page: Page, label: string, confirm: string): Promise<void> {
    await button(page, label).click();
    await inDialog(page, confirm).click();
    await page.getByText('Fill this in.').waitFor();
    await page.getByRole('dialog').getByRole('textbox').fill(REASON);
    await inDialog(page, confirm).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it('lets staff with a second factor find and suspend a merchant, whose people read why and can change nothing', async () => {
    const staff = await openPage();
    await signIn(staff, await enrolmentLink());
    const { uri, recoveryCode } = await setUpSecondFactor(staff);
    await staff.getByRole('button', { name: SANDBOX_STAFF.name }).click();
    await staff.getByRole('menuitem', { name: 'Logout' }).click();
    await heading(staff, 'Sign in').waitFor();
    await signIn(staff);
    await heading(staff, 'Enter your code').waitFor();
    await button(staff, 'Use a recovery code instead').click();
    await heading(staff, 'Enter a recovery code').waitFor();
    await staff.getByLabel('Recovery code').fill('aaaaa-bbbbb');
    await button(staff, 'Sign in').click();
    await staff.getByRole('alert').filter({ hasText: /./ }).waitFor();
    await assertAccessible(staff);
    await button(staff, 'Use your authenticator app instead').click();
    await staff.getByLabel('Code').fill(totpCode(uri));
    await button(staff, 'Sign in').click();

    await heading(staff, 'Merchants').waitFor();
    await staff.getByText('Platform', { exact: true }).first().waitFor();
    await staff.waitForLoadState('networkidle');
    await assertAccessible(staff);
    await staff.getByLabel('Name, ID or e-mail').fill(merchant.merchantId);
    await staff.getByText('1-1 of 1').waitFor();
    // A row without a link is out of reach of the keyboard.
    await staff.getByRole('cell').getByRole('link').first().press('Enter');
    await heading(staff, 'Merchant of a test').waitFor();
    await changeSuspension(staff, 'Suspend', 'Suspend merchant');
    await staff.getByText(/Suspended by the platform since/).waitFor();
    await staff.waitForLoadState('networkidle');
    await assertAccessible(staff);

    const owner = await openAsOwner();
    const customers = `/sandbox/${merchant.merchantAccountId}/customers`;
    await owner.goto(`${customers}/create`);
    await owner.getByText(REASON).waitFor();
    await heading(owner, 'New customer').waitFor();
    await assertAccessible(owner);
    await owner.getByLabel('E-mail').fill('buyer@example.com');
    await button(owner, 'Save').click();
    await owner.getByText(/merchant account is suspended/).waitFor();

    await button(staff, 'Lift suspension').click();
    await staff.getByRole('dialog').getByRole('textbox').fill('Settled.');
    // What was typed stays when the session ends.
    await queryStack('DELETE FROM person_session WHERE person_id = $1', [SANDBOX_STAFF.id]);
    await inDialog(staff, 'Lift suspension').click();
    await heading(staff, 'Your session has ended').waitFor();
    await staff.getByLabel('Password').fill(dashboardOfStack().password);
    await inDialog(staff, 'Sign in').click();
    await inDialog(staff, 'Use a recovery code instead').click();
    await staff.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode);
    await inDialog(staff, 'Sign in').click();
    await button(staff, 'Suspend').waitFor();
    await owner.goto(customers);
    await heading(owner, 'Customers').waitFor();
    assert.equal(await owner.getByText(REASON).count(), 0);

    for (const [path, title] of [
      ['provider-health', 'Provider health'],
      ['settings', 'Settings of the API'],
      ['audit-events', 'Audit log of the platform'],
    ] as const) {
      await staff.goto(`/console/${path}`);
      await heading(staff, title).waitFor();
      await staff.waitForLoadState('networkidle');
      await assertAccessible(staff);
    }
    await staff.getByText('Settled.').first().waitFor();
  });

  it('is closed to the people of merchants, whose pages do not lead to it', async () => {
    const page = await openAsOwner();
    await page.goto(`/sandbox/${merchant.merchantAccountId}/customers`);
    await heading(page, 'Customers').waitFor();
    await page.getByRole('button', { name: 'Member of a test' }).click();
    await page.getByRole('menuitem', { name: 'My security' }).waitFor();
    assert.equal(await page.getByText('Console of the platform').count(), 0);
    await page.goto('/console/merchants');
    await page.getByText('Only the staff of the platform may do this.').waitFor();
    assert.equal(await heading(page, 'Merchants').count(), 0);
  });
});
