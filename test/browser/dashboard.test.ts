import assert from 'node:assert/strict';
import axe from 'axe-core';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Browser, Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { customerResource } from '../../contract/schemas/customer.ts';
import { paymentLinkResource } from '../../contract/schemas/payment-link.ts';
import { webhookEndpointResource, webhookEndpointWithSecret } from '../../contract/schemas/webhook-endpoint.ts';
import { newId } from '../../domain/new-id.ts';
import { ROLES } from '../../domain/roles.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { SANDBOX_ACCOUNTS, SANDBOX_MERCHANT, SANDBOX_ROUTES } from '../../sandbox/stack/sandbox-data.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { LOOKS, NARROW, WIDE } from '../support/browser-page.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { createMember, dashboardOfStack, newEmail, PASSWORD, signUp } from '../support/dashboard.ts';
import { type DashboardPage, openDashboardPage } from '../support/dashboard-page.ts';
import { eventually } from '../support/eventually.ts';
import { TEST_XPUB } from '../support/evm-chain.ts';
import { redeliver, sendFailingTestEvent } from '../support/failing-endpoint.ts';
import { insertSettlement } from '../support/merchant-rows.ts';
import { createMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { clientOf, resourceOf } from '../support/resources.ts';
import { request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { getStack } from '../support/stack.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const HOSTILE = '<img src=x onerror="alert(1)">';
const HOME = `/sandbox/${SANDBOX_ACCOUNTS[0].id}`;
/** The first part of the address of an account's pages. */
const PLACE = /\/sandbox\/mer_[0-9a-f]+/;
/** The lists of which `fillLists` gives the sandbox's account a row that leads to a page. */
const LISTS_WITH_ROWS = [
  'payment-intents',
  'payment-links',
  'refunds',
  'disputes',
  'settlements',
  'settlement-entries',
  'transactions',
  'customers',
  'reconciliation-runs',
  'api-keys',
  'webhook-endpoints',
  'events',
];
/** The link to the page of the first row of a list. */
const FIRST_ROW = 'main :is(tbody tr, ol > li) a[href*="/sandbox/"]';
/** The lists with a form for a new row, and the addresses of rows that can be changed in a form. */
const FORMS = ['customers', 'payment-routes'];
const ROUTE_FORM = `payment-routes/${SANDBOX_ROUTES[0]?.id}`;
const FORMS_OF_ROWS = /\/(?:customers|api-keys|webhook-endpoints)\//;
/** Whether the page has loaded so far that its title is there. */
const HAS_TITLE = `(() => {
  const titles = [...document.querySelectorAll('h1')].map(({ textContent }) => textContent.trim());
  return titles.length > 0 && titles.every((title) => title !== '' && title !== 'Loading');
})()`;
/** Writes to the console for each frame in which the page shows nothing. */
const REPORT_BLANK_FRAMES = `(function look() {
  if (document.readyState !== 'loading' && document.querySelector('main') === null) console.log('blank');
  requestAnimationFrame(look);
})();`;
/** What is left of a desktop at 200 % zoom. */
const ZOOMED = { width: 640, height: 450 };
/** What a page says that cannot be shown, or that the person may not see. */
const FAILED = /This page (?:has failed|cannot be shown|does not exist)/;
/** More than any page has to go through. */
const MOST_TABS = 150;

/** One row as soon as nothing of the account's events is left to be planned: later endpoints get none of them. */
const PLANNED = `SELECT FROM webhook_cursor
  WHERE position >= (SELECT max(coalesce(position, ${2 ** 40})) FROM event WHERE merchant_account_id = $1)`;

describe('the dashboard in a browser', function () {
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

  const button = (name: string) => opened.button(name);
  const inDialog = (name: string) => opened.inDialog(name);
  const heading = (name: string | RegExp) => opened.heading(name);
  const shownSecret = (form: RegExp) => opened.shownSecret(form);

  /** Opens a page as a new person of the sandbox's merchant. */
  async function openAs(role: 'owner' | 'read_only', path: string): Promise<void> {
    await enterAs(SANDBOX_MERCHANT.id, role);
    await page.goto(`${HOME}/${path}`);
  }

  async function enterAs(merchantId: string | null, role: 'owner' | 'read_only'): Promise<void> {
    await opened.takeSession(await createMember(merchantId, role));
  }

  async function signInAs(email: string, password: string): Promise<void> {
    await page.goto('/sign-in');
    await opened.fill({ 'E-mail': email, Password: password });
    await button('Sign in').click();
    await page.waitForURL(PLACE);
  }

  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses < MOST_TABS; presses += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`the keyboard does not reach ${String(target)}`);
  }

  async function paidPayment() {
    const payment = await createPayment({
      currency: 'EUR',
      reference: 'ORDER-77',
      confirm: true,
      paymentMethod: card('approved'),
    });
    await payment.reach('succeeded');
    return payment;
  }

  /** Both colours and both widths, or one of each. */
  async function assertAccessible(isVaried: boolean, shown = page): Promise<void> {
    await shown.evaluate(axe.source);
    for (const { colorScheme, size } of isVaried ? LOOKS : LOOKS.slice(0, 2)) {
      await shown.emulateMedia({ colorScheme });
      await shown.setViewportSize(size);
      assert.deepEqual(await accessibilityProblems(shown), [], `${shown.url()}, ${colorScheme}, ${size.width} wide`);
    }
    await shown.setViewportSize(WIDE);
  }

  it('creates a payment link with its QR code, and deactivates it', async () => {
    await openAs('owner', 'payment-links');
    await button('Create payment link').click();
    const reading = page.getByRole('dialog').getByText(/^= /);
    await page.getByLabel('Amount (EUR)').fill('1.234.567,8x');
    assert.equal(await reading.count(), 0);
    await page.getByLabel('Amount (EUR)').fill('1,299.90');
    assert.equal((await reading.textContent())?.replace('\u00a0', ' '), '= EUR 1,299.90');
    await page.getByLabel('Description').fill(`${HOSTILE} lamp`);
    await inDialog('Create').click();
    await heading('Payment link for EUR 1,299.90').waitFor();
    await page.getByRole('img', { name: /^QR code of http.*\/pay\// }).waitFor();
    await page.getByText(`${HOSTILE} lamp`).waitFor();
    await page.getByText('0 of 1').waitFor();
    const saved = page.waitForEvent('download');
    await button('Download the QR code').click();
    assert.match((await saved).suggestedFilename(), /^plink_\w+\.svg$/);
    await assertAccessible(true);
    const url = (await page.locator('a[href*="/pay/"]').getAttribute('href')) ?? '';
    const state = await fetch(`${url}/state`);
    assert.equal(
      z.object({ data: z.looseObject({ status: z.string() }) }).parse(await state.json()).data.status,
      'active',
    );
    await button('Deactivate').click();
    await inDialog('Deactivate').click();
    await button('Activate').waitFor();
    await page.getByText('Customers who open it read that it cannot be paid any more.').waitFor();
  });

  it('says on the page "Account" what customers see, with a logo of any image, and customers see it', async () => {
    const shop = await createMerchant();
    await enterAs(shop.merchantId, 'owner');
    await page.goto(`/sandbox/${shop.merchantAccountId}/account`);
    await heading('Account').waitFor();
    const profile = page.getByRole('region', { name: 'What customers see' });
    await profile.getByText('Merchant of a test').waitFor();
    await profile.getByRole('button', { name: 'Change' }).click();
    await opened.fill({
      'Public name': 'Lamps of Berlin',
      'E-mail for customers': 'help',
      Terms: 'https://shop.example/terms',
    });
    await opened.fill({
      'Where customers go after paying': 'https://shop.example/',
      Colour: '#ffdd00',
    });
    await inDialog('Save').click();
    await page
      .getByRole('dialog')
      .getByText(/Expected an? e-?mail/i)
      .first()
      .waitFor();
    await opened.fill({ 'E-mail for customers': 'help@shop.example' });
    await inDialog('Save').click();
    await profile.getByText('Lamps of Berlin').waitFor();
    await page.getByLabel('Image file of the logo').setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><rect width="200" height="80" fill="green"/></svg>',
      ),
    });
    const logo = page.getByRole('img', { name: 'The logo' });
    await logo.waitFor();
    const width = `document.querySelector('img[alt="The logo"]').naturalWidth`;
    await eventually(async () => assert.equal(await page.evaluate(width), 200));
    const declines = page.getByRole('region', { name: 'After a decline' });
    await declines.getByText('No', { exact: true }).waitFor();
    await declines.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Ask another provider after a technical decline').check();
    await inDialog('Save').click();
    await declines.getByText('After a technical decline').waitFor();
    await assertAccessible(true);

    const created = await clientOf(shop.credentials)('POST', '/payment-links', {
      amount: 1_000,
      currency: 'EUR',
    });
    const { url } = resourceOf(created, paymentLinkResource, 201);
    const customer = await opened.context.newPage();
    await customer.goto(url ?? '');
    await customer.getByRole('heading', { name: 'Payment to Lamps of Berlin' }).waitFor();
    await customer.getByRole('link', { name: 'help@shop.example' }).waitFor();
    assert.equal(
      await customer.getByRole('link', { name: 'Terms' }).getAttribute('href'),
      'https://shop.example/terms',
    );
    const look = `(() => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent.startsWith('Pay '));
      const { backgroundColor, color } = getComputedStyle(button);
      return [backgroundColor, color];
    })()`;
    assert.deepEqual(await customer.evaluate(look), ['rgb(255, 221, 0)', 'rgb(0, 0, 0)']);
    assert.equal(await customer.evaluate(`document.querySelector('#logo').naturalHeight`), 80);
  });

  it('signs in, finds a payment by its reference, and refunds it', async () => {
    const { id } = await paidPayment();
    const { email, password } = dashboardOfStack();
    await page.goto(`${HOME}/payment-intents`);
    await heading('Sign in').waitFor();
    await assertAccessible(false);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await button('Sign in').click();
    await heading('Payments').waitFor();
    await page.getByText('No real money moves').waitFor();
    await page.getByRole('textbox', { name: /reference/ }).fill('ORDER-77');
    await page.waitForURL(/ORDER-77/);
    await page.locator(`a[href$="/payment-intents/${id}/show"]`).click();
    await heading('Payment of EUR 19.99').waitFor();
    await page.getByText('Attempt 1: alpha said approved').waitFor();
    await button('Refund').dblclick();
    assert.equal(await page.getByLabel('Amount (EUR)').inputValue(), '19.99');
    await page.getByLabel('Amount (EUR)').fill('99.00');
    await inDialog('Refund').click();
    await page.getByText('At most EUR 19.99.').waitFor();
    await page.getByLabel('Amount (EUR)').fill('5.00');
    await inDialog('Refund').dblclick();
    const refunds = page.getByRole('region', { name: 'Refunds' });
    await refunds.getByText('EUR 5.00').waitFor();
    await refunds.getByText('Succeeded').waitFor();
    await page.goBack();
    await heading('Payments').waitFor();
    assert.match(page.url(), /ORDER-77/);
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    for (const secret of [password, getStack().sandbox.apiKey]) assert.ok(!stored.includes(secret));
    assert.match(stored, /""\]$/);
  });

  it('can be used with the keyboard alone, from the sign-in to a refund', async () => {
    const { id } = await paidPayment();
    const { email, password } = dashboardOfStack();
    const type = async (into: Locator, text: string) => {
      await tabTo(into);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    };
    await page.goto(`${HOME}/payment-intents`);
    await type(page.getByLabel('E-mail'), email);
    await type(page.getByLabel('Password'), password);
    await page.keyboard.press('Enter');
    await heading('Payments').waitFor();
    await type(page.getByRole('textbox', { name: /reference/ }), id);
    await page.waitForURL(new RegExp(id));
    await tabTo(page.locator(`a[href$="/payment-intents/${id}/show"]`));
    await page.keyboard.press('Enter');
    await tabTo(button('Refund'));
    await page.keyboard.press('Enter');
    await inDialog('Back').waitFor();
    await page.keyboard.press('Escape');
    await inDialog('Back').waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await type(page.getByLabel('Amount (EUR)'), '5.00');
    await tabTo(inDialog('Refund'));
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Refunds' }).getByText('EUR 5.00').waitFor();
  });

  it('goes on after the sign-in to the page that was asked for, and to no other site', async () => {
    const { email, password, url } = dashboardOfStack();
    await page.goto(`/sign-in?${new URLSearchParams({ next: '/.//attacker.example/' }).toString()}`);
    await opened.fill({ 'E-mail': email, Password: password });
    await button('Sign in').click();
    await page.getByText('No real money moves').waitFor();
    assert.equal(new URL(page.url()).origin, url);
  });

  it('signs in with a password that begins and ends with blanks', async () => {
    const [email, password] = [newEmail(), ` ${PASSWORD} `];
    await signUp(email);
    await signInAs(email, PASSWORD);
    await page.goto(`${PLACE.exec(page.url())?.[0] ?? ''}/security`);
    await button('Change password').click();
    await opened.fill({
      'Current password': PASSWORD,
      'New password': password,
    });
    await inDialog('Change password').click();
    await page.getByText('Your password is changed.').waitFor();
    await opened.context.clearCookies();
    await signInAs(email, password);
  });

  it('keeps what was typed into a form whose session has ended, and sends it after another sign-in', async () => {
    const email = newEmail();
    await signUp(email);
    await signInAs(email, PASSWORD);
    await page.goto(`${PLACE.exec(page.url())?.[0] ?? ''}/payment-links`);
    await button('Create payment link').click();
    await opened.fill({ 'Amount (EUR)': '49.00', Description: 'Typed before the session ended' });
    await queryStack('DELETE FROM person_session WHERE person_id = (SELECT id FROM person WHERE email = $1)', [email]);
    await inDialog('Create').click();
    await heading('Your session has ended').waitFor();
    await assertAccessible(false);
    const password = page.getByLabel('Password');
    await password.fill('not the password at all');
    await inDialog('Sign in').click();
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    await password.fill(PASSWORD);
    await inDialog('Sign in').click();
    await heading(/^Payment link/).waitFor();
    await page.getByText('Typed before the session ended').first().waitFor();
  });

  /** A row for each list. */
  async function fillLists(): Promise<void> {
    const hook = {
      url: 'http://127.0.0.1:9/hook',
      enabledEvents: ['payment_intent.expired'],
    };
    await request({
      method: 'POST',
      path: '/api/v1/webhook-endpoints',
      body: hook,
    });
    const link = { amount: 1_999, currency: 'EUR' };
    await request({
      method: 'POST',
      path: '/api/v1/payment-links',
      body: link,
    });
    await insertSettlement(SANDBOX_ACCOUNTS[0].id);
    await saveCard();
    const { id } = await createPayment({
      confirm: true,
      paymentMethod: card('approved'),
    });
    await createPayment({ confirm: true, paymentMethod: card('disputed') });
    await request({
      method: 'POST',
      path: '/api/v1/refunds',
      body: { paymentIntentId: id, amount: 100 },
    });
    await queryStack(
      `WITH run AS (
        INSERT INTO reconciliation_run (id, provider, window_from, window_to, is_continuous, status, compared, finished_at)
        VALUES ($1, 'alpha', now() - interval '1 hour', now(), false, 'completed', 1, now()) RETURNING id)
      INSERT INTO reconciliation_account (run_id, merchant_account_id, environment, compared, repaired, reported, created_at)
      SELECT id, $2, 'sandbox', 1, 0, 0, now() FROM run`,
      [newId('reconciliationRun'), SANDBOX_ACCOUNTS[0].id],
    );
  }

  /** A customer, the newest one, with a card that a payment has saved. */
  async function saveCard(): Promise<void> {
    const body = { name: 'Customer of a list' };
    const customer = await request({ method: 'POST', path: '/api/v1/customers', body });
    const { id: customerId } = resourceOf(customer, customerResource, 201);
    const consent = { acceptedAt: new Date().toISOString(), ipAddress: null, userAgent: null, text: 'I agree' };
    const agreed = { customerId, setupFutureUsage: 'off_session', consent };
    const paid = await createPayment({ ...agreed, confirm: true, paymentMethod: card('approved') });
    await paid.reach('succeeded');
  }

  /** Waits until each list of the sandbox's account has a row. */
  async function listsAreFilled(): Promise<void> {
    await eventually(async () => {
      for (const list of ['disputes', 'refunds', 'events', 'transactions']) {
        const { body } = await request({ method: 'GET', path: `/api/v1/${list}?limit=1` });
        assert.match(JSON.stringify(body['data']), /"id"/, list);
      }
    });
  }

  it('opens every page that the menu offers, and the first row of every list, in each of the five roles', async () => {
    await fillLists();
    await listsAreFilled();
    await Promise.all(
      ROLES.map(async (role) => {
        const own = await openDashboardPage(browser);
        const problems: string[] = [];
        const opened = new Set<string>();
        own.page.on('console', (message) => {
          if (message.type() === 'error') problems.push(message.text());
        });
        own.page.on('response', (response) => {
          if (response.status() === 403) problems.push(`403 ${response.url()}`);
        });
        await own.takeSession(await createMember(SANDBOX_MERCHANT.id, role));
        await own.page.goto(HOME);
        await own.heading('Home').waitFor();
        const addresses = await own.page.evaluate<string[]>(
          `[...document.querySelectorAll('a[role=menuitem][href*="/sandbox/"]')].map((link) => link.getAttribute('href'))`,
        );
        assert.ok(addresses.length > 10, `${role} is offered ${addresses.join()}`);
        for (const address of addresses.slice(1)) {
          await leave(own.page, own.page.locator(`[role="menuitem"][href="${address}"]`), `${role}: ${address}`);
          const row = own.page.locator(FIRST_ROW).first();
          if ((await row.count()) === 0) continue;
          await leave(own.page, row, `${role}: the first row of ${address}`);
          opened.add(address.slice(HOME.length + 1));
        }
        const all = LISTS_WITH_ROWS.filter((list) => addresses.includes(`${HOME}/${list}`));
        assert.deepEqual(
          all.filter((list) => !opened.has(list)),
          [],
          `${role}: lists without a first row`,
        );
        if (role === 'owner') assert.deepEqual(all, LISTS_WITH_ROWS);
        await own.close();
        assert.deepEqual(problems, [], role);
      }),
    );
  });

  /** Clicks on a link to another page, and waits until that has all that it reads and has not failed. */
  async function leave(shown: Page, link: Locator, what: string): Promise<void> {
    const earlier = [await shown.locator('h1').innerText(), 'Loading', ''];
    await link.click();
    await eventually(async () => {
      const title = await shown.locator('h1').innerText();
      assert.ok(!earlier.includes(title), `${what} is not shown, but ${title}`);
    });
    await shown.locator('main [role=progressbar]').first().waitFor({ state: 'detached' });
    assert.equal(await shown.getByText(FAILED).count(), 0, what);
  }

  it('finds a payment by the card that was declined, and shows the card of each attempt', async () => {
    const payment = await createPayment({
      reference: `CARDS-${newId('event')}`,
    });
    await payment.confirm(card('insufficientFunds'));
    await payment.confirm(card('approved'));
    const declined = card('insufficientFunds').card.number.slice(-4);
    await openAs('read_only', `payment-intents?filter=${encodeURIComponent(JSON.stringify({ last4: declined }))}`);
    await page.locator(`a[href$="/payment-intents/${payment.id}/show"]`).click();
    const attempts = page.getByRole('region', { name: 'Attempts' });
    await attempts.getByText(`···· ${declined}`).waitFor();
    await attempts.getByText('···· 4242').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText(`···· ${declined}`).first().waitFor();
  });

  it('names in the audit log who made a change, to a reader too, who can select by the name', async () => {
    const { merchantId, merchantAccountId } = await createMerchant();
    const developer = await createMember(merchantId, 'developer');
    await developer.browser.post('/api/v1/api-keys', {
      name: 'Key of a member',
      scopes: ['customers:read'],
    });
    await enterAs(merchantId, 'read_only');
    await page.goto(`/sandbox/${merchantAccountId}/audit-events`);
    const named = page.getByRole('cell', {
      name: 'Member of a test',
      exact: true,
    });
    await named.first().waitFor();
    await page.getByLabel('By').fill('Member');
    await page.getByRole('option', { name: 'Member of a test' }).click();
    await page.waitForURL(/actorId/);
    await named.first().waitFor();
    assert.equal(await named.count(), (await page.getByRole('row').count()) - 1);
  });

  it('shows as text what anybody wrote into a free text', async () => {
    const fields = {
      reference: HOSTILE,
      description: HOSTILE,
      metadata: { note: HOSTILE },
    };
    const made = [
      ['customers', { ...fields, name: HOSTILE }],
      ['payment-intents', { ...fields, amount: 1_999, currency: 'EUR' }],
      ['payment-links', { ...fields, amount: 1_999, currency: 'EUR' }],
      [
        'webhook-endpoints',
        {
          url: 'http://127.0.0.1:9/hook',
          enabledEvents: ['*'],
          description: HOSTILE,
        },
      ],
      ['api-keys', { name: HOSTILE, scopes: ['customers:read'] }],
    ] as const;
    await enterAs(SANDBOX_MERCHANT.id, 'owner');
    for (const [resource, body] of made) {
      const created = await request({
        method: 'POST',
        path: `/api/v1/${resource}`,
        body,
      });
      const { id } = z.object({ data: z.object({ id: z.string() }) }).parse(created.body).data;
      await page.goto(`${HOME}/${resource}/${id}/show`);
      await page.getByText(HOSTILE).first().waitFor();
      assert.equal(await page.locator('img[src="x"]').count(), 0, resource);
    }
  });

  it('removes a member with the API keys that the person made', async () => {
    const { merchantId, merchantAccountId } = await createMerchant();
    await enterAs(merchantId, 'owner');
    const leaving = await createMember(merchantId, 'developer');
    const fields = { name: 'Key of who leaves', scopes: ['customers:read'] };
    const { data: key } = await leaving.browser.post('/api/v1/api-keys', fields);
    await page.goto(`/sandbox/${merchantAccountId}/team-members`);
    await button('Remove').first().click();
    await page.getByRole('dialog').getByText('Key of who leaves').waitFor();
    await assertAccessible(false);
    await page.getByLabel('Revoke these keys too').check();
    await inDialog('Remove').click();
    await page.getByText('The person is no longer in the team.').waitFor();
    await page.goto(`/sandbox/${merchantAccountId}/api-keys/${String(key['id'])}/show`);
    await page.getByText('Revoked', { exact: true }).first().waitFor();
  });

  it('lets a person without a team begin with a company', async () => {
    await enterAs(null, 'owner');
    await page.goto('/');
    await heading('You are in no team').waitFor();
    await page.getByLabel('Name of your company').fill('Company of a browser');
    await button('Begin').click();
    await heading('First steps').waitFor();
    await page.getByRole('menuitem', { name: 'Home' }).click();
    await heading('Home').waitFor();
    await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
    await button('Production').click();
    await page.getByText('Real money moves').waitFor();
  });

  it('shows a payment that moves', async () => {
    const payment = await createPayment({ currency: 'EUR' });
    await openAs('owner', `payment-intents/${payment.id}/show`);
    const status = page.getByRole('status', { name: 'Status' });
    await status.getByText('Needs payment method').waitFor();
    await payment.confirm(card('approved'));
    await status.getByText('Succeeded').waitFor();
    await page.getByText('EUR 19.99 captured at alpha').waitFor();
  });

  it('shows a payment that is captured and refunded elsewhere', async () => {
    const send = clientOf(getStack().sandbox);
    const terms = {
      currency: 'EUR',
      captureMethod: 'manual',
      confirm: true,
      paymentMethod: card('approved'),
    };
    const { id } = await createPayment(terms);
    await openAs('owner', `payment-intents/${id}/show`);
    const status = page.getByRole('status', { name: 'Status' });
    const inRegion = (name: string) => page.getByRole('region', { name, exact: true });
    await status.getByText('Uncaptured').waitFor();
    await inRegion('Refunds').getByText('Nothing was refunded.').waitFor();
    await send('POST', `/payment-intents/${id}/capture`, {});
    await status.getByText('Succeeded').waitFor();
    await send('POST', '/refunds', { paymentIntentId: id, amount: 500 });
    await inRegion('Refunds').getByText('EUR 5.00').waitFor();
    await inRegion('Refunds').getByText('Succeeded').waitFor();
    await inRegion('Transactions').getByText('EUR 5.00').waitFor();
    await inRegion('Refunds').getByRole('link').click();
    await heading('Refund of EUR 5.00').waitFor();
    await inRegion('Events and webhook deliveries').getByText('refund.succeeded').waitFor();
  });

  it('creates an API key that is shown once, rotates it, and revokes it', async () => {
    await openAs('owner', 'api-keys');
    await button('Create API key').click();
    await page.getByLabel('Name').fill('Key of a browser');
    await button('Reading only').click();
    await inDialog('Create API key').click();
    const apiKey = await shownSecret(/svc_test_/);
    await button('I have copied it').click();
    await page
      .getByRole('row', { name: /Key of a browser/ })
      .getByRole('link')
      .click();
    await heading('Key of a browser').waitFor();
    assert.ok(!(await page.content()).includes(apiKey));
    await button('Rotate').click();
    await inDialog('Rotate').click();
    assert.notEqual(await shownSecret(/svc_test_/), apiKey);
    await button('I have copied it').click();
    await button('Revoke').click();
    await inDialog('Revoke').click();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    // While the dialog fades out, its own button of that name is the only one that can be reached.
    await page.getByRole('button', { name: 'Revoke', exact: true, disabled: true }).waitFor();
  });

  it('adds an account on an EVM chain, and shows what is wrong inside a list at its field', async () => {
    const priceFeed = {
      address: `0x${'a'.repeat(40)}`,
      maximumAgeSeconds: 90_000,
    };
    const token = {
      asset: 'USDC',
      contract: 'nowhere',
      decimals: 6,
      priceFeed,
    };
    await openAs('owner', 'provider-accounts');
    await button('Add provider account').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Provider').click();
    await page.getByRole('option', { name: 'EVM chain' }).click();
    await dialog.getByLabel('Name').fill('Deposits');
    await dialog.getByLabel('Extended public key').fill(TEST_XPUB);
    await dialog.getByLabel('Node').fill('https://127.0.0.1:1/key');
    await dialog.getByLabel('Chain ID').fill('1');
    await dialog.getByLabel('Network').click();
    await page.getByRole('option', { name: 'Ethereum' }).click();
    await dialog.getByLabel('Confirmations').fill('12');
    const tokens = dialog.getByLabel('Tokens');
    await tokens.fill('[');
    await inDialog('Add provider account').click();
    await dialog.getByText('This is no JSON.').waitFor();
    await tokens.fill(JSON.stringify([token]));
    await inDialog('Add provider account').click();
    await dialog.getByText(/^0\.contract: Expected/).waitFor();
    await assertAccessible(true);
    await tokens.fill(JSON.stringify([{ ...token, contract: `0x${'1'.repeat(40)}` }]));
    await inDialog('Add provider account').click();
    await page.getByText('The provider account is added.').waitFor();
    await page.getByRole('cell', { name: 'EVM chain' }).click();
    await page.getByText('Set; it is never shown').first().waitFor();
    await page.getByText('"maximumAgeSeconds":90000').waitFor();
    await assertAccessible(true);
    await button('Replace credentials').click();
    assert.equal(await dialog.getByLabel('Chain ID').inputValue(), '1');
    assert.equal(await dialog.getByLabel('Extended public key').inputValue(), '');
  });

  it('shows each change of a route at once, and warns before the last one of a method is switched off', async () => {
    const merchant = await createMerchant();
    await enterAs(merchant.merchantId, 'owner');
    const home = `/sandbox/${merchant.merchantAccountId}`;
    await page.goto(`${home}/payment-routes`);
    const list = page.getByRole('region', { name: 'Card routes' });
    const alpha = list.getByRole('listitem').filter({ hasText: 'alpha' });
    const isOn = (name: string) => list.getByRole('switch', { name: new RegExp(name) });
    const routesOn = async (count: number) =>
      eventually(async () => assert.equal(await list.getByRole('switch', { checked: true }).count(), count));
    await isOn('alpha').waitFor();
    const all = await list.getByRole('switch', { checked: true }).count();
    // Within the time for which the list counts as fresh.
    await alpha.getByRole('link', { name: 'Edit' }).click();
    await heading('Edit route').waitFor();
    await page.getByLabel('Payments may take it').click();
    await button('Save').click();
    await alpha.getByText('Not active').waitFor();
    await routesOn(all - 1);

    for (let left = all - 1; left > 1; left -= 1) {
      await list.getByRole('switch', { checked: true }).first().click();
      await routesOn(left - 1);
    }
    await list.getByRole('switch', { checked: true }).click();
    await page.getByText('Turn off the last Card route?').waitFor();
    await assertAccessible(false);
    await inDialog('Back').click();
    await routesOn(1);
    await list.getByRole('switch', { checked: true }).click();
    await inDialog('Turn off').click();
    await routesOn(0);
    await isOn('alpha').click();
    await routesOn(1);
    await alpha.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Payments may take it').click();
    await page.getByText('It is the only active route for Card.').waitFor();

    // The same kind on another page: what a dialog creates is in the list at once.
    await page.goto(`${home}/channel-limits?filter=${encodeURIComponent('{"currency":"EUR"}')}`);
    await button('Set a limit').click();
    await opened.fill({
      'Smallest amount (EUR)': '1,500',
      'Largest amount (EUR)': '12,345.60',
    });
    await page.getByText('= EUR 1,500.00').waitFor();
    await inDialog('Set a limit').click();
    await page.getByText('EUR 12,345.60').first().waitFor();
  });

  it('says since when an endpoint fails, what was delivered and what waits, and sends again what it has missed', async () => {
    const merchant = await createMerchant();
    const receiver = await startReceiver();
    try {
      receiver.answerWith(() => ({ status: 500 }));
      const send = clientOf(merchant.credentials);
      await createPayment({}, merchant.credentials);
      await eventually(async () => assert.deepEqual(await queryStack(PLANNED, [merchant.merchantAccountId]), [{}]));
      const created = await send('POST', '/webhook-endpoints', {
        url: receiver.url,
        enabledEvents: ['payment_intent.created'],
      });
      const { id } = resourceOf(created, webhookEndpointWithSecret, 201);
      await Promise.all([1, 2, 3, 4, 5, 6].map(() => createPayment({}, merchant.credentials)));
      await eventually(async () => {
        const endpoint = resourceOf(await send('GET', `/webhook-endpoints/${id}`), webhookEndpointResource);
        assert.notEqual(endpoint.failingSince, null);
        assert.deepEqual(endpoint.recentDeliveries, { total: 6, delivered: 0 });
      });
      await enterAs(merchant.merchantId, 'owner');
      await page.goto(`/sandbox/${merchant.merchantAccountId}/webhook-endpoints`);
      await page.getByRole('cell').getByText('Failing', { exact: true }).waitFor();
      await page.getByRole('cell', { name: '0% of 6' }).waitFor();
      await page.getByRole('cell', { name: receiver.url }).click();
      await page
        .getByRole('alert')
        .getByText(/^Failing since .*, 0% of 6 delivered within 24 hours, 6 wait, next try /)
        .waitFor();
      const deliveries = page.getByRole('region', { name: 'Deliveries' });
      await deliveries.getByText('status not 2xx').first().waitFor();
      await assertAccessible(true);
      await deliveries.getByRole('button', { name: 'Delivered' }).click();
      await deliveries.getByText('No delivery to this endpoint is delivered.').waitFor();
      await button('Resend missed events').click();
      await page.getByLabel('Since').fill('2026-01-01T00:00');
      await inDialog('Resend').click();
      // The one of before the endpoint existed.
      await page.getByText('1 event will be sent again.').waitFor();
      receiver.answerWith(() => ({ status: 204 }));
      await send('PATCH', `/webhook-endpoints/${id}`, {
        url: `${receiver.url}?now`,
      });
      await deliveries.getByText(/evt_/).nth(6).waitFor();
      await page
        .getByRole('alert')
        .getByText(/^Failing since/)
        .waitFor({ state: 'hidden' });
    } finally {
      await receiver.close();
    }
  });

  it('tests a webhook endpoint, shows its failing delivery, and delivers the event again', async () => {
    const receiver = await startReceiver();
    try {
      await openAs('owner', 'webhook-endpoints');
      await sendFailingTestEvent(opened, receiver);
      await page.getByText('Answer', { exact: true }).first().click();
      await page.getByText('out of order').filter({ visible: true }).first().waitFor();
      await redeliver(opened, receiver);
    } finally {
      await receiver.close();
    }
  });

  it('shows a person who may only read no button that changes anything', async () => {
    const { id } = await paidPayment();
    await openAs('read_only', `payment-intents/${id}/show`);
    await page.getByText('Attempt 1: alpha said approved').waitFor();
    for (const name of ['Refund', 'Cancel payment', 'Capture']) assert.equal(await button(name).count(), 0, name);
    for (const [path, title, action] of [
      ['api-keys', 'API keys', 'Create API key'],
      ['webhook-endpoints', 'Webhook endpoints', 'Create webhook endpoint'],
      ['payment-routes', 'Routes', 'Create route'],
      ['customers', 'Customers', 'Create'],
    ] as const) {
      await page.goto(`${HOME}/${path}`);
      await heading(title).waitFor();
      await page.waitForLoadState('networkidle');
      const offered = page.getByRole('button', { name: action }).or(page.getByRole('link', { name: action }));
      assert.equal(await offered.count(), 0, action);
    }
    assert.equal(await page.getByRole('menuitem', { name: 'Team' }).count(), 0);
  });

  it('shows volume, approval rates, failures and refunds of a period, in an address that can be shared', async () => {
    const merchant = await createMerchant();
    const { credentials, merchantAccountId } = merchant;
    await createPayment({ currency: 'USD' }, credentials);
    const paid = await createPayment({ currency: 'EUR', country: 'DE' }, credentials);
    const refused = await createPayment({ currency: 'EUR', country: 'FR' }, credentials);
    await Promise.all([paid.confirm(card('approved')), refused.confirm(card('insufficientFunds'))]);
    await Promise.all([paid.reach('succeeded'), refused.reach('requires_payment_method')]);
    await clientOf(credentials)('POST', '/refunds', {
      paymentIntentId: paid.id,
      amount: 500,
    });
    await eventually(async () => {
      const { body } = await clientOf(credentials)('GET', '/statistics');
      assert.match(JSON.stringify(body), /"total":\{[^}]*"attempts":2[^}]*"refunds":1/);
    });
    await enterAs(merchant.merchantId, 'read_only');
    const script = page.waitForResponse(/\/assets\/plots-[^/]*\.js$/);
    await page.goto(`/sandbox/${merchantAccountId}`);
    await heading('Home').waitFor();
    await page.getByRole('region', { name: 'Volume and refunds' }).getByText('Volume', { exact: true }).waitFor();
    assert.match((await script).headers()['content-encoding'] ?? '', /^(?:br|gzip)$/);
    const figure = (name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    for (const [name, value] of [
      ['Volume', 'EUR 19.99'],
      ['Approval rate', '50%'],
      ['Refunds', 'EUR 5.00'],
    ] as const) {
      await figure(name).getByText(value).waitFor();
    }
    await page.getByRole('table', { name: 'Approval rate by country' }).getByText('France').waitFor();
    await assertAccessible(true);
    await button('30 days').press('Enter');
    await page.waitForURL(/period=30d/);
    const currency = page.getByRole('combobox', { name: 'Currency' });
    await currency.selectOption('USD');
    await figure('Volume').getByText('USD 0.00').waitFor();
    await currency.selectOption('EUR');
    await page.waitForURL(/period=30d&currency=EUR/);
    await page.reload();
    await figure('Volume').getByText('EUR 19.99').waitFor();
    assert.equal(await button('30 days').getAttribute('aria-pressed'), 'true');
    await page.getByRole('region', { name: 'Volume and refunds' }).getByText('Volume', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Insufficient funds' }).click();
    await heading('Payments').waitFor();
    await page.locator(`a[href$="/payment-intents/${refused.id}/show"]`).waitFor();
    assert.equal(await page.locator(`a[href$="/payment-intents/${paid.id}/show"]`).count(), 0);
    await page.goBack();
    await page.waitForURL(/period=30d/);
  });

  it('says on the home page that figures cannot be read, and reads them again', async () => {
    const statistics = '**/api/v1/statistics*';
    await page.route(statistics, (route) =>
      route.fulfill({
        status: 503,
        json: { error: { message: 'Out of order.' } },
      }),
    );
    await openAs('owner', '');
    await page.getByRole('alert').getByText('Out of order.').waitFor();
    await page.unroute(statistics);
    await button('Try again').click();
    await page.getByText('Approval rate').first().waitFor();
  });

  it('says that a page did not arrive, and loads it again', async () => {
    await openAs('owner', 'payment-intents');
    await heading('Payments').waitFor();
    const script = /assets\/refunds-/;
    await page.route(script, (route) => route.abort());
    await page.getByRole('menuitem', { name: 'Refunds' }).click();
    await heading('This page cannot be shown').waitFor();
    await page.getByText('This page could not be loaded.').waitFor();
    await assertAccessible(false);
    await page.unroute(script);
    await button('Try again').click();
    await heading('Refunds').waitFor();
  });

  it('says that a page has failed, and loads it again', async () => {
    const list = '**/api/v1/customers?*';
    const unexpected = {
      data: [{ id: 'cus_1', name: { first: 'Not a text' } }],
      pagination: { total: 1 },
    };
    await page.route(list, (route) => route.fulfill({ json: unexpected }));
    await openAs('owner', 'customers');
    await heading('This page cannot be shown').waitFor();
    await page.getByText('This page has failed.').waitFor();
    await page.unroute(list);
    await button('Try again').click();
    await heading('Customers').waitFor();
  });

  it('is never blank while it is loaded, leads to pages by their ids, and names each page in the tab', async () => {
    const blank: string[] = [];
    page.on('console', (message) => {
      if (message.text() === 'blank') blank.push(page.url());
    });
    await opened.context.addInitScript(REPORT_BLANK_FRAMES);
    const { id } = await paidPayment();
    const shows = async (path: string, title: string) => {
      await page.goto(path);
      await heading(title).waitFor();
      await eventually(async () =>
        assert.equal((await page.title()).replaceAll('\u00A0', ' '), `${title} – Payment engine`),
      );
    };
    await shows(`${HOME}/payment-intents`, 'Sign in');
    await enterAs(SANDBOX_MERCHANT.id, 'read_only');
    await shows(`${HOME}/payment-intents/${id}`, 'Payment of EUR 19.99');
    for (const [path, title] of [
      [`${HOME}/payment-intents/${id}0/show`, 'This page cannot be shown'],
      [`${HOME}/no-such-page`, 'This page does not exist'],
      [`${HOME}/payment-routes/create`, 'This page does not exist'],
    ] as const) {
      await shows(path, title);
      await assertAccessible(false);
    }
    await page.goto('/console');
    await heading('This page cannot be shown').waitFor();
    await assertAccessible(false);
    assert.deepEqual(blank, []);
  });

  it('shows every column of a list beside a long text', async () => {
    const merchant = await createMerchant();
    const send = clientOf(merchant.credentials);
    await send('POST', '/customers', {
      name: 'x'.repeat(150),
      reference: 'y'.repeat(100),
    });
    await enterAs(merchant.merchantId, 'read_only');
    await page.goto(`/sandbox/${merchant.merchantAccountId}/customers`);
    const created = page.getByRole('columnheader', { name: 'Created' });
    await created.waitFor();
    const { x = 0, width = 0 } = (await created.boundingBox()) ?? {};
    assert.ok(width > 0 && x + width <= WIDE.width, `the last column ends at ${x + width}`);
  });

  it('leads the keyboard to each row of a list, on a phone and at 200 % zoom too', async () => {
    const merchant = await createMerchant();
    const send = clientOf(merchant.credentials);
    await send('POST', '/customers', { name: 'A customer' });
    await send('POST', '/payment-links', { amount: 1_999, currency: 'EUR' });
    await send('POST', '/webhook-endpoints', {
      url: 'http://127.0.0.1:9/hook',
      enabledEvents: ['*'],
    });
    await enterAs(merchant.merchantId, 'owner');
    for (const size of [ZOOMED, NARROW]) {
      await page.setViewportSize(size);
      for (const path of ['customers', 'payment-links', 'webhook-endpoints', 'api-keys', 'payment-intents']) {
        await page.goto(`/sandbox/${merchant.merchantAccountId}/${path}`);
        if (path === 'payment-intents') await page.getByText('No payments yet.').waitFor();
        else await tabTo(page.getByRole('cell').getByRole('link').first());
        await page.evaluate(axe.source);
        assert.deepEqual(await accessibilityProblems(page), [], `${path}, ${size.width} wide`);
      }
    }
  });

  it('has no accessibility violations while a part of a page is loaded', async () => {
    const { id } = await paidPayment();
    for (const [held, path] of [
      ['**/api/v1/**/timeline*', `payment-intents/${id}/show`],
      ['**/api/v1/statistics*', ''],
      ['**/api/v1/payment-intents?*', 'payment-intents'],
    ] as const) {
      await page.route(held, () => undefined);
      await openAs('owner', path);
      await page.locator('.MuiSkeleton-root[role=progressbar]').first().waitFor();
      await assertAccessible(false);
    }
  });

  it('has no accessibility violations while its scripts are loaded', async () => {
    await openAs('owner', '');
    for (const [held, shown] of [
      [/\/index-[\w-]+\.js$/, page.getByRole('main').getByRole('heading', { name: 'Loading' })],
      [/\/dashboard-[\w-]+\.js$/, page.getByRole('main').getByRole('heading', { name: 'Loading' })],
      [/\/home-[\w-]+\.js$/, page.locator('#react-admin-title', { hasText: 'Loading' })],
    ] as const) {
      await page.route(held, () => undefined);
      await page.goto(HOME, { waitUntil: 'commit' });
      await shown.waitFor();
      await assertAccessible(false);
      await page.unroute(held);
    }
  });

  it('has no accessibility violations, light and dark, wide and narrow, on any page, form or first row', async () => {
    await fillLists();
    await listsAreFilled();
    await openAs('owner', '');
    await heading('Home').waitFor();
    const lists = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a[role=menuitem][href*="/sandbox/"]')].map((link) => link.getAttribute('href'))`,
    );
    const forms = [...FORMS.map((form) => `${form}/create`), ROUTE_FORM].map((form) => `${HOME}/${form}`);
    const waiting = [...lists, ...forms];
    const looked = new Set<string>();
    const lookAtPages = async (): Promise<void> => {
      const own = await openDashboardPage(browser);
      await own.takeSession(await createMember(SANDBOX_MERCHANT.id, 'owner'));
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        await own.page.goto(path);
        await eventually(async () => assert.ok(await own.page.evaluate<boolean>(HAS_TITLE), `${path} has no title`));
        await own.page.locator('main [role=progressbar][aria-label=Loading]').first().waitFor({ state: 'detached' });
        await own.page.waitForLoadState('networkidle');
        const isList = LISTS_WITH_ROWS.includes(path.slice(HOME.length + 1));
        const address = isList ? await own.page.locator(FIRST_ROW).first().getAttribute('href') : null;
        if (address !== null && !looked.has(address)) {
          waiting.push(address);
          if (/\/show$/.test(address) && FORMS_OF_ROWS.test(address)) waiting.push(address.replace(/\/show$/, ''));
        }
        looked.add(path);
        await assertAccessible(true, own.page);
      }
      await own.close();
    };
    await Promise.all([lookAtPages(), lookAtPages()]);
    assert.ok(looked.size > lists.length + FORMS.length + 5, [...looked].join());
  }).timeout(10 * MINUTE_MS);
});
