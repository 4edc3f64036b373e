import assert from 'node:assert/strict';
import axe from 'axe-core';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { MINUTE_MS } from '../../domain/time.ts';
import { NARROW } from '../support/browser-page.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type ShopVisit, type VisitOptions, visitShop } from '../support/shop-visit.ts';
import { startDemoShop } from '../support/demo-shop.ts';
import { assertContains } from '../support/assert-contains.ts';
import { eventually } from '../support/eventually.ts';
import { intentPageOf } from '../support/envelopes.ts';
import { chargesOf } from '../support/ledger.ts';
import { INTENTS } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';
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

  async function enter(options?: VisitOptions): Promise<Page> {
    assert.ok(browser);
    visit = await visitShop(browser, options);
    return visit.page;
  }

  /** Accessibility violations that axe calls serious or critical. */
  async function seriousProblems(page: Page): Promise<readonly string[]> {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  it('pays with a card', async () => {
    await enter();
    await visit.subscribeFirst();
    await visit.choose('Card', 'Approved');
    await visit.pay();
    await visit.waitForMessage(PAID);
    await eventually(async () => assert.ok((await visit.events()).includes('payment-succeeded')));
  });

  it('reports a decline and accepts another card', async () => {
    await enter();
    await visit.subscribeFirst();
    await visit.choose('Card', 'Declined');
    await visit.pay();
    await visit.waitForMessage('Not paid');
    await visit.choose('Card', 'Approved');
    await visit.pay();
    await visit.waitForMessage(PAID);
    await eventually(async () => {
      const reported = (await visit.events()).filter((name) => /^(?:ready|payment-(?:failed|succeeded))/.test(name));
      assert.deepEqual(reported, ['ready', 'payment-failed CARD_DECLINED', 'payment-succeeded']);
    });
  });

  it('shows the error of an invalid input beside the input', async () => {
    const page = await enter();
    await visit.pay();
    assert.equal(await page.locator('#number').getAttribute('aria-invalid'), 'true');
    await visit.choose('Card', 'Approved');
    await page.locator('#number').fill('4242 4242 4242 4241');
    await visit.pay();
    await page.getByRole('alert').getByText('Please check the card number.').waitFor();
  });

  it('fails over to the second provider when the first one fails, and shows it', async () => {
    const page = await enter();
    await visit.choose('Card', 'Failover');
    await visit.pay();
    await visit.waitForMessage(PAID);
    await page.locator('#timeline').getByText(/beta/).first().waitFor();
  });

  for (const [decision, outcome] of [
    ['Approve', PAID],
    ['Refuse', 'Not paid'],
  ] as const) {
    it(`redirects to the bank and back: ${decision}`, async () => {
      const page = await enter();
      await visit.choose('Card', '3-D Secure');
      await visit.pay();
      await page.getByRole('button', { name: decision, exact: true }).click();
      await page.waitForURL(/\/demo/);
      await visit.waitForMessage(outcome);
    });
  }

  it("opens the bank's page in a popup, which closes by itself", async () => {
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
    await visit.waitForMessage(PAID);
    await closed;
  });

  /** Pays with a card of the test inputs that the shop may charge again, and begins the next order. */
  async function saveCard(page: Page, input: string): Promise<void> {
    await visit.choose('Card', input);
    const box = page.getByRole('checkbox', { name: /^Save this card at Lamp shop\. Lamp shop may also charge it/ });
    assert.equal(await box.isChecked(), false);
    await box.check();
    await visit.pay();
    if (input !== 'Approved') await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await visit.waitForMessage(PAID);
    await page.getByRole('button', { name: 'Buy another lamp' }).click();
    await page.getByRole('group', { name: 'Your saved cards' }).waitFor();
  }
  const code = (page: Page) => page.frameLocator('#code-frame iframe').getByLabel('Security code');

  it('saves a card, takes the next payment by it with one click and the security code, and removes it', async () => {
    const page = await enter();
    await saveCard(page, 'Approved');
    const card = page.getByRole('radio', { name: /^Visa ending in 4242/ });
    assert.ok(await card.isChecked());
    assert.equal(await page.getByLabel('Card number').isVisible(), false);
    assert.deepEqual(await page.frameLocator('#code-frame iframe').locator('input:visible').count(), 1);
    await code(page).waitFor();
    assert.deepEqual(await seriousProblems(page), []);
    await visit.pay();
    await page.frameLocator('#code-frame iframe').getByText('Enter the security code.').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.frame() === page.mainFrame()) sent.push(request.postData() ?? '');
    });
    await code(page).fill('1234');
    await visit.pay();
    await page.frameLocator('#code-frame iframe').getByText('The security code of this card has 3 digits.').waitFor();
    await code(page).fill('917');
    await code(page).press('Enter');
    await visit.waitForMessage(PAID);
    assert.ok(sent.some((body) => body.includes('"paymentMethodId":"pm_')));
    assert.ok(!sent.some((body) => /\b917\b|cvc/.test(body)));
    await page.getByRole('button', { name: 'Buy another lamp' }).click();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Remove Visa ending in 4242' }).click();
    await page.getByText('The card is removed.').waitFor();
    assert.equal(await page.getByRole('group', { name: 'Your saved cards' }).isVisible(), false);
    assert.ok(await page.getByLabel('Card number').isVisible());
  });

  it('lets the customer finish a renewal that the bank has declined without them', async () => {
    const page = await enter();
    await saveCard(page, 'Renewal needs you');
    // Without the customer it is charged by the provider's token, which the engine reads after the payment.
    await eventually(async () => {
      const { body } = await request({ method: 'GET', path: '/api/v1/payment-methods?limit=1' });
      assertContains(body, {
        data: [{ credentials: [{ kind: 'card' }, { kind: 'provider_token', status: 'active' }] }],
      });
    });
    await page.getByRole('button', { name: 'Charge my saved card without me' }).click();
    await visit.waitForMessage('Not paid');
    await page.getByText(/Your bank wants you to confirm this payment yourself/).waitFor();
    await code(page).fill('123');
    await visit.pay();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.waitForURL(/\/demo/);
    await visit.waitForMessage(PAID);
    const order = await page.locator('#order-number').textContent();
    const { data } = intentPageOf(await request({ method: 'GET', path: `${INTENTS}?limit=50` }));
    const [renewal, ...others] = data.filter(({ metadata }) => metadata.order === order);
    assert.deepEqual([renewal?.status, others.length], ['succeeded', 0]);
    assert.equal((await chargesOf(renewal?.id ?? '')).length, 1);
  });

  it("refuses a page what is another customer's, and what only the shop's server may do", async () => {
    const owner = await enter();
    await saveCard(owner, 'Approved');
    const own = await owner.getByRole('radio', { name: /^Visa/ }).inputValue();
    await visit.context.close();
    const page = await enter();
    await visit.choose('Card', 'Declined');
    await visit.pay();
    await visit.waitForMessage('Not paid');
    const answers = await page.evaluate<readonly string[]>(`(async () => {
      const { createCheckout } = await import('@payment-engine/checkout');
      const { data } = await (await fetch('/demo/order')).json();
      const checkout = createCheckout({ clientSecret: data.payment.clientSecret, baseUrl: data.apiUrl, storage: 'none' });
      const listed = await checkout.savedCards();
      const confirms = [
        { paymentMethodId: ${JSON.stringify(own)} },
        { paymentMethodId: ${JSON.stringify(own.replace(/.{4}$/, '0000'))} },
        { paymentMethodId: ${JSON.stringify(own)}, offSession: 'recurring' },
      ];
      const results = [];
      for (const body of confirms) {
        const { outcome, error } = await checkout.confirm(body);
        results.push([outcome, error.code, error.message].join(' '));
      }
      return [JSON.stringify(listed), ...results];
    })()`);
    const [listed, ofOther, ofNobody, alone] = answers;
    assert.equal(listed, '{"cards":[],"error":null}');
    assert.match(ofOther ?? '', /^refused INVALID_PAYMENT_METHOD /);
    assert.equal(ofOther, ofNobody);
    assert.match(alone ?? '', /^refused VALIDATION_ERROR /);
  });

  it('waits for the approval of a UPI payment', async () => {
    const page = await enter();
    await visit.choose('UPI', 'Pending');
    await visit.pay();
    await visit.waitForMessage('Approve in your UPI app');
    await page.getByRole('button', { name: 'Approve' }).click();
    await visit.waitForMessage(PAID);
  });

  it('shows the link and the QR code of a UPI payment', async () => {
    const page = await enter();
    await visit.choose('UPI', 'Link or QR code');
    await visit.pay();
    await page.getByRole('img', { name: /QR code for your UPI app/ }).waitFor();
    const link = await page.getByRole('link', { name: 'Open my UPI app' }).getAttribute('href');
    const fields = new URLSearchParams(link?.replace(/^upi:\/\/pay\?/, ''));
    assert.deepEqual([fields.get('am'), fields.get('cu')], ['4500.00', 'INR']);
    await page.getByRole('button', { name: 'Approve' }).click();
    await visit.waitForMessage(PAID);
    await page.getByRole('region', { name: 'Receipt' }).getByText('UPI', { exact: true }).waitFor();
  });

  it('shows the address of a deposit, and succeeds when the deposit is confirmed', async () => {
    const page = await enter();
    await visit.subscribeFirst();
    await visit.choose('Crypto', 'Confirmed');
    // The customer of the sandbox makes the deposit after a second, so the page itself looks for the code in each frame.
    const shown = page.evaluate(`new Promise((resolve) => {
      const look = () =>
        document.querySelector('[role=img][aria-label*="QR code"]') === null ? requestAnimationFrame(look) : resolve();
      look();
    })`);
    await visit.pay();
    await shown;
    await visit.waitForMessage(PAID);
  });

  it('brings a decline into view, and into focus', async () => {
    const page = await enter({ size: NARROW });
    await visit.choose('Card', 'Declined');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await visit.pay();
    await visit.waitForMessage('Not paid');
    assert.equal(await page.locator(':focus').getAttribute('role'), 'alert');
    const { y = -1, height = 0 } = (await page.locator('#status').boundingBox()) ?? {};
    assert.ok(y >= 0 && y + height <= NARROW.height, `at ${y}`);
  });

  it('cancels a deposit, and pays the same order another way', async () => {
    const page = await enter();
    const number = await page
      .locator('#order-number')
      .getByText(/^LAMP-/)
      .textContent();
    await visit.choose('Crypto', 'Unpaid');
    await visit.pay();
    await page.getByText(/^Time left: (30:00|29:\d\d)$/).waitFor();
    await page
      .getByText(/^Send exactly .* If another amount arrives, or it arrives late, the order is not paid/)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel and pay another way' }).click();
    await visit.waitForMessage('Canceled');
    await visit.choose('Card', 'Approved');
    await visit.pay();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.getByText(number ?? '').waitFor();
    await receipt.getByText('€49.00').waitFor();
    await page.getByRole('button', { name: 'Buy another lamp' }).click();
    await page.locator('#form').waitFor();
    assert.notEqual(await page.locator('#order-number').textContent(), number);
  });

  it('explains a failed deposit, also after a reload', async () => {
    const page = await enter();
    await visit.choose('Crypto', 'Underpaid');
    await visit.pay();
    const explanation =
      /^Less arrived than was asked for\. 0\.\d+ of 0\.\d+ BTC came in\. .* LAMP-.* transaction \w+\.$/;
    await page.getByRole('alert').getByText(explanation).waitFor();
    await page.reload();
    await page.getByRole('alert').getByText(explanation).waitFor();
  });

  it("goes on with a payment after a restart of the shop's server", async () => {
    const page = await enter();
    await visit.choose('UPI', 'Pending');
    await visit.pay();
    await visit.waitForMessage('Approve in your UPI app');
    const number = await page.locator('#order-number').textContent();
    const restarted = await startDemoShop();
    try {
      await page.goto(restarted.url);
      await visit.waitForMessage('Approve in your UPI app');
      assert.equal(await page.locator('#order-number').textContent(), number);
    } finally {
      restarted.close();
    }
  });

  it('goes on with what another tab has begun', async () => {
    const page = await enter();
    const other = await visit.context.newPage();
    await other.goto(page.url());
    await other.locator('#form').waitFor();
    await visit.choose('UPI', 'Pending');
    await visit.pay();
    await visit.waitForMessage('Approve in your UPI app');
    await other.getByRole('button', { name: /^Approved/ }).click();
    await other.getByRole('button', { name: /^Pay / }).click();
    await other.getByText('Approve in your UPI app').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await visit.waitForMessage(PAID);
    await other.getByText(PAID).waitFor();
  });

  it('reconnects as soon as the network is back', async () => {
    const page = await enter();
    await visit.choose('UPI', 'Pending');
    await visit.pay();
    await visit.waitForMessage('Approve in your UPI app');
    await visit.context.setOffline(true);
    await page.getByText('The connection is lost.').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The shop cannot be reached. Please try again.', { exact: true }).waitFor();
    await visit.context.setOffline(false);
    await page.locator('#connection[data-state="connected"]').waitFor();
    await page.getByText('The connection is lost.').waitFor({ state: 'hidden' });
  });

  it('can be used with the keyboard alone', async () => {
    const page = await enter();
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.locator('#form').waitFor();
    await press('Tab', 'Enter');
    await page.locator('#pay-heading:focus').waitFor();
    await press('Tab', 'ArrowRight', 'Tab');
    await page.keyboard.type('pending@upi');
    await press('Enter');
    await visit.waitForMessage('Approve in your UPI app');
    await press('Tab');
    assert.equal(await page.locator(':focus').textContent(), 'Open my UPI app');
    await press('Tab');
    assert.equal(await page.locator(':focus').textContent(), 'Approve');
    await press('Enter');
    await visit.waitForMessage(PAID);
    await press('Tab', 'Enter');
    assert.equal(await page.locator(':focus').textContent(), 'Payment');
    await page.locator('#form').waitFor();
    await press('Tab', 'ArrowLeft');
    assert.equal(await page.getByRole('radio', { name: 'Card' }).isChecked(), true);
  });

  it('leaves the keyboard where it is when the events come after the response', async () => {
    const page = await enter();
    let delivered = Promise.resolve();
    await page.routeWebSocket(/\/events\/socket$/, (socket) => {
      socket.connectToServer().onMessage((frame) => void delivered.then(() => socket.send(frame)));
    });
    await visit.subscribeFirst();
    const untilEvent = (name: string) => eventually(async () => assert.equal((await visit.events()).at(-1), name));
    await visit.choose('Card', 'Declined');
    await visit.pay();
    await untilEvent('payment-failed CARD_DECLINED');
    let deliver: () => void = () => undefined;
    delivered = new Promise((resolve) => (deliver = resolve));
    await visit.choose('UPI', 'Pending');
    await visit.pay();
    const link = page.getByRole('link', { name: 'Open my UPI app' });
    await link.focus();
    deliver();
    await untilEvent('payment-requires-action');
    assert.equal(await link.evaluate((element) => element.matches(':focus')), true);
  });

  it('refuses to pay on a page without HTTPS, and throws nothing', async () => {
    const page = await enter();
    const sdk = await (await fetch(`${getStack().sandbox.baseUrl}/sdk/checkout/v1/checkout.js`)).text();
    await page.route('http://shop.example/**', (route) =>
      route.request().url().endsWith('/checkout.js')
        ? route.fulfill({ contentType: 'text/javascript', body: sdk })
        : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shop</title>' }),
    );
    await page.goto('http://shop.example/');
    const result = await page.evaluate(`(async () => {
      const { createCheckout } = await import('/checkout.js');
      const checkout = createCheckout({ clientSecret: 'pi_${'2b'.repeat(16)}_secret_${'K'.repeat(48)}' });
      const confirming = checkout.confirm({ paymentMethod: { type: 'upi', upi: {} } });
      checkout.close();
      const { outcome, error } = await confirming;
      return [outcome, error.code];
    })()`);
    assert.deepEqual(result, ['refused', 'INSECURE_PAGE']);
  });

  it('works even if every listener of the page throws', async () => {
    const page = await enter();
    assert.deepEqual(await page.evaluate<unknown>(PAGE_OF_ANOTHER_SHOP), {
      outcomes: ['declined', 'succeeded'],
      statusBefore: 'requires_payment_method',
      notified: ['payment-processing', 'payment-failed', 'payment-processing', 'payment-succeeded'],
      notifiedAfterClose: [],
    });
  });

  for (const [screen, options] of [
    ['wide', {}],
    ['small and dark', { size: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ] as const) {
    it(`has no serious accessibility violations on a ${screen} screen`, async () => {
      const page = await enter(options);
      assert.deepEqual(await seriousProblems(page), []);
      await visit.choose('Crypto', 'Unpaid');
      await visit.pay();
      await page.getByRole('img', { name: /QR code/ }).waitFor();
      assert.deepEqual(await seriousProblems(page), []);
      await page.getByRole('button', { name: 'Cancel and pay another way' }).click();
      await visit.waitForMessage('Canceled');
      await visit.choose('Card', 'Declined');
      await visit.pay();
      await visit.waitForMessage('Not paid');
      assert.deepEqual(await seriousProblems(page), []);
      await visit.choose('Card', 'Approved');
      await visit.pay();
      await page.getByRole('region', { name: 'Receipt' }).waitFor();
      assert.deepEqual(await seriousProblems(page), []);
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await page.evaluate<number>(overflow), 0);
    });
  }
});

