import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { errorForPage } from '../../../domain/page-error.ts';

const detailsFor = (code: 'CARD_DECLINED' | 'INSUFFICIENT_FUNDS' | 'PAYMENT_DECLINED', details: object): unknown =>
  errorForPage({ code, message: '', details }).details;

describe('the error of a payment for its page', () => {
  it('has the advice that the customer can follow, and no code of the network', () => {
    const details = { reason: 'expired_card', advice: 'correct_data', networkCode: '54' };
    assert.deepEqual(detailsFor('CARD_DECLINED', details), { reason: 'expired_card', advice: 'correct_data' });
    assert.deepEqual(detailsFor('INSUFFICIENT_FUNDS', { advice: 'later', networkCode: '51' }), { advice: 'later' });
  });

  it('tells neither that a card is never approved nor why, nor what concerns the merchant alone', () => {
    for (const details of [
      { advice: 'never', networkCode: '43' },
      { advice: 'never', reason: 'expired_card' },
      { advice: 'never', reason: 'declined_before' },
      { advice: 'elsewhere', networkCode: '05' },
      { advice: 'invented' },
      {},
    ]) {
      assert.equal(detailsFor('CARD_DECLINED', details), undefined, JSON.stringify(details));
    }
    assert.equal(detailsFor('PAYMENT_DECLINED', { advice: 'later' }), undefined);
  });
});
