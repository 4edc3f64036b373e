import { newId } from '../../../domain/new-id.ts';
import { INTENTS } from '../payments.ts';
import { request } from '../signed-request.ts';
import { queryStack } from '../stack-database.ts';
import { CUSTOMERS, type Provocation, REFUNDS, TRANSACTIONS } from './stage.ts';

/** Codes about what was asked for, and of what. */
export const REQUEST_CODES = {
  INVALID_REQUEST: {
    request: 'POST /payment-intents without an amount',
    provoke: (stage) => stage.post(INTENTS, { currency: 'USD' }),
  },
  VALIDATION_ERROR: {
    request: 'POST /payment-intents with several wrong fields',
    provoke: (stage) => stage.post(INTENTS, { amount: 'much', currency: 7, colour: 'red' }),
  },
  INVALID_AMOUNT: {
    request: 'POST /payment-intents with amount 0',
    provoke: (stage) => stage.post(INTENTS, { amount: 0, currency: 'USD' }),
  },
  INVALID_CURRENCY: {
    request: 'POST /payment-intents with currency XXX',
    provoke: (stage) => stage.post(INTENTS, { amount: 1_000, currency: 'XXX' }),
  },
  INVALID_PAYMENT_METHOD: {
    request: 'POST …/confirm with a method that is not offered',
    provoke: (stage) => stage.confirmed({ type: 'cheque' }),
  },
  MISSING_REQUIRED_FIELD: {
    request: 'POST …/confirm with a card that has no number',
    provoke: (stage) => stage.confirmed({ type: 'card', card: { expiryMonth: 12, expiryYear: 2039, cvc: '123' } }),
  },
  METHOD_NOT_ALLOWED: {
    request: 'DELETE /payment-intents',
    provoke: (stage) => request({ method: 'DELETE', path: INTENTS }, stage.merchant.credentials),
  },
  RESOURCE_NOT_FOUND: {
    request: 'GET of a path that does not exist',
    provoke: (stage) => stage.get('/api/v1/nothing'),
  },
  PAYMENT_INTENT_NOT_FOUND: {
    request: 'GET /payment-intents/{id} of an unknown id',
    provoke: (stage) => stage.get(`${INTENTS}/${newId('paymentIntent')}`),
  },
  TRANSACTION_NOT_FOUND: {
    request: 'GET /transactions/{id} of an unknown id',
    provoke: (stage) => stage.get(`${TRANSACTIONS}/${newId('transaction')}`),
  },
  CUSTOMER_NOT_FOUND: {
    request: 'GET /customers/{id} of an unknown id',
    provoke: (stage) => stage.get(`${CUSTOMERS}/${newId('customer')}`),
  },
  REFUND_NOT_FOUND: {
    request: 'GET /refunds/{id} of an unknown id',
    provoke: (stage) => stage.get(`${REFUNDS}/${newId('refund')}`),
  },
  DUPLICATE_REQUEST: {
    request: 'POST /payment-intents with the idempotency key of another request',
    provoke: async (stage) => {
      const headers = { 'X-Idempotency-Key': newId('request') };
      await stage.post(INTENTS, { amount: 1_000, currency: 'USD' }, headers);
      return stage.post(INTENTS, { amount: 2_000, currency: 'USD' }, headers);
    },
  },
  STATE_CONFLICT: {
    request: 'POST …/cancel of a payment that has succeeded',
    provoke: async (stage) => (await stage.paid()).cancel(),
  },
  INTERNAL_ERROR: {
    request: 'GET of an intent whose row is damaged',
    provoke: async (stage) => {
      const payment = await stage.createPayment();
      await queryStack(`UPDATE payment_intent SET last_error = '{"at": "no such time"}' WHERE id = $1`, [payment.id]);
      return stage.get(`${INTENTS}/${payment.id}`);
    },
  },
  SERVICE_UNAVAILABLE: {
    request: 'POST /payment-intents while Temporal is away',
    provoke: (stage) =>
      request(
        { method: 'POST', path: INTENTS, body: { amount: 1_000, currency: 'USD' } },
        { ...stage.merchant.credentials, baseUrl: stage.apiWithoutTemporal.baseUrl },
      ),
  },
} satisfies Readonly<Record<string, Provocation>>;
