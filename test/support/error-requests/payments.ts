import assert from 'node:assert/strict';
import { intentOf } from '../envelopes.ts';
import { eventually } from '../eventually.ts';
import { settle } from '../ledger.ts';
import { INTENTS } from '../payments.ts';
import { card, crypto, upi } from '../../../sandbox/test-payment-methods.ts';
import type { Answer } from '../signed-request.ts';
import { queryStack } from '../stack-database.ts';
import { type ErrorRequest, type RequestContext, withFaults } from './request-context.ts';

const INDIA = { amount: 5_000, currency: 'INR', country: 'IN' };
const ATTEMPT_BUDGET = 5;

/** Codes about the outcome of a payment, or why it was not attempted. */
export const PAYMENT_CODES = {
  PAYMENT_FAILED: {
    request: 'POST …/confirm by a method whose card data is no longer kept',
    send: async (context) => {
      const payment = await context.createPayment();
      await payment.confirm(card('declined'));
      await queryStack('UPDATE payment_method SET ciphertext = NULL WHERE payment_intent_id = $1', [payment.id]);
      return payment.confirm(null);
    },
  },
  PAYMENT_DECLINED: { request: 'confirm by decline@upi', send: (context) => context.confirmed(upi('decline'), INDIA) },
  PAYMENT_EXPIRED: {
    request: 'POST …/confirm after the intent has expired',
    send: async (context) => {
      const payment = await context.createPayment();
      await queryStack('UPDATE payment_intent SET expires_at = now() WHERE id = $1', [payment.id]);
      return payment.confirm(card('approved'));
    },
  },
  INSUFFICIENT_FUNDS: {
    request: 'confirm by card …9995',
    send: (context) => context.confirmed(card('insufficientFunds')),
  },
  CARD_DECLINED: { request: 'confirm by card …0002', send: (context) => context.confirmed(card('declined')) },
  FRAUD_DETECTED: { request: 'confirm by card …9979', send: (context) => context.confirmed(card('fraud')) },
  LIMIT_EXCEEDED: { request: 'confirm by card …6975', send: (context) => context.confirmed(card('limitExceeded')) },
  CHANNEL_LIMIT_MIN_EXCEEDED: {
    request: 'confirm of 49 minor units by card',
    send: (context) => context.confirmed(card('approved'), { amount: 49 }),
  },
  CHANNEL_LIMIT_MAX_EXCEEDED: {
    request: 'confirm of 100,000,000 minor units by card',
    send: (context) => context.confirmed(card('approved'), { amount: 100_000_000 }),
  },
  NO_TSP_AVAILABLE: {
    request: 'confirm in ISK, which no route takes',
    send: (context) => context.confirmed(card('approved'), { currency: 'ISK', country: 'IS' }),
  },
  UNSUPPORTED_REGION: {
    request: 'confirm for a customer in AQ',
    send: (context) => context.confirmed(card('approved'), { country: 'AQ' }),
  },
  UNSUPPORTED_CURRENCY_PAIR: {
    request: 'confirm by crypto with metadata scenario unsupported_pair',
    send: (context) => context.confirmed(crypto(), { metadata: { scenario: 'unsupported_pair' } }),
  },
  PROVIDER_VALIDATION_ERROR: {
    request: 'confirm by card …0069',
    send: (context) => context.confirmed(card('unknownShape')),
  },
  PROVIDER_UNAVAILABLE: {
    request: 'confirm by card …0119 where every route leads to alpha',
    send: (context) => context.confirmed(card('failover'), {}, context.merchantOfOneProvider),
  },
  PAYMENT_STUCK: {
    request: 'GET of an intent 90 s after a confirm by card …0259',
    send: (context) => advised(context),
  },
  PAYMENT_RETRIES_EXHAUSTED: {
    request: 'the fifth confirm that is declined',
    send: async (context) => {
      const payment = await context.createPayment();
      for (let number = 1; number < ATTEMPT_BUDGET; number += 1) await payment.confirm(card('declined'));
      return payment.confirm(card('declined'));
    },
  },
  TSP_PAYMENT_FAILED: {
    request: 'confirm by card …0259 that the provider settles as failed',
    send: async (context) => {
      const payment = await context.createPayment();
      const answer = payment.confirm(card('silent'));
      await payment.reach('processing');
      await eventually(() => settle('alpha', payment.id, 'failed'));
      return answer;
    },
  },
  CRYPTO_DEPOSIT_FAILED: {
    request: 'confirm by crypto with metadata scenario reorg, whose answer comes after the deposit',
    alone: true,
    send: async (context) => {
      const payment = await context.createPayment({ metadata: { scenario: 'reorg' } });
      return withFaults({ dropReplyRate: 1, operations: ['payments'] }, () => payment.confirm(crypto()));
    },
  },
} satisfies Readonly<Record<string, ErrorRequest>>;

/** The advisory is not an error response: it is a member of the intent, with the status of its code. */
function advised({ get, stuck }: RequestContext): Promise<Answer> {
  return eventually(async () => {
    const answer = await get(`${INTENTS}/${stuck.id}`);
    assert.equal(intentOf(answer).advisory?.code, 'PAYMENT_STUCK');
    return answer;
  });
}
