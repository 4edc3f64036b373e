import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  EVIDENCE_FILES,
  EVIDENCE_TEXT_NAMES,
  EVIDENCE_TEXTS,
  fileKindsFor,
  isInTime,
  textsFor,
  timeLeft,
  urgencyOf,
} from '../../../../dashboard/app/parts/dispute-words.ts';
import { DISPUTE_REASONS } from '../../../../domain/dispute.ts';
import { DISPUTE_EVIDENCE_MEMBERS, DISPUTE_FILE_KINDS } from '../../../../domain/dispute-evidence.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../domain/time.ts';

const NOW = Date.parse('2026-11-29T12:00:00.000Z');
const inMs = (ms: number): string => new Date(NOW + ms).toISOString();

describe('what the dashboard says of disputes', () => {
  it('tells the time that is left in days, hours and minutes, and never more than there is', () => {
    const told = [5 * DAY_MS, 2 * DAY_MS, 2 * DAY_MS - 1, 90 * MINUTE_MS, 2 * HOUR_MS, 61_000, 1, 0, -DAY_MS];
    assert.deepEqual(
      told.map((ms) => timeLeft(inMs(ms), NOW)),
      ['5 days', '2 days', '47 hours', '90 minutes', '2 hours', '1 minute', '1 minute', 'Time is over', 'Time is over'],
    );
  });

  it('shows as urgent what ends within three days, and within one', () => {
    const looks = [3 * DAY_MS, 3 * DAY_MS - 1, DAY_MS, DAY_MS - 1].map((ms) => urgencyOf(inMs(ms), NOW));
    assert.deepEqual(looks, ['default', 'warning', 'warning', 'error']);
    assert.deepEqual(
      [inMs(1), inMs(0), null].map((respondBy) => isInTime({ respondBy }, NOW)),
      [true, false, true],
    );
  });

  it('has a field for each text and each kind of file, for every reason, those first that matter most', () => {
    assert.deepEqual(EVIDENCE_TEXT_NAMES.toSorted(), DISPUTE_EVIDENCE_MEMBERS.toSorted());
    assert.deepEqual(Object.keys(EVIDENCE_FILES).sort(), DISPUTE_FILE_KINDS.toSorted());
    for (const reason of DISPUTE_REASONS) {
      const { first, others } = textsFor(reason);
      assert.deepEqual([...first, ...others].sort(), DISPUTE_EVIDENCE_MEMBERS.toSorted());
      assert.equal(first[0], 'explanation');
      assert.deepEqual(fileKindsFor(reason).toSorted(), DISPUTE_FILE_KINDS.toSorted());
    }
    assert.equal(fileKindsFor('product_not_received')[0], 'shipping_documentation');
    assert.ok(Object.values(EVIDENCE_TEXTS).every(({ label, help }) => label !== '' && help !== ''));
  });
});
