import type { oas31 } from 'zod-openapi';
import { exampleId } from './parameters.ts';

const YEAR_OF_EXPIRY = new Date().getUTCFullYear() + 3;

/** A card that the sandbox approves. */
const CARD = {
  type: 'card',
  card: { number: '4242424242424242', expiryMonth: 12, expiryYear: YEAR_OF_EXPIRY, cvc: '123' },
};
const DECLINED_CARD = { ...CARD, card: { ...CARD.card, number: '4000000000000002' } };
const UPI = { type: 'upi', upi: { vpa: 'success@upi' } };
const UPI_BY_LINK = { type: 'upi', upi: {} };
const CRYPTO = { type: 'crypto', crypto: { asset: 'USDC', network: 'ethereum' } };
const CUSTOMER = { name: 'A. Customer', email: 'customer@example.com', country: 'DE', metadata: { number: '77' } };

/** Bodies that work in the sandbox, by operation. */
export const REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, oas31.ExampleObject>>>> = {
  createPaymentIntent: {
    minimal: { summary: 'Required fields only', value: { amount: 1999, currency: 'EUR' } },
    confirmed: {
      summary: 'Created and paid at once',
      value: {
        amount: 1999,
        currency: 'EUR',
        country: 'DE',
        description: 'A lamp',
        metadata: { order: '1042' },
        paymentMethod: CARD,
        confirm: true,
      },
    },
    held: {
      summary: 'Authorized only, to be captured later',
      value: { amount: 250000, currency: 'JPY', captureMethod: 'manual', expiresInSeconds: 3600 },
    },
  },
  amendPaymentIntent: {
    amount: { summary: 'Another amount', value: { amount: 2499 } },
    cleared: { summary: 'Null clears a field', value: { description: null } },
  },
  createPaymentMethod: { card: { summary: 'A card, to be confirmed by its id', value: { paymentMethod: CARD } } },
  confirmPaymentIntent: {
    card: { summary: 'A card that is approved', value: { paymentMethod: CARD } },
    declined: { summary: 'A card that is declined', value: { paymentMethod: DECLINED_CARD } },
    upi: { summary: 'UPI, for INR in India', value: { paymentMethod: UPI } },
    upiByLink: { summary: 'UPI by link or QR code', value: { paymentMethod: UPI_BY_LINK } },
    crypto: { summary: 'A crypto deposit, for USD and EUR', value: { paymentMethod: CRYPTO } },
  },
  cancelPaymentIntent: { abandoned: { summary: 'The customer left', value: { reason: 'abandoned' } } },
  capturePaymentIntent: {
    all: { summary: 'The whole authorized amount', value: {} },
    part: { summary: 'A part; the rest is released', value: { amount: 1000 } },
  },
  createRefund: {
    part: { summary: 'A part', value: { paymentIntentId: exampleId('payment-intents'), amount: 500 } },
    rest: {
      summary: 'The whole remaining amount',
      value: { transactionId: exampleId('transactions'), reason: 'requested_by_customer', metadata: { case: '8' } },
    },
  },
  createCustomer: { customer: { summary: 'A customer in Germany', value: CUSTOMER } },
  replaceCustomer: { customer: { summary: 'All fields of a customer', value: CUSTOMER } },
  updateCustomer: { moved: { summary: 'To another country', value: { country: 'AT' } } },
  createMerchantAccount: {
    minimal: { summary: 'Required fields only', value: { name: 'Lamps' } },
    full: {
      summary: 'Few attempts, a long refund window',
      value: { name: 'Lamps', retryBudget: 3, refundWindowDays: 365 },
    },
  },
  updateMerchantAccount: { renamed: { summary: 'Another name', value: { name: 'Lamps and shades' } } },
  createApiKey: {
    reader: { summary: 'A key that only reads', value: { name: 'Reports', scopes: ['payment-intents:read'] } },
    restricted: {
      summary: 'Restricted to addresses, with an expiry',
      value: {
        name: 'Shop',
        scopes: ['payment-intents:read', 'payment-intents:write'],
        expiresAt: `${YEAR_OF_EXPIRY}-01-01T00:00:00.000Z`,
        ipAllowlist: ['203.0.113.7', '2001:db8::/32'],
        ipRestricted: true,
      },
    },
  },
  updateApiKey: { renamed: { summary: 'Another name', value: { name: 'Old shop' } } },
  createPaymentRoute: {
    minimal: { summary: 'For every currency and country', value: { provider: 'beta', paymentMethod: 'card' } },
    narrow: {
      summary: 'First choice in two countries',
      value: {
        provider: 'alpha',
        paymentMethod: 'card',
        currencies: ['EUR'],
        countries: ['AT', 'DE'],
        priority: 10,
        weight: 3,
      },
    },
  },
  updatePaymentRoute: { paused: { summary: 'Deactivated', value: { active: false } } },
  simulatePaymentRoutes: {
    payment: {
      summary: 'A payment to simulate',
      value: { amount: 1999, currency: 'EUR', paymentMethod: 'card', country: 'DE' },
    },
  },
  putChannelLimit: { bounds: { summary: 'Both bounds', value: { minimumAmount: 100, maximumAmount: 500000 } } },
  createWebhookEndpoint: {
    all: { summary: 'Every event', value: { url: 'https://shop.example/hooks' } },
    some: {
      summary: 'Only events that end a payment or a refund',
      value: {
        url: 'https://shop.example/hooks',
        description: 'Orders',
        enabledEvents: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'refund.succeeded'],
      },
    },
  },
  updateWebhookEndpoint: { paused: { summary: 'Disabled', value: { active: false } } },
  rotateWebhookEndpointSecret: { hour: { summary: 'Both are valid for an hour', value: { overlapSeconds: 3600 } } },
  redeliverEvent: {
    all: { summary: 'To every subscribed endpoint', value: {} },
    one: { summary: 'To one endpoint', value: { webhookEndpointId: exampleId('webhook-endpoints') } },
  },
  rotateApiKey: { hour: { summary: 'Both are valid for an hour', value: { overlapSeconds: 3600 } } },
};
