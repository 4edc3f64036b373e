import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createSingleFlight } from '../../../../http/authentication/single-flight.ts';

/** Flights that end when the test ends them. */
function heldRounds() {
  const begun: { readonly callers: number; readonly end: (result: number | Error) => void }[] = [];
  const run = (callers: number) =>
    new Promise<number>((resolve, reject) => {
      begun.push({ callers, end: (result) => (typeof result === 'number' ? resolve(result) : reject(result)) });
    });
  return { begun, run };
}

/** Waits for some turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}

describe('single flight', () => {
  it('shares one flight among all calls of one turn of the event loop', async () => {
    const { begun, run } = heldRounds();
    const ask = createSingleFlight<number>();
    const answers = ['a', 'a'].map((key) => ask(key, run));
    assert.equal(begun.length, 0);
    await settled();
    begun[0]?.end(10);
    assert.deepEqual(await Promise.all(answers), [
      { result: 10, place: 0, callers: 2 },
      { result: 10, place: 1, callers: 2 },
    ]);
  });

  it('serves calls during a flight by one further flight, which begins after the first', async () => {
    const { begun, run } = heldRounds();
    const ask = createSingleFlight<number>();
    const first = ask('a', run);
    await settled();
    const later = ['a', 'a'].map((key) => ask(key, run));
    await settled();
    assert.equal(begun.length, 1);
    begun[0]?.end(10);
    await settled();
    begun[1]?.end(20);
    assert.deepEqual(await Promise.all([first, ...later]), [
      { result: 10, place: 0, callers: 1 },
      { result: 20, place: 0, callers: 2 },
      { result: 20, place: 1, callers: 2 },
    ]);
  });

  it('keeps flights of different keys apart', async () => {
    const { begun, run } = heldRounds();
    const ask = createSingleFlight<number>();
    for (const key of ['a', 'b']) void ask(key, run);
    await settled();
    assert.equal(begun.length, 2);
  });

  it('continues after a flight that failed, which rejects only its own callers', async () => {
    const { begun, run } = heldRounds();
    const ask = createSingleFlight<number>();
    const first = ask('a', run);
    await settled();
    const second = ask('a', run);
    begun[0]?.end(new Error('gone'));
    await assert.rejects(first, /gone/);
    await settled();
    begun[1]?.end(1);
    assert.equal((await second).result, 1);
  });

  it('serves every call once, never by a flight that began before it, and never runs twice at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 60 }), async (pauses) => {
        let clock = 0;
        let underWay = 0;
        let counted = 0;
        const ask = createSingleFlight<{ readonly began: number; readonly last: number }>();
        const asked = pauses.map(async (pause, index) => {
          for (let turn = 0; turn < pause + (index % 5); turn += 1) await setImmediate();
          const at = (clock += 1);
          const { result, place, callers } = await ask('key', async (requests) => {
            assert.equal((underWay += 1), 1);
            const began = (clock += 1);
            await setImmediate();
            underWay -= 1;
            return { began, last: (counted += requests) };
          });
          assert.ok(result.began > at);
          return result.last - callers + place + 1;
        });
        const numbers = await Promise.all(asked);
        assert.deepEqual(
          numbers.toSorted((a, b) => a - b),
          pauses.map((_, index) => index + 1),
        );
      }),
    );
  });
});