/** A page with broken listeners: each of them throws. */
const PAGE_OF_ANOTHER_SHOP = `(async () => {
  const { createCheckout } = await import('@payment-engine/checkout');
  const ask = async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json' };
    return (await (await fetch(path, { method, headers, body })).json()).data;
  };
  const begin = async () => {
    const { number, apiUrl } = await ask('POST', '/demo/order/next', '{}');
    const { clientSecret } = await ask('PUT', '/demo/orders/' + number + '/payment', '{"method": "card"}');
    const checkout = createCheckout({ clientSecret, baseUrl: apiUrl });
    const notified = [];
    // The SDK does not notify of an event that comes before the connection.
    const connected = new Promise((resolve) => checkout.on('connection', ({ state }) => state === 'connected' && resolve()));
    for (const name of ['payment-processing', 'payment-failed', 'payment-succeeded', 'connection', 'frame']) {
      checkout.on(name, () => { throw new Error('a mistake in the page'); });
      checkout.on(name, async () => { throw new Error('another one'); });
      checkout.on(name, ({ type }) => type.startsWith('payment-') && notified.push(type));
    }
    await connected;
    return { checkout, notified };
  };
  const pay = async (checkout, number) => {
    const card = { number, expiryMonth: 12, expiryYear: 2030, cvc: '123' };
    return (await checkout.confirm({ paymentMethod: { type: 'card', card } })).outcome;
  };
  const { checkout, notified } = await begin();
  const paid = new Promise((resolve) => checkout.on('payment-succeeded', resolve));
  const statusBefore = (await checkout.status()).status;
  const outcomes = [await pay(checkout, '4000000000000002'), await pay(checkout, '4242424242424242')];
  await paid;
  const closed = await begin();
  closed.checkout.close();
  await pay(closed.checkout, '4242424242424242');
  return { outcomes, statusBefore, notified, notifiedAfterClose: closed.notified };
})()`;
