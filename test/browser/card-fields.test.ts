import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import axe from 'axe-core';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { CARD_NUMBERS } from '../../sandbox/test-payment-methods.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type ShopVisit, type VisitOptions, visitShop } from '../support/shop-visit.ts';
import { demoUrl } from '../support/demo-shop.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf } from '../support/ledger.ts';
import { type Intent, intentPageOf } from '../support/envelopes.ts';
import { INTENTS } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';
import { getStack } from '../support/stack.ts';
import { closeServer, listenLocally, portOf } from '../support/local-server.ts';

const PAID = 'Paid. Thank you!';
const CVC = '123';
const YEAR = String(new Date().getUTCFullYear() + 3).slice(2);

interface Typed {
  readonly number?: string;
  readonly expiry?: string;
  readonly code?: string;
}

/** Records every message that reaches the page, over its window and over the ports that it creates. */
const RECORD_MESSAGES = `
  window.recorded = [];
  const record = ({ data }) => { try { window.recorded.push(JSON.stringify(data)); } catch { window.recorded.push(String(data)); } };
  if (window === window.top) {
    window.addEventListener('message', record, true);
    const { port1 } = new MessageChannel();
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(port1), 'onmessage');
    Object.defineProperty(Object.getPrototypeOf(port1), 'onmessage', {
      ...own,
      set(listener) { own.set.call(this, (event) => { record(event); listener.call(this, event); }); },
    });
  }
`;

