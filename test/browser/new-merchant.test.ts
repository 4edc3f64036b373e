import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { createStaff, dashboardOfStack, linkInMail, totpCode } from '../support/dashboard.ts';
import { type DashboardPage, openDashboardPage } from '../support/dashboard-page.ts';
import { failureOf } from '../support/envelopes.ts';
import { redeliver, sendFailingTestEvent } from '../support/failing-endpoint.ts';
import { createPayment, INTENTS, type Payment } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';
import { getStack } from '../support/stack.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { eventually } from '../support/eventually.ts';

const PASSWORD = 'tortoise ladder violet';
const SHOP = 'Shop of a new merchant';
/** A page of an account, with its environment. */
const PLACE = /\/sandbox\/mer_\w+/;
const REASON = 'Chargebacks above the limit. Write to risk@platform.example.';
const refusal = z.object({ error: z.object({ code: z.string() }) });
const meSchema = z.object({ data: z.object({ merchant: z.object({ id: z.string() }) }) });

describe('a new merchant at the dashboard', function () {
  this.timeout(10 * MINUTE_MS);
  let browser: Browser;
  let receiver: WebhookReceiver;
  let people: DashboardPage[];

  before(async () => {
    browser = await launchChromium(findChromium() ?? '');
    receiver = await startReceiver();
  });
  after(async () => {
    await browser?.close();
    await receiver?.close();
  });
  afterEach(() => Promise.all(people.map((person) => person.close())));

  async function newPerson(): Promise<DashboardPage> {
    const person = await openDashboardPage(browser);
    people.push(person);
    return person;
  }

  it('begins, gets paid and refunds, is told by webhooks, keeps the key safe, lets a reader in, and cannot undo a suspension', async () => {
    people = [];
    const owner = await newPerson();
    const email = `${randomUUID()}@example.com`;
    await signUp(owner, email);
    const home = await turnOnSecondFactor(owner, email);
    const key = await createKey(owner, home);
    const payment = await payOnce(owner, home, key);
    await refundPart(owner);
    await sendFailingWebhook(owner, home);
    const newKey = await rotateKey(owner, home, key);
    await restrictToAddress(owner, newKey);
    await inviteReader(owner, home, payment);
    await suspendByStaff(owner, home, key);
  });

  async function signUp(person: DashboardPage, email: string): Promise<void> {
    const { page, fill, button, heading } = person;
    await page.goto('/sign-up');
    await heading('Sign up').waitFor();
    const answers = { 'Your name': 'Ada', 'Name of your company': SHOP, 'E-mail': email };
    await fill({ ...answers, Password: 'password1234' });
    await button('Sign up').click();
    await page.getByText('much like a common password').waitFor();
    await fill({ Password: PASSWORD });
    await button('Sign up').click();
    await heading('Check your mail').waitFor();
    await page.goto((await linkInMail(email, 'Confirm')).href);
    await page.getByText('Your e-mail address is confirmed').waitFor();
    await signIn(person, email);
    await page.waitForURL(PLACE);
  }

  async function signIn({ fill, button }: DashboardPage, email: string): Promise<void> {
    await fill({ 'E-mail': email, Password: PASSWORD });
    await button('Sign in').click();
  }

  /** @returns the first part of the addresses of the account's pages */
  async function turnOnSecondFactor(person: DashboardPage, email: string): Promise<string> {
    const { context, page, fill, button, inDialog, heading, shownSecret } = person;
    const home = PLACE.exec(page.url())?.[0] ?? '';
    await page.goto(`${home}/security`);
    await heading('My security').waitFor();
    await button('Set up').click();
    await fill({ 'Your password': PASSWORD });
    await inDialog('Go on').click();
    const secret = await shownSecret(/^[A-Z2-7]{16,}$/);
    const code = () => totpCode(`otpauth://totp/x?secret=${secret}`);
    await fill({ Code: code() });
    await inDialog('Turn on').click();
    await button('I have copied it').click();
    await page.getByText('Signing in takes a code').waitFor();
    await context.clearCookies();
    await page.goto('/sign-in');
    await signIn(person, email);
    await heading('Enter your code').waitFor();
    await fill({ Code: code() });
    await button('Sign in').click();
    await page.waitForURL(PLACE);
    return home;
  }

  async function createKey(person: DashboardPage, home: string): Promise<Credentials> {
    const { page, fill, button, inDialog } = person;
    await page.goto(`${home}/api-keys`);
    await button('Create API key').click();
    await fill({ Name: 'Key of the shop' });
    await button('All').click();
    await inDialog('Create API key').click();
    return readKey(person);
  }

  /** The key in the dialog that shows it once, which is then closed. */
  async function readKey({ page, button }: DashboardPage): Promise<Credentials> {
    const shown = page.getByRole('dialog').locator('code');
    await shown.nth(1).waitFor();
    const [apiKey = '', secretSalt = ''] = await shown.allTextContents();
    await button('I have copied it').click();
    return { baseUrl: getStack().sandbox.baseUrl, apiKey, secretSalt, signatureVersion: 2 };
  }

  async function payOnce({ page, heading }: DashboardPage, home: string, key: Credentials): Promise<Payment> {
    const terms = { currency: 'EUR', confirm: true, paymentMethod: card('approved') };
    const payment = await createPayment(terms, key);
    await payment.reach('succeeded');
    await page.goto(`${home}/payment-intents`);
    await heading('Payments').waitFor();
    await page.locator(`a[href$="/payment-intents/${payment.id}/show"]`).click();
    await heading('Payment of EUR 19.99').waitFor();
    return payment;
  }

  async function refundPart({ page, fill, button, inDialog }: DashboardPage): Promise<void> {
    await button('Refund').click();
    await fill({ 'Amount (EUR)': '5.00' });
    await inDialog('Refund').click();
    const refunds = page.getByRole('region', { name: 'Refunds' });
    await refunds.getByText('EUR 5.00').waitFor();
    await refunds.getByText('Succeeded').waitFor();
  }

  async function sendFailingWebhook(person: DashboardPage, home: string): Promise<void> {
    await person.page.goto(`${home}/webhook-endpoints`);
    await sendFailingTestEvent(person, receiver);
    await redeliver(person, receiver);
  }

  async function rotateKey(person: DashboardPage, home: string, old: Credentials): Promise<Credentials> {
    const { page, button, inDialog, heading } = person;
    await page.goto(`${home}/api-keys`);
    await page
      .getByRole('row', { name: /Key of the shop/ })
      .getByRole('link')
      .click();
    await heading('Key of the shop').waitFor();
    await button('Rotate').click();
    await inDialog('Rotate').click();
    const key = await readKey(person);
    assert.notEqual(key.apiKey, old.apiKey);
    for (const each of [key, old]) assert.equal((await request({ method: 'GET', path: INTENTS }, each)).status, 200);
    return key;
  }

  /** From the page of the rotated key to that of its replacement. */
  async function restrictToAddress({ page, button, heading }: DashboardPage, key: Credentials): Promise<void> {
    await page.locator('main a[href*="/api-keys/key_"][href$="/show"]').first().click();
    await page.getByText(key.apiKey.slice(0, 12)).first().waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await heading('Edit API key').waitFor();
    await page.getByLabel('Only from these addresses').check();
    const addresses = page.getByLabel('IP addresses and ranges');
    await addresses.fill('203.0.113.7');
    await addresses.press('Enter');
    await button('Save').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await heading('Key of the shop').waitFor();
    await page.getByText('203.0.113.7').first().waitFor();
    assert.equal(failureOf(await request({ method: 'GET', path: INTENTS }, key)).code, 'IP_NOT_WHITELISTED');
  }

  async function inviteReader(owner: DashboardPage, home: string, payment: Payment): Promise<void> {
    const email = `${randomUUID()}@example.com`;
    await owner.page.goto(`${home}/team-members`);
    await owner.button('Invite').click();
    await owner.fill({ 'E-mail': email });
    await owner.inDialog('Invite').click();
    await owner.page.getByText(email).first().waitFor();

    const reader = await newPerson();
    await join(reader, email);
    await reader.page.goto(`${home}/payment-intents/${payment.id}/show`);
    await reader.heading('Payment of EUR 19.99').waitFor();
    await reader.page.waitForLoadState('networkidle');
    for (const name of ['Refund', 'Cancel payment', 'Capture'])
      assert.equal(await reader.button(name).count(), 0, name);
    const changes = [
      ['POST', 'refunds', { paymentIntentId: payment.id, amount: 100 }],
      ['POST', 'api-keys', { name: 'Key', scopes: ['payment-intents:read'] }],
      ['POST', 'invitations', { email, role: 'owner' }],
      ['DELETE', `team-members/${payment.id}`, {}],
    ] as const;
    for (const [method, path, data] of changes) {
      const headers = { Origin: dashboardOfStack().url };
      const answer = await reader.context.request.fetch(`/api/v1/${path}`, { method, headers, data });
      assert.equal(refusal.parse(await answer.json()).error.code, 'INSUFFICIENT_PERMISSIONS', path);
    }
  }

  /** Staff suspend the merchant, whose key and owner are then refused whatever they try. */
  async function suspendByStaff(owner: DashboardPage, home: string, key: Credentials): Promise<void> {
    const staff = await newPerson();
    const { page, fill, button, inDialog, heading } = staff;
    await staff.takeSession(await createStaff());
    await page.goto('/console');
    await heading('Merchants').waitFor();
    await fill({ 'Name, ID or e-mail': home.split('/')[2] ?? '' });
    // Until the other merchants are gone, a row may move away under the mouse.
    await eventually(async () => assert.equal(await page.getByRole('row').count(), 2));
    await page.getByRole('cell', { name: SHOP }).click();
    await heading(SHOP).waitFor();
    await button('Suspend').click();
    await page.getByRole('dialog').getByRole('textbox').fill(REASON);
    await inDialog('Suspend merchant').click();
    await page.getByText(/Suspended by the platform since/).waitFor();

    assert.equal(failureOf(await request({ method: 'GET', path: INTENTS }, key)).code, 'MERCHANT_SUSPENDED');
    await owner.page.goto(`${home}/payment-intents`);
    await owner.page.getByText(REASON).waitFor();
    await owner.page.getByText('EUR 19.99').first().waitFor();
    await owner.page.goto(`${home}/customers/create`);
    await owner.fill({ 'E-mail': 'buyer@example.com' });
    await owner.button('Save').click();
    await owner.page.getByText(/merchant account is suspended/).waitFor();
    await assertCannotLift(owner, home);
    await page.reload();
    await page.getByText(/Suspended by the platform since/).waitFor();
  }

  async function assertCannotLift(owner: DashboardPage, home: string): Promise<void> {
    const [, environment = '', account = ''] = home.split('/');
    const { data: me } = meSchema.parse(await (await owner.context.request.get('/api/v1/me')).json());
    const lift = { suspended: false, reason: 'It was a mistake.' };
    const tries = [
      ['POST', `merchants/${account}/activate`, {}, 'MERCHANT_SUSPENDED'],
      ['PUT', `platform/merchants/${me.merchant.id}/suspension`, lift, 'INSUFFICIENT_PERMISSIONS'],
    ] as const;
    for (const [method, path, data, code] of tries) {
      const headers = { Origin: dashboardOfStack().url, 'X-Merchant-ID': account, 'X-Environment': environment };
      const answer = await owner.context.request.fetch(`/api/v1/${path}`, { method, headers, data });
      assert.equal(refusal.parse(await answer.json()).error.code, code, path);
    }
  }

  async function join(reader: DashboardPage, email: string): Promise<void> {
    const { page, fill, button } = reader;
    await page.goto((await linkInMail(email, 'Join the team')).href);
    await fill({ 'Your name': 'Grace', Password: PASSWORD });
    await button('Sign up and join').click();
    await page.waitForURL(PLACE);
  }
});
