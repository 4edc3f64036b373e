import { SIMULATOR_LIMITS } from '../../../../domain/simulator-routes.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SUPPORTED_CURRENCIES } from '../../../../domain/currencies.ts';
import { ALL_SCOPES } from '../../../../domain/scopes.ts';
import { isId } from '../../../../domain/ids.ts';
import { CAPTURE_METHODS, PAYMENT_METHOD_TYPES, type PaymentMethodType } from '../../../../domain/payment.ts';
import { decideRoutes } from '../../../../domain/routing.ts';
import {
  SANDBOX_ACCOUNTS,
  SANDBOX_API_KEY_ID,
  SANDBOX_MERCHANT,
  SANDBOX_ROUTES,
} from '../../../../sandbox/stack/sandbox-data.ts';

const OFFER = { methods: PAYMENT_METHOD_TYPES, captureMethods: CAPTURE_METHODS, providerTokens: true };
const PROVIDERS = {
  providers: new Map(['alpha', 'beta'].map((name) => [name, OFFER])),
  circuitOpen: [],
};

function decide(method: PaymentMethodType, currency: string, country: string | null) {
  const routes = SANDBOX_ROUTES.map((route) => ({
    ...route,
    method: PAYMENT_METHOD_TYPES.find((type) => type === route.method) ?? 'card',
    weight: 1,
    active: true,
  }));
  const { routes: chosen, refusal } = decideRoutes(
    routes,
    { method, captureMethod: 'automatic', amountMinor: 1_000, currency, country, seed: 'x' },
    PROVIDERS,
  );
  return refusal ?? chosen.map(({ provider }) => provider).join(', ');
}

describe('sandbox seed', () => {
  it('has card routes in every currency but ISK, alpha first', () => {
    for (const currency of SUPPORTED_CURRENCIES) {
      assert.equal(decide('card', currency, 'DE'), currency === 'ISK' ? 'NO_TSP_AVAILABLE' : 'alpha, beta', currency);
    }
  });

  it('has card routes in every country but AQ', () => {
    assert.equal(decide('card', 'USD', 'AQ'), 'UNSUPPORTED_REGION');
    assert.equal(decide('card', 'USD', 'TV'), 'alpha, beta');
  });

  it('has UPI routes for INR in IN', () => {
    assert.equal(decide('upi', 'INR', 'IN'), 'alpha, beta');
    assert.equal(decide('upi', 'INR', 'US'), 'UNSUPPORTED_REGION');
    assert.equal(decide('upi', 'USD', 'IN'), 'NO_TSP_AVAILABLE');
  });

  it('has crypto routes for USD and EUR everywhere, alpha first', () => {
    for (const currency of ['USD', 'EUR']) assert.equal(decide('crypto', currency, 'AQ'), 'alpha, beta');
    assert.equal(decide('crypto', 'GBP', 'GB'), 'NO_TSP_AVAILABLE');
  });

  it('has limits for cards in every currency, UPI in INR, and crypto in USD and EUR', () => {
    const limits = SIMULATOR_LIMITS.map(
      ({ method, currency, minimumMinor, maximumMinor }) => `${method} ${currency} ${minimumMinor} … ${maximumMinor}`,
    );
    assert.deepEqual(limits, [
      ...SUPPORTED_CURRENCIES.map((currency) => `card ${currency} 50 … 99999999`),
      'upi INR 100 … 10000000',
      'crypto USD 500 … 50000000',
      'crypto EUR 500 … 50000000',
    ]);
  });

  it('has well-formed ids, and all scopes', () => {
    assert.ok(isId('merchant', SANDBOX_MERCHANT.id) && isId('apiKey', SANDBOX_API_KEY_ID));
    assert.ok(SANDBOX_ACCOUNTS.every(({ id }) => isId('merchantAccount', id)));
    assert.equal(new Set(SANDBOX_ROUTES.map(({ id }) => id)).size, SANDBOX_ROUTES.length);
    assert.ok(ALL_SCOPES.includes('payment-intents:write') && new Set(ALL_SCOPES).size === ALL_SCOPES.length);
  });
});
