import type { SettlementClient } from '../chaos/traffic/settlement-client.ts';
import { card } from '../sandbox/test-payment-methods.ts';
import type { CallOptions, Client } from '../sdk/server/index.ts';

/** The merchant, and the customers at the provider. */
export interface Shop {
  readonly api: Client;
  readonly settlements: SettlementClient;
}

/** What becomes of a payment before and after the moment to which databases are restored. */
export interface PaymentScenario {
  readonly title: string;
  /** Absent where the payment is created after the moment. */
  readonly before?: (shop: Shop) => Promise<string>;
  readonly after?: (shop: Shop, id: string, options?: CallOptions) => Promise<unknown>;
  /** Creates it after the moment. */
  readonly created?: (shop: Shop) => Promise<string>;
}

/** In euros, which only simulators take in a run of chaos. */
const TERMS = { amount: 1_999, currency: 'EUR', country: 'DE' } as const;

const pay = ({ api }: Shop, id: string, options?: CallOptions) =>
  api.paymentIntents.confirm(id, { paymentMethod: card('approved') }, options);
const challenge = ({ api }: Shop, id: string) =>
  api.paymentIntents.confirm(id, { paymentMethod: card('threeDSecure') });

async function open({ api }: Shop): Promise<string> {
  return (await api.paymentIntents.create(TERMS)).id;
}

async function held(shop: Shop): Promise<string> {
  const { id } = await shop.api.paymentIntents.create({ ...TERMS, captureMethod: 'manual' });
  await pay(shop, id);
  return id;
}

async function paid(shop: Shop): Promise<string> {
  const id = await open(shop);
  await pay(shop, id);
  return id;
}

async function challenged(shop: Shop): Promise<string> {
  const id = await open(shop);
  await challenge(shop, id);
  return id;
}

export const PAYMENT_SCENARIOS: readonly PaymentScenario[] = [
  { title: 'open', before: open },
  { title: 'open, later paid', before: open, after: pay },
  { title: 'waits for 3-D Secure', before: challenged },
  {
    title: 'waits for 3-D Secure, later paid',
    before: challenged,
    after: ({ settlements }, id) => settlements.settle(id, { outcome: 'approved', afterMs: 0 }),
  },
  { title: 'held', before: held },
  {
    title: 'held, later captured',
    before: held,
    after: ({ api }, id, options) => api.paymentIntents.capture(id, {}, options),
  },
  {
    title: 'held, later canceled',
    before: held,
    after: ({ api }, id, options) => api.paymentIntents.cancel(id, {}, options),
  },
  { title: 'paid', before: paid },
  {
    title: 'paid, later refunded',
    before: paid,
    after: ({ api }, id, options) => api.refunds.create({ paymentIntentId: id }, options),
  },
  { title: 'created later, open', created: open },
  { title: 'created later, held', created: held },
  { title: 'created later, paid', created: paid },
];
