import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { presentTime } from '../../../../contract/presenters/time.ts';

const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const time = fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: LATEST_MS });

describe('times in responses', () => {
  it('are ISO 8601 in UTC with milliseconds, as the database writes them in UTC', () => {
    fc.assert(
      fc.property(time, fc.constantFrom('', '123', '999'), (atMs, microseconds) => {
        const iso = new Date(atMs).toISOString();
        // PostgreSQL leaves out zeros at the end of a fraction, and the point with the last of them.
        const written = `${iso.slice(0, -1)}${microseconds}`.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
        assert.equal(presentTime(`${written}+00:00`), iso);
      }),
    );
  });

  for (const [written, shown] of [
    ['2026-06-01T12:00:00+00:00', '2026-06-01T12:00:00.000Z'],
    ['2026-06-01T12:00:00.5+00:00', '2026-06-01T12:00:00.500Z'],
    ['2026-06-01T12:00:00.123456+00:00', '2026-06-01T12:00:00.123Z'],
    ['2026-06-01T12:00:00.12+05:30', '2026-06-01T06:30:00.120Z'],
    ['2026-06-01T12:00:00.1Z', '2026-06-01T12:00:00.100Z'],
  ] as const) {
    it(`turn ${written} into ${shown}`, () => assert.equal(presentTime(written), shown));
  }
});
