import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inWords } from '../../../../dashboard/app/core/words.ts';

describe('identifiers of the API in the dashboard', () => {
  it('are read as words, however the API joins these', () => {
    assert.equal(inWords('requested_by_customer'), 'Requested by customer');
    assert.equal(inWords('api_key.rotated'), 'API key rotated');
    assert.equal(inWords('webhookSecret'), 'Webhook secret');
    assert.equal(inWords('apiKey'), 'API key');
    assert.equal(inWords('hmacKey'), 'HMAC key');
    assert.equal(inWords('sandbox'), 'Sandbox');
  });
});
