import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import type { Browser } from 'playwright-core';
import { STUCK_AFTER_MS } from '../../domain/time-limits.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type ShopVisit, type VisitOptions, visitShop } from '../support/shop-visit.ts';
import { openFaultProxy } from '../../chaos/engine/fault-proxy.ts';
import { startDemoShop } from '../support/demo-shop.ts';
import { eventually } from '../support/eventually.ts';
import { listEvents } from '../support/money.ts';
import { INTENTS } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { request } from '../support/signed-request.ts';
import { getStack } from '../support/stack.ts';

const PAID = 'Paid. Thank you!';
const CUT_MS = 20 * SECOND_MS;

/** The final state of a page. */
interface Seen {
  readonly events: readonly string[];
  /** Ids of the events in its frames, oldest first. */
  readonly ids: readonly string[];
  readonly paymentIntentId: string;
  readonly complaints: readonly string[];
}

let browser: Browser | undefined;
let stuck: Promise<Seen>;
let cutOff: Promise<Seen>;

before('starts the slow visits to the shop, which run during the other tests', async () => {
  browser = await launchChromium(findChromium() ?? '');
  stuck = visitStuckPayment();
  cutOff = visitWithoutConnection();
  for (const visit of [stuck, cutOff]) visit.catch(() => undefined);
});
after(async function () {
  // Ends visits that no test of this run waits for; each goes on until its present wait is over.
  this.timeout(2 * MINUTE_MS);
  await browser?.close();
  await Promise.allSettled([stuck, cutOff]);
});

/** Uses the shop until the payment's last event, which may come after the answer that the page shows. */
async function during(options: VisitOptions, use: (visit: ShopVisit) => Promise<void>): Promise<Seen> {
  assert.ok(browser);
  const visit = await visitShop(browser, options);
  try {
    await visit.subscribeFirst();
    await use(visit);
    await eventually(async () => assert.equal((await visit.events()).at(-1), 'payment-succeeded'));
    const frames = await visit.frames();
    return {
      events: await visit.events(),
      ids: frames.flatMap(({ id }) => id ?? []),
      paymentIntentId: paymentOf(frames),
      complaints: visit.complaints,
    };
  } finally {
    await visit.context.close();
  }
}

function paymentOf(frames: Awaited<ReturnType<ShopVisit['frames']>>): string {
  const id = frames.find(({ paymentIntentId }) => paymentIntentId !== undefined)?.paymentIntentId;
  assert.ok(id);
  return id;
}

function visitStuckPayment(): Promise<Seen> {
  return during({}, async ({ choose, pay, waitForMessage, page }) => {
    await choose('Card', 'Stuck');
    await pay();
    await waitForMessage('Working on it');
    await waitForMessage('Still working', STUCK_AFTER_MS + MINUTE_MS);
    await page.getByRole('button', { name: 'Approve' }).click();
    await waitForMessage(PAID, MINUTE_MS);
  });
}

/** Cuts the page's connection while its merchant confirms the payment, at the third try. */
async function visitWithoutConnection(): Promise<Seen> {
  const line = await openFaultProxy(Number(new URL(getStack().sandbox.baseUrl).port));
  const shop = await startDemoShop(`http://127.0.0.1:${line.port}`);
  try {
    return await during({ url: shop.url }, async ({ choose, pay, waitForMessage, page, frames }) => {
      await choose('Card', 'Declined');
      await pay();
      await waitForMessage('Not paid');
      await eventually(async () => assert.equal((await frames()).at(-1)?.id?.slice(0, 4), 'evt_'));
      const path = `${INTENTS}/${paymentOf(await frames())}/confirm`;
      line.refuse();
      const isDone = wait(CUT_MS);
      await page.locator('#connection[data-state="reconnecting"]').waitFor();
      for (const [kind, status] of [
        ['declined', 400],
        ['insufficientFunds', 400],
        ['approved', 200],
      ] as const) {
        const confirmed = await request({
          method: 'POST',
          path,
          body: { paymentMethod: card(kind), setupFutureUsage: null },
        });
        assert.equal(confirmed.status, status, JSON.stringify(confirmed.body));
      }
      await isDone;
      line.heal();
      await waitForMessage(PAID, MINUTE_MS);
    });
  } finally {
    shop.close();
    await line.close();
  }
}

/** The events for pages, as REST lists them, oldest first. */
async function idsInRest(paymentIntentId: string): Promise<readonly string[]> {
  const events = await listEvents(`resourceId=${paymentIntentId}&limit=100`);
  return events
    .filter(({ type }) => type !== 'payment_intent.created')
    .map(({ id }) => id)
    .reverse();
}

describe('the demo shop in a browser, slow cases', function () {
  this.timeout(4 * MINUTE_MS);

  it('misses no event while the connection is cut for 20 seconds', async () => {
    const { events, ids, paymentIntentId, complaints } = await cutOff;
    assert.deepEqual(
      events.filter((name) => name.startsWith('payment-')),
      [
        'payment-processing',
        'payment-failed CARD_DECLINED',
        'payment-processing',
        'payment-failed CARD_DECLINED',
        'payment-processing',
        'payment-failed INSUFFICIENT_FUNDS',
        'payment-processing',
        'payment-succeeded',
      ],
    );
    assert.deepEqual(ids, await idsInRest(paymentIntentId));
    assert.deepEqual(complaints, []);
  });

  it('shows that a payment is stuck, and succeeds once the bank answers', async () => {
    const { events, ids, paymentIntentId, complaints } = await stuck;
    // The page may subscribe again, where its check of the API comes between the outcome and its event.
    assert.deepEqual(
      events.filter((name) => name.startsWith('payment-')),
      ['payment-processing', 'payment-failed PAYMENT_STUCK', 'payment-succeeded'],
    );
    assert.deepEqual(ids, await idsInRest(paymentIntentId));
    assert.deepEqual(complaints, []);
  });
});
