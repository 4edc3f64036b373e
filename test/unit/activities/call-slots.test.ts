import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCallSlots } from '../../../activities/call-slots.ts';

describe('slots of calls within workflow tasks', () => {
  it('are so many for each provider, whatever the others use', () => {
    const slots = createCallSlots(2);
    assert.ok(slots.take('alpha') !== null && slots.take('alpha') !== null);
    assert.equal(slots.take('alpha'), null);
    assert.notEqual(slots.take('beta'), null);
  });

  it('are free again when they are given back', () => {
    const slots = createCallSlots(1);
    const giveBack = slots.take('alpha');
    assert.equal(slots.take('alpha'), null);
    giveBack?.();
    assert.notEqual(slots.take('alpha'), null);
  });
});
