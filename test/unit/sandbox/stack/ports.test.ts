import assert from 'node:assert/strict';
import { findFreePorts } from '../../../../sandbox/stack/ports.ts';

describe('free ports', () => {
  it('are different, and none is a port that an outgoing connection could take', async () => {
    const ports = await findFreePorts(50);
    assert.equal(new Set(ports).size, 50);
    assert.deepEqual(
      ports.filter((port) => port >= 32_768),
      [],
    );
  });
});
