import { newId } from '../../../domain/new-id.ts';
import { INTENTS } from '../payments.ts';
import { request } from '../signed-request.ts';
import { queryStack } from '../stack-database.ts';
import { CUSTOMERS, type ErrorRequest, REFUNDS, TRANSACTIONS } from './request-context.ts';

/** Codes about invalid requests and missing resources. */
export const REQUEST_CODES = {
  INVALID_REQUEST: {
    request: 'POST /payment-intents without an amount',
    send: (context) => context.post(INTENTS, { currency: 'USD' }),
  },
  VALIDATION_ERROR: {
    request: 'POST /payment-intents with several wrong fields',
    send: (context) => context.post(INTENTS, { amount: 'much', currency: 7, colour: 'red' }),
  },
  INVALID_AMOUNT: {
    request: 'POST /payment-intents with amount 0',
    send: (context) => context.post(INTENTS, { amount: 0, currency: 'USD' }),
  },
  INVALID_CURRENCY: {
    request: 'POST /payment-intents with currency XXX',
    send: (context) => context.post(INTENTS, { amount: 1_000, currency: 'XXX' }),
  },
  INVALID_PAYMENT_METHOD: {
    request: 'POST …/confirm with a method that is not offered',
    send: (context) => context.confirmed({ type: 'cheque' }),
  },
  MISSING_REQUIRED_FIELD: {
    request: 'POST …/confirm with a card that has no number',
    send: (context) => context.confirmed({ type: 'card', card: { expiryMonth: 12, expiryYear: 2039, cvc: '123' } }),
  },
  METHOD_NOT_ALLOWED: {
    request: 'DELETE /payment-intents',
    send: (context) => request({ method: 'DELETE', path: INTENTS }, context.merchant.credentials),
  },
  NOT_ACCEPTABLE: {
    request: 'GET /payment-intents that accepts XML only',
    send: (context) => context.get(INTENTS, { Accept: 'application/xml' }),
  },
  RESOURCE_NOT_FOUND: {
    request: 'GET of a path that does not exist',
    send: (context) => context.get('/api/v1/nothing'),
  },
  PAYMENT_INTENT_NOT_FOUND: {
    request: 'GET /payment-intents/{id} of an unknown id',
    send: (context) => context.get(`${INTENTS}/${newId('paymentIntent')}`),
  },
  TRANSACTION_NOT_FOUND: {
    request: 'GET /transactions/{id} of an unknown id',
    send: (context) => context.get(`${TRANSACTIONS}/${newId('transaction')}`),
  },
  CUSTOMER_NOT_FOUND: {
    request: 'GET /customers/{id} of an unknown id',
    send: (context) => context.get(`${CUSTOMERS}/${newId('customer')}`),
  },
  REFUND_NOT_FOUND: {
    request: 'GET /refunds/{id} of an unknown id',
    send: (context) => context.get(`${REFUNDS}/${newId('refund')}`),
  },
  DUPLICATE_REQUEST: {
    request: 'POST /payment-intents with the idempotency key of another request',
    send: async (context) => {
      const headers = { 'X-Idempotency-Key': newId('request') };
      await context.post(INTENTS, { amount: 1_000, currency: 'USD' }, headers);
      return context.post(INTENTS, { amount: 2_000, currency: 'USD' }, headers);
    },
  },
  STATE_CONFLICT: {
    request: 'POST …/cancel of a payment that has succeeded',
    send: async (context) => (await context.paid()).cancel(),
  },
  INTERNAL_ERROR: {
    request: 'GET of an intent whose row is damaged',
    send: async (context) => {
      const payment = await context.createPayment();
      await queryStack(`UPDATE payment_intent SET last_error = '{"at": "no such time"}' WHERE id = $1`, [payment.id]);
      return context.get(`${INTENTS}/${payment.id}`);
    },
  },
  SERVICE_UNAVAILABLE: {
    request: 'POST /payment-intents while Temporal is unavailable',
    send: (context) =>
      request(
        { method: 'POST', path: INTENTS, body: { amount: 1_000, currency: 'USD' } },
        { ...context.merchant.credentials, baseUrl: context.apiWithoutTemporal.baseUrl },
      ),
  },
} satisfies Readonly<Record<string, ErrorRequest>>;