describe('the card fields in a browser', function () {
  this.timeout(2 * MINUTE_MS);
  let browser: Browser | undefined;
  let visit: ShopVisit;
  let fields: FrameLocator;

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
    await visit.page.getByLabel(/Card fields of the engine/).check();
    fields = visit.page.frameLocator('#card-frame iframe');
    await fields.locator('label:not(:empty)').first().waitFor();
    return visit.page;
  }

  const inputOf = (name: keyof Typed) => fields.locator(`#${name}`);

  async function type({ number = CARD_NUMBERS.approved, expiry = `12${YEAR}`, code = CVC }: Typed = {}): Promise<void> {
    await inputOf('number').fill(number);
    await inputOf('expiry').fill(expiry);
    await inputOf('code').fill(code);
  }

  async function intentsOfOrder(page: Page): Promise<readonly Intent[]> {
    const order = await page.locator('#order-number').textContent();
    const { data } = intentPageOf(await request({ method: 'GET', path: `${INTENTS}?limit=50` }));
    return data.filter(({ metadata }) => metadata.order === order);
  }

  it('pay by card, and the page never has the number', async () => {
    assert.ok(browser);
    const page = await enter({ initScript: RECORD_MESSAGES });
    // Not one of those that the shop offers as test inputs.
    await type({ number: '5555555555554444', expiry: '', code: '' });
    await inputOf('expiry').pressSequentially(`12${YEAR}`);
    await inputOf('code').fill(CVC);
    assert.equal(await inputOf('number').inputValue(), '5555 5555 5555 4444');
    assert.equal(await inputOf('expiry').inputValue(), `12/${YEAR}`);
    assert.equal(await fields.locator('#brand').textContent(), 'Mastercard');
    const requests: string[] = [];
    page.on('request', (sent) => {
      if (sent.frame() === page.mainFrame()) requests.push(`${sent.url()} ${sent.postData() ?? ''}`);
    });
    await visit.pay();
    await visit.waitForMessage(PAID);
    const recorded = await page.evaluate<readonly string[]>('window.recorded');
    assert.ok(
      recorded.some((message) => message.includes('"stored"')),
      recorded.join('\n'),
    );
    assert.ok(requests.some((sent) => sent.includes('/confirm') && sent.includes('pm_')));
    const ofPage = [...recorded, ...requests, await page.content(), await page.evaluate<string>(READABLE_BY_PAGE)];
    for (const text of ofPage) assert.doesNotMatch(text.replaceAll(/[ -]/g, ''), /55555555/);
  });

  it('accept another card after a decline, and say why in the chosen language', async () => {
    await enter({ url: `${demoUrl()}?language=de` });
    await fields.getByLabel('Kartennummer').waitFor();
    await type({ number: CARD_NUMBERS.expired });
    await visit.pay();
    await visit.page.getByText('Diese Karte ist abgelaufen. Verwenden Sie eine andere Karte.').waitFor();
    await type();
    await inputOf('code').press('Enter');
    await visit.waitForMessage(PAID);
  });

  it('say that 3-D Secure was refused', async () => {
    const page = await enter();
    await type({ number: CARD_NUMBERS.threeDSecure });
    await visit.pay();
    await page.getByRole('button', { name: 'Refuse', exact: true }).click();
    await page.waitForURL(/\/demo/);
    await visit.waitForMessage('Not paid');
    await page.getByText(/was not confirmed with your bank \(3-D Secure\)/).waitFor();
  });

  it('say at each field what is wrong, before anything is sent', async () => {
    const page = await enter();
    const sent: string[] = [];
    page.on('request', (request) => void sent.push(request.url()));
    await type({ number: '4242424242424241', expiry: '0120', code: '12' });
    await visit.pay();
    for (const [name, message] of [
      ['number', 'Check the card number.'],
      ['expiry', 'This card has expired.'],
      ['code', 'The security code of this card has 3 digits.'],
    ] as const) {
      await fields.locator(`#${name}[aria-invalid="true"]`).waitFor();
      const id = await inputOf(name).getAttribute('aria-describedby');
      await fields
        .locator(`#${id ?? ''}`)
        .getByText(message)
        .waitFor();
    }
    await fields.locator('#number:focus').waitFor();
    assert.deepEqual(sent, []);
  });

  it('are labelled in the chosen language, and in English for an unknown one', async () => {
    const page = await enter();
    for (const [language, label] of [
      ['de-AT', 'Kartennummer'],
      ['es', 'Número de tarjeta'],
      ['hi', 'कार्ड नंबर'],
      ['xx', 'Card number'],
    ] as const) {
      await page.evaluate(`(async () => {
        const { createCardFields } = await import('@payment-engine/checkout');
        const place = document.body.appendChild(document.createElement('div'));
        place.id = 'in-${language}';
        createCardFields({ language: '${language}' }).mount(place);
      })()`);
      await page.frameLocator(`#in-${language} iframe`).getByLabel(label).waitFor();
    }
  });

  it('stay side by side where a label needs two lines', async () => {
    const page = await enter();
    await page.evaluate(`(async () => {
      const { createCardFields } = await import('@payment-engine/checkout');
      const place = document.body.appendChild(document.createElement('div'));
      place.id = 'narrow';
      place.style.width = '250px';
      createCardFields({ language: 'de' }).mount(place);
    })()`);
    const german = page.frameLocator('#narrow iframe');
    await german.getByLabel('Sicherheitscode').waitFor();
    await eventually(async () => {
      const expiry = await german.locator('#expiry').boundingBox();
      const code = await german.locator('#code').boundingBox();
      assert.equal(expiry?.y, code?.y);
    });
  });

  it('charge an order once, even if the page is reloaded while it pays', async () => {
    const page = await enter();
    await type();
    await visit.pay();
    // A request that the page has only just sent may still be dropped by the reload.
    await eventually(async () => {
      const statuses = (await intentsOfOrder(page)).map(({ status }) => status);
      assert.ok(statuses.some((status) => status !== 'requires_payment_method'));
    });
    await page.reload();
    await visit.waitForMessage(PAID);
    const charges = await Promise.all((await intentsOfOrder(page)).map(({ id }) => chargesOf(id)));
    assert.equal(charges.flat().length, 1);
  });

  it('pay once they have loaded, if the customer pressed Pay before', async () => {
    assert.ok(browser);
    visit = await visitShop(browser);
    const { page } = visit;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/card-fields[^/]*\.js/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByLabel(/Card fields of the engine/).check();
    fields = page.frameLocator('#card-frame iframe');
    await type();
    await visit.pay();
    release();
    await visit.waitForMessage(PAID);
  });

  it('can be used with the keyboard alone', async () => {
    const page = await enter();
    await page.getByLabel(/Card fields of the engine/).focus();
    await page.keyboard.press('Tab');
    for (const text of [CARD_NUMBERS.approved, `12${YEAR}`, CVC]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await visit.waitForMessage(PAID);
  });

  it('take variables of a theme, but no other CSS', async () => {
    const page = await enter();
    const warned: string[] = [];
    page.on('console', (message) => void warned.push(message.text()));
    await page.evaluate(`(async () => {
      const { createCardFields } = await import('@payment-engine/checkout');
      const place = document.createElement('div');
      place.id = 'themed';
      document.body.append(place);
      createCardFields({
        theme: {
          '--text': '#0a0b0c',
          '--border': 'red; background: url(https://thief.example/)',
          '--error': 'url(https://thief.example/)',
          '--font-family': 'x; } body { display: none',
          '--unknown': '#fff',
          'position': 'fixed',
        },
      }).mount(place);
    })()`);
    const themed = page.frameLocator('#themed iframe');
    await themed.getByLabel('Card number').waitFor();
    const root = themed.locator('html');
    assert.equal(await root.getAttribute('style'), '--text: #0a0b0c;');
    // The page hears of it after the frame has changed.
    await eventually(async () =>
      assert.match(warned.join(' '), /--border, --error, --font-family, --unknown, position/),
    );
  });

  it('listen to the page that embeds them, and to nobody else', async () => {
    const page = await enter();
    const address = (await page.locator('#card-frame iframe').getAttribute('src')) ?? '';
    await page.evaluate<unknown>(`new Promise((resolve) => {
      const add = (src) => Object.assign(document.body.appendChild(document.createElement('iframe')), { src });
      add('about:blank').id = 'sibling';
      const fields = add('${address}');
      fields.id = 'unconnected';
      fields.onload = resolve;
    })`);
    const { origin } = new URL(address);
    const sibling = await (await page.locator('#sibling').elementHandle())?.contentFrame();
    assert.ok(sibling);
    await sibling.evaluate(connectAs('parent.document.querySelector("#unconnected").contentWindow', origin));
    const ofPage = connectAs('document.querySelector("#unconnected").contentWindow', origin);
    await page.evaluate(ofPage);
    const isAnswered = (script: string) => eventually(async () => assert.ok(await page.evaluate<boolean>(script)));
    await isAnswered('window.answers.some((answer) => answer.includes("validated"))');
    // A second port is refused, also from the page: a script that comes later cannot take the fields over.
    await page.evaluate('window.first = window.answers');
    await page.evaluate(ofPage);
    await page.evaluate('window.firstPort.postMessage({ type: "validate", requestId: 7 })');
    await isAnswered('window.first.some((answer) => answer.includes("7"))');
    assert.deepEqual(await page.evaluate('window.answers'), []);
    assert.deepEqual(await sibling.evaluate('window.answers'), []);
  });

  it('are served to frames of secure pages only', async () => {
    const page = await enter();
    const { baseUrl } = getStack().sandbox;
    const response = await fetch(`${baseUrl}/sdk/checkout/v1/card-fields`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /default-src 'none'.*connect-src 'self'.*frame-ancestors https: http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*/,
    );
    const hostile = await startPage(`<iframe src="${baseUrl}/sdk/checkout/v1/card-fields"></iframe>`);
    try {
      const port = portOf(hostile);
      const other = await visit.context.newPage();
      // A name of this machine that the policy does not have.
      await other.goto(`http://insecure.localhost:${port}/`);
      const framed = other.frames().find((frame) => frame !== other.mainFrame());
      assert.doesNotMatch(framed?.url() ?? '', /card-fields/);
      assert.equal(await other.frameLocator('iframe').locator('#number').count(), 0);
    } finally {
      await closeServer(hostile);
    }
    await page.bringToFront();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`have no accessibility violations in ${colorScheme} colors, at the width of a phone and of a desktop`, async () => {
      const page = await enter({ colorScheme });
      await type({ number: '4242', code: '' });
      await visit.pay();
      await fields.getByText('Enter the security code.').waitFor();
      for (const frame of page.frames()) await frame.evaluate(axe.source);
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await eventually(async () => {
          for (const frame of page.frames())
            assert.deepEqual(await frame.evaluate(OVERFLOW), [0, frame.parentFrame() === null ? null : 0]);
        });
        for (const frame of page.frames()) {
          const { violations } = await frame.evaluate<axe.AxeResults>(RUN_AXE);
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
          assert.deepEqual(found, []);
        }
      }
    });
  }
});

