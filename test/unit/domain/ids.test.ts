import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  attemptIdOf,
  attemptIdOfStrayCharge,
  isId,
  paymentIntentIdOfAttempt,
  strayChargeIdOf,
  transactionIdOf,
} from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';

describe('ids', () => {
  it('have the prefix of their kind, are unique and sort by creation', async () => {
    const first = newId('paymentIntent');
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = newId('paymentIntent');
    assert.ok(isId('paymentIntent', first) && !isId('attempt', first));
    assert.ok(first < second);
  });

  it("of attempts depend only on intent and number, and contain the intent's id", () => {
    const intent = newId('paymentIntent');
    assert.equal(attemptIdOf(intent, 2), attemptIdOf(intent, 2));
    assert.notEqual(attemptIdOf(intent, 1), attemptIdOf(intent, 2));
    assert.equal(paymentIntentIdOfAttempt(attemptIdOf(intent, 3)), intent);
  });

  it('of transactions differ for each attempt and each type, and are the same in every process', () => {
    const intent = newId('paymentIntent');
    const ids = [1, 2, 11].flatMap((attempt) =>
      (['authorization', 'capture', 'void'] as const).map((type) => transactionIdOf(intent, attempt, type)),
    );
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.ok(isId('transaction', id), id);
    assert.equal(transactionIdOf(intent, 2, 'void'), transactionIdOf(intent, 2, 'void'));
  });

  it('of stray charges depend only on the attempt, and contain its id', () => {
    const attempt = attemptIdOf(newId('paymentIntent'), 2);
    assert.equal(strayChargeIdOf(attempt), attempt.replace('att_', 'stray_'));
    assert.ok(isId('strayCharge', strayChargeIdOf(attempt)) && !isId('strayCharge', attempt));
    assert.equal(attemptIdOfStrayCharge(strayChargeIdOf(attempt)), attempt);
    assert.equal(attemptIdOfStrayCharge(attempt), undefined);
  });

  it('of other kinds are no attempt ids', () => {
    for (const text of ['', 'att_', 'att_1', newId('attempt'), newId('paymentIntent'), "att_'; drop table x_1"]) {
      assert.equal(paymentIntentIdOfAttempt(text), undefined);
    }
  });
});
