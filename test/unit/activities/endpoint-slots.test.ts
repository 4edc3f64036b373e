import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createEndpointSlots, type EndpointSlots, SLOTS_PER_ENDPOINT } from '../../../activities/endpoint-slots.ts';

function takeAll(slots: EndpointSlots, id: string) {
  const taken = [];
  for (let slot = slots.acquire(id); slot !== null; slot = slots.acquire(id)) taken.push(slot);
  return taken;
}

describe('endpoint slots', () => {
  it('are limited for each endpoint, independently of others', () => {
    const slots = createEndpointSlots();
    assert.equal(takeAll(slots, 'whe_1').length, SLOTS_PER_ENDPOINT.prompt);
    assert.equal(takeAll(slots, 'whe_2').length, SLOTS_PER_ENDPOINT.prompt);
  });

  it('can be acquired again after their release', () => {
    const slots = createEndpointSlots();
    for (const slot of takeAll(slots, 'whe_1')) slot.release(true);
    assert.equal(takeAll(slots, 'whe_1').length, SLOTS_PER_ENDPOINT.prompt);
  });

  it('are fewer for an endpoint that failed, until it accepts an event again', () => {
    const slots = createEndpointSlots();
    slots.acquire('whe_1')?.release(false);
    const few = takeAll(slots, 'whe_1');
    assert.equal(few.length, SLOTS_PER_ENDPOINT.sluggish);
    for (const slot of few) slot.release(true);
    assert.equal(takeAll(slots, 'whe_1').length, SLOTS_PER_ENDPOINT.prompt);
  });

  it('are fewer for a slow endpoint', () => {
    let nowMs = 0;
    const slots = createEndpointSlots(() => nowMs);
    const slot = slots.acquire('whe_1');
    nowMs = 2_001;
    slot?.release(true);
    assert.equal(takeAll(slots, 'whe_1').length, SLOTS_PER_ENDPOINT.sluggish);
  });
});
