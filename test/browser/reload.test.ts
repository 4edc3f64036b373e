import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import PQueue from 'p-queue';
import type { Browser, Locator } from 'playwright-core';
import { isTerminal } from '../../domain/payment-state.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type ShopVisit, visitShop } from '../support/shop-visit.ts';
import { demoUrl } from '../support/demo-shop.ts';
import { type Intent, intentPageOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf } from '../support/ledger.ts';
import { INTENTS } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';

type Method = Parameters<ShopVisit['choose']>[0];

/** Brings a visit to a moment of the checkout. */
type Reach = (visit: ShopVisit) => Promise<unknown>;

interface Moment {
  readonly title: string;
  readonly reach: Readonly<Record<Method, Reach>>;
}

const METHODS = ['Card', 'UPI', 'Crypto'] as const;
const PAYS: Readonly<Record<Method, string>> = { Card: 'Approved', UPI: 'Approved', Crypto: 'Confirmed' };
const VISITS_AT_ONCE = 6;
const PAID_WITHIN_MS = 3 * MINUTE_MS;
const STEP_WITHIN_MS = 10 * SECOND_MS;
/** Longer than a deposit takes, except that of a customer who never makes it. */
const CANCEL_AFTER_MS = 8 * SECOND_MS;
const NEXT_STEP_AFTER_MS = 50;

const paying =
  (method: Method, input = PAYS[method]): Reach =>
  async (visit) => {
    await visit.choose(method, input);
    await visit.pay();
  };

/** Waits until the element or the receipt is shown: on a busy machine the receipt may come first. */
const untilShown = ({ page }: ShopVisit, sign: Locator): Promise<void> =>
  sign.or(page.locator('#receipt')).filter({ visible: true }).first().waitFor();

const untilMessage =
  (method: Method, input: string, message: string): Reach =>
  async (visit) => {
    await paying(method, input)(visit);
    await untilShown(visit, visit.page.getByText(message, { exact: true }));
  };

const untilDepositAddress =
  (input: string): Reach =>
  async (visit) => {
    await paying('Crypto', input)(visit);
    await untilShown(visit, visit.page.getByRole('timer'));
  };

/** The same for every method. */
const each = (reach: (method: Method) => Reach): Moment['reach'] => ({
  Card: reach('Card'),
  UPI: reach('UPI'),
  Crypto: reach('Crypto'),
});

/** Pays, until the page sends a request to an address that ends so. */
const untilRequest =
  (ending: RegExp) =>
  (method: Method): Reach =>
  async (visit) => {
    const sent = visit.page.waitForRequest(ending);
    await paying(method)(visit);
    await sent;
  };

/** Pays, but the page gets no response to its confirm. @param isSent whether the API gets the confirm */
const withoutResponse =
  (isSent: boolean) =>
  (method: Method): Reach =>
  async (visit) => {
    const held = new Promise<void>((resolve) => {
      void visit.page.route(/\/confirm$/, async (route) => {
        if (isSent) await route.fetch();
        resolve();
      });
    });
    await paying(method)(visit);
    await held;
  };

