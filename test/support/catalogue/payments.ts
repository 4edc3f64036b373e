import assert from 'node:assert/strict';
import { MINUTE_MS } from '../../../domain/time.ts';
import { intentOf } from '../envelopes.ts';
import { eventually } from '../eventually.ts';
import { settle } from '../ledger.ts';
import { INTENTS } from '../payments.ts';
import { card, crypto, upi } from '../sandbox-inputs.ts';
import type { Answer } from '../signed-request.ts';
import { queryStack } from '../stack-database.ts';
import { type Provocation, type Stage, withFaults } from './stage.ts';

const INDIA = { amount: 5_000, currency: 'INR', country: 'IN' };
const ATTEMPT_BUDGET = 5;

/** Codes about what became of a payment, or why it was not attempted. */
export const PAYMENT_CODES = {
  PAYMENT_FAILED: {
    request: 'POST …/confirm by a method whose card data is no longer kept',
    provoke: async (stage) => {
      const payment = await stage.createPayment();
      await payment.confirm(card('declined'));
      await queryStack('UPDATE payment_method SET ciphertext = NULL WHERE payment_intent_id = $1', [payment.id]);
      return payment.confirm(null);
    },
  },
  PAYMENT_DECLINED: { request: 'confirm by decline@upi', provoke: (stage) => stage.confirmed(upi('decline'), INDIA) },
  PAYMENT_EXPIRED: {
    request: 'POST …/confirm after the intent has expired',
    provoke: async (stage) => {
      const payment = await stage.createPayment();
      await queryStack('UPDATE payment_intent SET expires_at = now() WHERE id = $1', [payment.id]);
      return payment.confirm(card('approved'));
    },
  },
  INSUFFICIENT_FUNDS: {
    request: 'confirm by card …9995',
    provoke: (stage) => stage.confirmed(card('insufficientFunds')),
  },
  CARD_DECLINED: { request: 'confirm by card …0002', provoke: (stage) => stage.confirmed(card('declined')) },
  FRAUD_DETECTED: { request: 'confirm by card …9979', provoke: (stage) => stage.confirmed(card('fraud')) },
  LIMIT_EXCEEDED: { request: 'confirm by card …6975', provoke: (stage) => stage.confirmed(card('limitExceeded')) },
  CHANNEL_LIMIT_MIN_EXCEEDED: {
    request: 'confirm of 49 minor units by card',
    provoke: (stage) => stage.confirmed(card('approved'), { amount: 49 }),
  },
  CHANNEL_LIMIT_MAX_EXCEEDED: {
    request: 'confirm of 100,000,000 minor units by card',
    provoke: (stage) => stage.confirmed(card('approved'), { amount: 100_000_000 }),
  },
  NO_TSP_AVAILABLE: {
    request: 'confirm in ISK, which no route takes',
    provoke: (stage) => stage.confirmed(card('approved'), { currency: 'ISK', country: 'IS' }),
  },
  UNSUPPORTED_REGION: {
    request: 'confirm for a customer in AQ',
    provoke: (stage) => stage.confirmed(card('approved'), { country: 'AQ' }),
  },
  UNSUPPORTED_CURRENCY_PAIR: {
    request: 'confirm by crypto with metadata scenario unsupported_pair',
    provoke: (stage) => stage.confirmed(crypto(), { metadata: { scenario: 'unsupported_pair' } }),
  },
  PROVIDER_VALIDATION_ERROR: {
    request: 'confirm by card …0069',
    provoke: (stage) => stage.confirmed(card('unknownShape')),
  },
  PROVIDER_UNAVAILABLE: {
    request: 'confirm by card …0119 where every route leads to alpha',
    provoke: (stage) => stage.confirmed(card('failover'), {}, stage.merchantOfOneProvider),
  },
  PAYMENT_STUCK: { request: 'GET of an intent 90 s after a confirm by card …0259', provoke: (stage) => advised(stage) },
  PAYMENT_RETRIES_EXHAUSTED: {
    request: 'the fifth confirm that is declined',
    provoke: async (stage) => {
      const payment = await stage.createPayment();
      for (let number = 1; number < ATTEMPT_BUDGET; number += 1) await payment.confirm(card('declined'));
      return payment.confirm(card('declined'));
    },
  },
  TSP_PAYMENT_FAILED: {
    request: 'confirm by card …0259 that the provider settles as failed',
    provoke: async (stage) => {
      const payment = await stage.createPayment();
      const answer = payment.confirm(card('silent'));
      await payment.reach('processing');
      await eventually(() => settle('alpha', payment.id, 'failed'));
      return answer;
    },
  },
  CRYPTO_DEPOSIT_FAILED: {
    request: 'confirm by crypto with metadata scenario reorg, whose answer comes after the deposit',
    alone: true,
    provoke: async (stage) => {
      const payment = await stage.createPayment({ metadata: { scenario: 'reorg' } });
      return withFaults({ dropReplyRate: 1, operations: ['payments'] }, () => payment.confirm(crypto()));
    },
  },
} satisfies Readonly<Record<string, Provocation>>;

/** The advisory is no failure: it stands in the intent, under the status of its code. */
function advised({ get, stuck }: Stage): Promise<Answer> {
  return eventually(async () => {
    const answer = await get(`${INTENTS}/${stuck.id}`);
    assert.equal(intentOf(answer).advisory?.code, 'PAYMENT_STUCK');
    return answer;
  }, 2 * MINUTE_MS);
}
