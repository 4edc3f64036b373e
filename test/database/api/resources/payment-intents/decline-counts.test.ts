import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { UNLIMITED_ADMISSION } from '../../../../../api/middleware/admission.ts';
import { executionWithoutKey } from '../../../../../api/middleware/idempotency.ts';
import { confirmPaymentIntent } from '../../../../../api/resources/payment-intents/actions.ts';
import { createPaymentIntent } from '../../../../../api/resources/payment-intents/create.ts';
import type { PaymentIntentDependencies } from '../../../../../api/resources/payment-intents/stored-intent.ts';
import {
  confirmPaymentIntentBody,
  createPaymentIntentBody,
} from '../../../../../api/schemas/payment-intent-requests.ts';
import { newId } from '../../../../../domain/new-id.ts';
import type { CardSealer } from '../../../../../vault/card-keys.ts';
import { parseCardPublicKey, publicKeyOf } from '../../../../../vault/card-keys.ts';
import { createKeyring } from '../../../../../vault/keyring.ts';
import { TemporalUnavailableError } from '../../../../../workflows/client/temporal-errors.ts';
import type { PaymentWorkflows } from '../../../../../workflows/client/payment-workflows.ts';
import { createTestDatabase, type TestDatabase } from '../../../../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../../../support/payment-rows.ts';
import { principalWith } from '../../../../support/principal.ts';

const CARD = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2039, cvc: '123' };
const PAYMENT_METHOD = { type: 'card', card: CARD };

describe('the count of a confirm that never reached its workflow', () => {
  let test: TestDatabase;
  let merchantAccountId: string;
  const key = { id: 'k', bytes: randomBytes(32) };
  before(async () => {
    test = await createTestDatabase();
    merchantAccountId = await insertMerchantAccount(test.database);
  });
  after(() => test.close());

  /** Dependencies that count into `counts`; Temporal is away. */
  const dependenciesWith = (counts: { value: number }, cards: CardSealer): PaymentIntentDependencies => ({
    database: test.database,
    keyring: createKeyring([key]),
    cards,
    workflows: {
      start: () => Promise.reject(new TemporalUnavailableError(new Error('away'))),
    } as unknown as PaymentWorkflows,
    declineLimits: {
      count: async () => {
        counts.value += 1;
        return async () => void (counts.value -= 1);
      },
    },
    admission: UNLIMITED_ADMISSION,
    confirmWaitMs: 1_000,
  });
  const callWith = <Body>(id: string, body: Body) => ({
    principal: principalWith({ merchantAccountId }),
    id,
    pathParameters: {},
    body,
    query: undefined,
    respondAsync: false,
  });

  it('is taken back where the workflow cannot be started, so that repeats during an outage block no card', async () => {
    const counts = { value: 0 };
    const dependencies = dependenciesWith(counts, parseCardPublicKey(publicKeyOf(key)));
    const body = createPaymentIntentBody.parse({
      amount: 1_000,
      currency: 'USD',
      confirm: true,
      paymentMethod: PAYMENT_METHOD,
    });
    const execution = executionWithoutKey(newId('paymentIntent'));
    for (let repeat = 0; repeat < 2; repeat += 1) {
      await assert.rejects(createPaymentIntent(dependencies, callWith('', body), execution), TemporalUnavailableError);
    }
    assert.equal(counts.value, 0);
  });

  it('is taken back where the card cannot be stored', async () => {
    const counts = { value: 0 };
    const cards: CardSealer = {
      seal: () => {
        throw new Error('no key');
      },
    };
    const body = confirmPaymentIntentBody.parse({ paymentMethod: PAYMENT_METHOD });
    const call = callWith(await insertPaymentIntent(test.database, merchantAccountId), body);
    const execution = executionWithoutKey(newId('paymentMethod'));
    await assert.rejects(confirmPaymentIntent(dependenciesWith(counts, cards), call, execution), /no key/);
    assert.equal(counts.value, 0);
  });
});
