import assert from 'node:assert/strict';
import { BREAKAGES, type BreakageName } from './breakages.ts';
import { Simulator } from './simulate.ts';

const SEEDS = 20_000;
/** What fits into the time that a suite may take on a slow machine. */
const WITHIN_MS = 60_000;
const AT_ONCE = 100;
/** What a minute is enough for on a slow machine. Each breakage is found within the first hundreds. */
const SEEDS_OF_A_BREAKAGE = 1_000;

describe('payments in simulated time', () => {
  const simulator = new Simulator();

  it('keep their promise in every schedule', async () => {
    const startedAtMs = performance.now();
    let [all, succeeded, refunded, reversed] = [0, 0, 0, 0];
    for (let seed = 1; seed <= SEEDS && performance.now() - startedAtMs < WITHIN_MS; seed += AT_ONCE) {
      const { findings, ends, returns } = await simulator.run({ firstSeed: seed, seeds: AT_ONCE });
      assert.deepEqual(findings, [], 'npm run simulate -- --seeds 1 --seed SEED shortens it');
      all += AT_ONCE;
      succeeded += ends['succeeded'] ?? 0;
      refunded += returns['refund succeeded'] ?? 0;
      reversed += returns['stray charge reversed'] ?? 0;
    }
    assert.ok(succeeded > all / 4, `only ${succeeded} of ${all} payments have succeeded: the schedules show little`);
    assert.ok(refunded > all / 20, `only ${refunded} refunds in ${all} schedules`);
    assert.ok(reversed > all / 200, `only ${reversed} reversed stray charges in ${all} schedules`);
  });

  it('repeat exactly by their seed', async () => {
    for (const seed of [7, 77, 777]) {
      const [first, second] = [await simulator.explain(seed), await simulator.explain(seed)];
      assert.ok(first.trace.length > 3);
      assert.deepEqual(second.trace, first.trace);
    }
  });

  for (const breakage of Object.keys(BREAKAGES) as BreakageName[]) {
    it(`show that the engine breaks its promise: ${breakage}`, async () => {
      const {
        findings: [finding],
      } = await simulator.run({ firstSeed: 1, seeds: SEEDS_OF_A_BREAKAGE, breakage, stopsAtFirst: true });
      assert.ok(finding !== undefined, 'no schedule has found it');
      const leftOut = await simulator.shorten(finding, breakage);
      const { violations } = await simulator.explain(finding.seed, leftOut, breakage);
      assert.notDeepEqual(violations, [], 'the shortened schedule does not fail');
    });
  }
});
