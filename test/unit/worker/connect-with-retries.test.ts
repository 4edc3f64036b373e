import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { workerConnectionOptions } from '../../../worker/connect-with-retries.ts';

describe('the connection of a worker', () => {
  for (const address of ['127.0.0.1:7233', 'localhost:7233', '[::1]:7233']) {
    it(`does not compress calls to ${address}`, () => {
      assert.deepEqual(workerConnectionOptions({ address }).grpcCompression, { codec: 'none' });
    });
  }

  it('compresses calls to another machine, as the SDK does by default', () => {
    assert.equal(workerConnectionOptions({ address: 'temporal.example:7233' }).grpcCompression, undefined);
  });
});
