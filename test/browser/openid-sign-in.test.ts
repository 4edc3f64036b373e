import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { Browser, BrowserContext } from 'playwright-core';
import { MINUTE_MS } from '../../domain/time.ts';
import { collectComplaints, WIDE } from '../support/browser-page.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { createMember, startDashboard } from '../support/dashboard.ts';
import { createMerchant } from '../support/merchants.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { queryStack } from '../support/stack-database.ts';

describe('the sign-in with another service in a browser', function () {
  this.timeout(3 * MINUTE_MS);
  let browser: Browser;
  let provider: OpenIdProvider;
  let dashboard: Awaited<ReturnType<typeof startDashboard>>;

  before(async () => {
    [browser, provider] = await Promise.all([launchChromium(findChromium() ?? ''), startOpenIdProvider()]);
    dashboard = await startDashboard({
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_NAME: 'Company account',
    });
  });
  after(async () => {
    await browser?.close();
    await dashboard?.stop();
    provider?.close();
  });

  /** A browser whose person the provider knows by an e-mail address that it has verified. */
  async function openContext(email: string, isVerified: boolean): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', baseURL: dashboard.url });
    context.setDefaultTimeout(MINUTE_MS);
    await context.route(`${provider.url}/authorize*`, (route) => {
      const claims = { sub: randomUUID(), email, email_verified: isVerified };
      const next = provider.answer(new URL(route.request().url()), claims);
      return route.fulfill({ status: 302, headers: { Location: next.href } });
    });
    return context;
  }

  it('leads to the page that was asked for, and back to it after the session has ended', async () => {
    const merchant = await createMerchant();
    const { email, personId } = await createMember(merchant.merchantId, 'owner');
    const context = await openContext(email, true);
    const page = await context.newPage();
    const complaints: string[] = [];
    collectComplaints(page, complaints);
    await page.goto(`/sandbox/${merchant.merchantAccountId}/customers/create`);
    await page.getByRole('button', { name: 'Sign in with Company account' }).click();
    await page.getByRole('heading', { level: 1, name: 'New customer' }).waitFor();
    await page.getByLabel('E-mail').fill('buyer@example.com');

    await queryStack('DELETE FROM person_session WHERE person_id = $1', [personId]);
    await page.getByRole('button', { name: 'Save' }).click();
    const otherTab = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in with Company account in another tab' }).click();
    const other = await otherTab;
    await other.getByRole('button', { name: 'Sign in with Company account' }).click();
    await other.getByRole('heading', { level: 1, name: /^(?!Sign in)/ }).waitFor();
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByText('buyer@example.com').first().waitFor();
    await page.getByRole('heading', { level: 1, name: /New customer/ }).waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('says why it did not succeed', async () => {
    const { email } = await createMember((await createMerchant()).merchantId, 'owner');
    const context = await openContext(email, false);
    const page = await context.newPage();
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in with Company account' }).click();
    await page.getByText('your e-mail address is not confirmed').waitFor();
    await context.close();
  });
});
