import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { requestIdFor } from '../../../http/request-id.ts';

describe('the id of a request', () => {
  it("is the client's own, unless it may be a card number", () => {
    for (const own of [
      'order-1234.retry_2',
      '019712345678-9123-1234-5678-901234ab',
      'req_4242424242424242424242424242424a',
    ]) {
      assert.equal(requestIdFor(own), own);
    }
    for (const refused of [
      '4242424242424242',
      'card-4242424242424242',
      'card_4242424242424242',
      'a_4242_4242_4242_4242',
    ]) {
      assert.match(requestIdFor(refused), /^req_[0-9a-f]{32}$/);
    }
  });
});
