import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { text, timeText } from '../../../../api/schemas/common.ts';
import { fieldErrorsIn } from '../../../../api/middleware/validation.ts';

describe('times in requests', () => {
  for (const time of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-03T04:05:06+05:30']) {
    it(`may be ${time}`, () => assert.deepEqual(fieldErrorsIn(timeText, time), []));
  }

  for (const time of ['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00']) {
    it(`may not be ${time}, which the database would reject`, () => {
      assert.deepEqual(
        fieldErrorsIn(timeText, time).map(({ code }) => code),
        ['invalid'],
      );
    });
  }
});

describe('a text in a request', () => {
  it('is not looked through if it is too long', () => {
    const { error } = text(20).safeParse('4242424242424242 \u0000 4242424242424242');
    assert.deepEqual(
      error?.issues.map(({ code }) => code),
      ['too_big'],
    );
  });
});
