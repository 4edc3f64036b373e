import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runTurn, type Work } from '../../../../bench/load/run-turn.ts';

describe('a turn of load', () => {
  it('keeps every client busy, and times their steps', async () => {
    let atWork = 0;
    let most = 0;
    const work: Work = async (timer) => {
      most = Math.max(most, ++atWork);
      await nextTick();
      timer.endStep('create');
      await nextTick();
      timer.endStep('confirm');
      atWork -= 1;
      return 'one';
    };
    const result = await runTurn(work, { kind: 'clients', clients: 3, durationMs: 20 });
    assert.equal(most, 3);
    assert.equal(result.failed, 0);
    assert.equal(result.lastId, 'one');
    assert.deepEqual(Object.keys(result.steps), ['create', 'confirm']);
    assert.equal(result.steps.create?.length, result.done);
    assert.equal(result.steps.confirm?.length, result.done);
  });

  it('starts arrivals without waiting for earlier ones', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let arrived = 0;
    const work: Work = async () => {
      if (++arrived === 5) open();
      await gate;
      return 'one';
    };
    const result = await runTurn(work, { kind: 'arrivals', perSecond: 1_000, durationMs: 200 });
    assert.ok(result.done >= 5);
    assert.equal(result.done, arrived);
  });

  it('counts failures, and leaves out their times', async () => {
    const work: Work = async (timer) => {
      await nextTick();
      timer.endStep('create');
      throw new Error('refused');
    };
    const result = await runTurn(work, { kind: 'clients', clients: 1, durationMs: 5 });
    assert.ok(result.failed > 0);
    assert.deepEqual([result.done, result.lastFailure, result.steps], [0, 'refused', {}]);
  });
});

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
