import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isLastActive, prioritiesAfterMove, sharePercent } from '../../../../dashboard/app/parts/route-order.ts';

const routes = (...priorities: readonly number[]) =>
  priorities.map((priority, index) => ({ id: `r${index}`, priority }));

/** The order that the routes have with the changed priorities. */
function orderAfter(before: ReturnType<typeof routes>, from: number, to: number): readonly string[] {
  const changed = new Map(prioritiesAfterMove(before, from, to).map(({ id, priority }) => [id, priority]));
  const after = before.map(({ id, priority }) => ({ id, priority: changed.get(id) ?? priority }));
  return after.toSorted((one, other) => one.priority - other.priority).map(({ id }) => id);
}

describe('the order of routes in the dashboard', () => {
  it('changes one priority where there is room', () => {
    assert.deepEqual(prioritiesAfterMove(routes(10, 20, 30), 2, 1), [{ id: 'r2', priority: 11 }]);
  });

  it('moves the others where there is none, as little as needed', () => {
    assert.deepEqual(prioritiesAfterMove(routes(0, 1, 50), 1, 0), [
      { id: 'r1', priority: 0 },
      { id: 'r0', priority: 1 },
      { id: 'r2', priority: 51 },
    ]);
  });

  it('is the requested one after every move', () => {
    for (const before of [routes(0, 1, 2, 3), routes(10, 20, 30, 40), routes(0, 0, 5, 5)]) {
      for (const from of before.keys()) {
        for (const to of before.keys()) {
          const ids = before.map(({ id }) => id);
          const [moved = ''] = ids.splice(from, 1);
          ids.splice(to, 0, moved);
          assert.deepEqual(orderAfter(before, from, to), ids, `${JSON.stringify(before)}, ${from} to ${to}`);
        }
      }
    }
  });

  it('changes nothing for a move to nowhere', () => {
    assert.deepEqual(prioritiesAfterMove(routes(1, 2), 0, 0), []);
    assert.deepEqual(prioritiesAfterMove(routes(1, 2), 0, -1), []);
    assert.deepEqual(prioritiesAfterMove(routes(1, 2), 1, 2), []);
  });
});

describe('the last active route of a payment method', () => {
  const route = (id: string, active: boolean, paymentMethod = 'card') => ({ id, active, paymentMethod });
  const [one, other] = [route('rt_1', true), route('rt_2', true)];

  it('is the only one that payments may take', () => {
    assert.ok(isLastActive([one, route('rt_2', false), route('rt_3', true, 'upi')], one));
    assert.ok(!isLastActive([one, other], one));
    assert.ok(!isLastActive([one, route('rt_2', false)], route('rt_2', false)));
    assert.ok(!isLastActive([route('rt_1', false)], route('rt_1', false)));
  });
});

describe('the share of a route in percent', () => {
  const route = (weight: number, changes: object = {}) => ({
    id: `rt_${weight}`,
    paymentMethod: 'card',
    priority: 1,
    active: true,
    weight,
    ...changes,
  });

  it('is that of its weight among the active routes with its number', () => {
    const [one, other] = [route(1), route(2)];
    const routes = [
      one,
      other,
      route(7, { active: false }),
      route(8, { priority: 2 }),
      route(9, { paymentMethod: 'upi' }),
    ];
    assert.deepEqual([sharePercent(routes, one), sharePercent(routes, other)], [33.3, 66.7]);
  });

  it('is not said of a route that shares its payments with no other, or takes none', () => {
    const inactive = route(2, { active: false });
    assert.equal(sharePercent([route(1), inactive], route(1)), null);
    assert.equal(sharePercent([route(1), route(3), inactive], inactive), null);
  });
});
