import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pairsIn } from '../../../../dashboard/app/core/metadata.ts';

describe('the metadata filter of a list', () => {
  it('is pairs as people write them', () => {
    assert.deepEqual(pairsIn('order=1042'), { order: '1042' });
    assert.deepEqual(pairsIn(' order = 1042 & channel=web&'), { order: '1042', channel: 'web' });
    assert.deepEqual(pairsIn('url=a=b&empty'), { url: 'a=b', empty: '' });
    assert.deepEqual(pairsIn(''), {});
  });
});