const atTheBank: Reach = async (visit) => {
  await paying('Card', '3-D Secure')(visit);
  await visit.page.waitForURL(/\/3ds\//);
};

const MOMENTS: readonly Moment[] = [
  {
    title: 'before the customer pays',
    reach: each(
      (method) =>
        ({ choose }) =>
          choose(method, PAYS[method]),
    ),
  },
  { title: 'while the shop creates the payment', reach: each(untilRequest(/\/payment$/)) },
  { title: 'before the confirm leaves the page', reach: each(withoutResponse(false)) },
  { title: 'while the confirm is under way', reach: each(untilRequest(/\/confirm$/)) },
  { title: 'before the response to the confirm arrives', reach: each(withoutResponse(true)) },
  {
    title: 'while the payment is processed',
    reach: {
      Card: untilMessage('Card', 'Lost reply', 'Working on it'),
      UPI: untilMessage('UPI', 'Approved', 'Approve in your UPI app'),
      Crypto: untilMessage('Crypto', 'Confirmed', 'Working on it'),
    },
  },
  {
    title: 'while the payment waits for the customer',
    reach: {
      Card: async (visit) => {
        await atTheBank(visit);
        await visit.page.goto(demoUrl());
      },
      UPI: untilMessage('UPI', 'Pending', 'Approve in your UPI app'),
      Crypto: untilDepositAddress('Unpaid'),
    },
  },
  {
    title: 'right after the customer has acted',
    reach: {
      Card: async (visit) => {
        await atTheBank(visit);
        await visit.page.getByRole('button', { name: 'Approve' }).click();
        await visit.page.waitForURL(/\/demo/, { waitUntil: 'commit' });
      },
      UPI: async (visit) => {
        await untilMessage('UPI', 'Pending', 'Approve in your UPI app')(visit);
        await visit.page.getByRole('button', { name: 'Approve' }).click();
      },
      Crypto: untilDepositAddress('Confirmed'),
    },
  },
  {
    title: 'after a failure',
    reach: {
      Card: untilMessage('Card', 'Declined', 'Not paid'),
      UPI: untilMessage('UPI', 'Declined', 'Not paid'),
      Crypto: untilMessage('Crypto', 'Underpaid', 'The payment failed'),
    },
  },
  {
    title: 'after the order was paid',
    reach: each((method) => untilMessage(method, PAYS[method], 'Paid. Thank you!')),
  },
];

/** What became of the order of one visit. */
interface Outcome {
  readonly orders: readonly string[];
  readonly intents: readonly Intent[];
  /** What the providers' ledgers have for all payments of the order. */
  readonly charges: readonly string[];
  readonly complaints: readonly string[];
}

/** Brings a new visit to the moment, loads the page again, and does what the page offers until the order is paid. */
async function reloadAt(browser: Browser, reach: Reach, method: Method): Promise<Outcome> {
  const since = new Date().toISOString();
  const visit = await visitShop(browser);
  const { page, context, complaints } = visit;
  try {
    const before = await shownOrder(visit);
    await reach(visit);
    // Chromium refuses while it exchanges one page for the next.
    await eventually(() => page.reload());
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await payWhatIsOffered(visit, method);
    const intents = await intentsOf(before, since);
    const charges = (await Promise.all(intents.map(({ id }) => chargesOf(id)))).flat();
    return { orders: [before, await shownOrder(visit)], intents, charges, complaints };
  } finally {
    await context.close();
  }
}

async function shownOrder({ page }: ShopVisit): Promise<string> {
  const number = page.locator('#order-number').getByText(/^LAMP-/);
  return (await number.textContent()) ?? '';
}

async function intentsOf(order: string, since: string): Promise<readonly Intent[]> {
  const answer = await request({ method: 'GET', path: `${INTENTS}?limit=100&createdAfter=${since}` });
  return intentPageOf(answer).data.filter(({ metadata }) => metadata.order === order);
}

/** A customer who presses whatever gets the order paid, as soon as it is there. */
async function payWhatIsOffered(visit: ShopVisit, method: Method): Promise<void> {
  const { page } = visit;
  const button = (name: RegExp) => page.getByRole('button', { name });
  let payWith = method;
  const steps = [
    [button(/^Approve$/), () => button(/^Approve$/).click()],
    [button(/^Go to my bank$/), () => button(/^Go to my bank$/).click()],
    [button(/^Pay another way$/), () => button(/^Pay another way$/).click()],
    [button(/^Pay [^a]/), () => paying(payWith)(visit)],
  ] as const;
  page.setDefaultTimeout(STEP_WITHIN_MS);
  const cancel = button(/^Cancel and pay another way$/);
  const cancelAt = Date.now() + CANCEL_AFTER_MS;
  const deadline = Date.now() + PAID_WITHIN_MS;
  while (!(await page.locator('#receipt').isVisible())) {
    if (Date.now() > deadline) assert.fail(`the order is not paid: ${await page.locator('main').innerText()}`);
    for (const [offered, take] of steps) {
      // What is offered may go while it is taken.
      if (await offered.isVisible().catch(() => false)) await take().catch(() => undefined);
    }
    if (Date.now() > cancelAt && (await cancel.isVisible())) {
      payWith = 'Card';
      await cancel.click().catch(() => undefined);
    }
    await wait(NEXT_STEP_AFTER_MS);
  }
}

describe('a reload of the demo shop', function () {
  this.timeout(6 * MINUTE_MS);
  const outcomes = new Map<Reach, Promise<Outcome>>();
  let browser: Browser | undefined;

  before('visits the shop, some visits at a time', async () => {
    const opened = await launchChromium(findChromium() ?? '');
    browser = opened;
    const queue = new PQueue({ concurrency: VISITS_AT_ONCE });
    for (const { reach } of MOMENTS) {
      for (const method of METHODS) {
        const outcome = queue.add(() => reloadAt(opened, reach[method], method));
        outcome.catch(() => undefined);
        outcomes.set(reach[method], outcome);
      }
    }
  });
  after(() => browser?.close());

  for (const { title, reach } of MOMENTS) {
    for (const method of METHODS) {
      it(`${title}, by ${method}: the order is charged once`, async () => {
        const outcome = await outcomes.get(reach[method]);
        assert.ok(outcome);
        const { orders, intents, charges, complaints } = outcome;
        assert.equal(orders[0], orders[1]);
        assert.equal(charges.length, 1, charges.join());
        assert.match(charges.join(), / capture /);
        assert.ok(intents.every(({ status }) => isTerminal(status)));
        assert.deepEqual(complaints, []);
      });
    }
  }
});
