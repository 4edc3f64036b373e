import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurns, TurnsBusyError, workInTurn } from '../../../http/turns.ts';

describe('turns', () => {
  it('begin with the merchant that has waited longest for one, however much of another waits', async () => {
    const turns = createTurns({ atOnce: 1, ofOne: 1 });
    const begun: string[] = [];
    const work = async (merchant: string): Promise<void> => {
      const end = await turns.begin(merchant);
      begun.push(merchant);
      await Promise.resolve();
      end();
    };
    await Promise.all(['busy', 'busy', 'busy', 'busy', 'other', 'other'].map(work));
    assert.deepEqual(begun, ['busy', 'busy', 'other', 'busy', 'other', 'busy']);
  });

  it('give one merchant its share at most, and the rest to the others', async () => {
    const turns = createTurns({ atOnce: 3, ofOne: 2 });
    const ends = [await turns.begin('busy'), await turns.begin('busy')];
    const later = turns.begin('busy');
    ends.push(await turns.begin('other'));
    assert.deepEqual(turns.usage(), { byAll: 3, byOne: 2 });
    for (const end of ends) end();
    (await later)();
    assert.deepEqual(turns.usage(), { byAll: 0, byOne: 0 });
  });

  it('last for as long as they shall, although what is done in them ends before', async () => {
    const turns = createTurns({ atOnce: 1, ofOne: 1 });
    const work = () => workInTurn(turns, { merchant: 'busy', atLeastMs: 20 }, () => Promise.resolve(performance.now()));
    await assert.rejects(
      workInTurn(turns, { merchant: 'busy', atLeastMs: 0 }, () => Promise.reject(new Error('broken'))),
      { message: 'broken' },
    );
    const [first, second] = [await work(), await work()];
    assert.ok(second - first >= 19);
  });

  it('are given up where they do not come in time, and end once', async () => {
    const turns = createTurns({ atOnce: 1, ofOne: 1, waitMs: 1 });
    const end = await turns.begin('busy');
    await assert.rejects(turns.begin('other'), TurnsBusyError);
    end();
    end();
    (await turns.begin('other'))();
    assert.deepEqual(turns.usage(), { byAll: 0, byOne: 0 });
  });
});
