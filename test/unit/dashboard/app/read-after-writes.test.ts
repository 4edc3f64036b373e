import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readingAfterWrites } from '../../../../dashboard/app/core/read-after-writes.ts';

describe('the data of the dashboard after a write', () => {
  let calls: string[] = [];
  const called = (name: string) => () => {
    calls.push(name);
    return name === 'delete' ? Promise.reject(new Error('no answer')) : Promise.resolve();
  };
  const writes = {
    create: called('create'),
    update: called('update'),
    delete: called('delete'),
    act: called('act'),
    put: called('put'),
  };
  const data = readingAfterWrites({ ...writes, read: called('read') }, { invalidateQueries: called('read again') });

  for (const name of ['create', 'update', 'delete', 'act', 'put'] as const) {
    it(`is read again after "${name}", also if it failed`, async () => {
      calls = [];
      await data[name]().catch(() => undefined);
      assert.deepEqual(calls, [name, 'read again']);
    });
  }

  it('is not read again after a read', async () => {
    calls = [];
    await data.read();
    assert.deepEqual(calls, ['read']);
  });
});