/** By how much a document is wider than its window, and that of a frame higher. */
const OVERFLOW = `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
  scrollWidth - clientWidth,
  window === window.top ? null : scrollHeight - clientHeight,
])(document.documentElement)`;

/** Each document alone; that of a frame needs no heading of its own. */
const RUN_AXE = `axe.run(document, {
  iframes: false,
  rules: { 'page-has-heading-one': { enabled: window === window.top } },
})`;

/** All that a script of the page can read: its globals, its storage, and the document of the frame. */
const READABLE_BY_PAGE = `(() => {
  const seen = new Set();
  const texts = [JSON.stringify({ ...localStorage, ...sessionStorage }), document.cookie];
  const visit = (value, depth) => {
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null || seen.has(value) || depth > 4 || value instanceof Node) return;
    seen.add(value);
    for (const key of Object.keys(value)) try { visit(value[key], depth + 1); } catch {}
  };
  visit(window, 0);
  for (const input of document.querySelectorAll('input')) texts.push(input.value);
  const frame = document.querySelector('#card-frame iframe');
  try { texts.push(frame.contentDocument.body.textContent + frame.contentWindow.document.querySelector('input').value); } catch {}
  return texts.join('\\n');
})()`;

/** A script that passes card fields a port, asks them something over it, and keeps what they answer in `window.answers`. */
function connectAs(fields: string, origin: string): string {
  return `(() => {
    const { port1, port2 } = new MessageChannel();
    const answers = [];
    window.answers = answers;
    window.firstPort ??= port1;
    port1.onmessage = ({ data }) => answers.push(JSON.stringify(data));
    ${fields}.postMessage('payment-engine:card-fields:1', '${origin}', [port2]);
    port1.postMessage({ type: 'validate', requestId: 1 });
  })()`;
}

async function startPage(html: string): Promise<Server> {
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await listenLocally(server);
  return server;
}
