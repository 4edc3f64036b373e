import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  conditionsOfForm,
  metadataText,
  readMetadata,
} from '../../../../dashboard/app/parts/route-condition-values.ts';

describe("a route's conditions in the form", () => {
  it('reads the pairs that it shows', () => {
    const word = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
    fc.assert(
      fc.property(fc.dictionary(word, word, { noNullPrototype: true, maxKeys: 5 }), (metadata) => {
        assert.deepEqual(readMetadata(metadataText(metadata)), metadata);
      }),
    );
  });

  it('takes spaces and empty lines, and no line without a name', () => {
    assert.deepEqual(readMetadata(' channel = app \n\nurl=a=b'), { channel: 'app', url: 'a=b' });
    assert.equal(readMetadata('channel'), undefined);
    assert.equal(readMetadata('=app'), undefined);
  });

  it('sends no amount without exactly one currency, and nothing of cards for another method', () => {
    const values = {
      paymentMethod: 'upi',
      currencies: ['EUR', 'INR'],
      amountMinText: '10.00',
      amountMaxText: '',
      cardBrands: ['visa'],
      cardGroups: ['crdg_1'],
      metadataText: 'channel=app',
    };
    assert.deepEqual(conditionsOfForm(values), {
      amountMin: null,
      amountMax: null,
      cardBrands: [],
      cardGroups: [],
      metadata: { channel: 'app' },
      captureMethods: [],
      initiators: [],
    });
    const ofCard = conditionsOfForm({ ...values, paymentMethod: 'card', currencies: ['EUR'] });
    assert.deepEqual([ofCard['amountMin'], ofCard['cardBrands']], [1_000, ['visa']]);
  });
});
