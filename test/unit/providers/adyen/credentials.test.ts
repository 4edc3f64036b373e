import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type AdyenCredentials, mayReplaceCredentials } from '../../../../providers/adyen/credentials.ts';

const CREDENTIALS: AdyenCredentials = {
  apiKey: 'key',
  merchantAccount: 'ShopECOM',
  liveUrlPrefix: '1797a841fbb37ca7-Shop',
  hmacKey: '0'.repeat(64),
};

describe('new credentials of an account at Adyen', () => {
  const memberOf = (next: Partial<AdyenCredentials>, earlier: Partial<AdyenCredentials> = {}) =>
    mayReplaceCredentials({ ...CREDENTIALS, ...earlier }, { ...CREDENTIALS, ...next })?.member ?? null;

  it('may have other secrets', () => {
    assert.equal(memberOf({ apiKey: 'another key', hmacKey: '1'.repeat(64) }), null);
    assert.equal(memberOf({}, { liveUrlPrefix: undefined }), null);
  });

  it('lead to the same merchant account, where the idempotency keys of its payments are known', () => {
    assert.equal(memberOf({ merchantAccount: 'OtherECOM' }), 'merchantAccount');
    assert.equal(memberOf({ liveUrlPrefix: '2897a841fbb37ca7-Other' }), 'liveUrlPrefix');
    assert.equal(memberOf({ liveUrlPrefix: undefined }), 'liveUrlPrefix');
  });
});
