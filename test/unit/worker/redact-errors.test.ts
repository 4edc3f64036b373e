import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/activity';
import { describe, it } from 'mocha';
import { redactError } from '../../../worker/redact-errors.ts';

const NUMBER = '4242 4242 4242 4242';

describe('errors of activities', () => {
  it('lose a card number that a library quotes, and keep their name', () => {
    for (const error of [
      new TypeError(`invalid value ${NUMBER}`),
      new TypeError('invalid value', { cause: new Error(NUMBER) }),
    ]) {
      const thrown = redactError(error);
      assert.ok(thrown instanceof ApplicationFailure);
      assert.deepEqual([thrown.type, thrown.nonRetryable], ['TypeError', false]);
      assert.doesNotMatch(`${thrown.message} ${thrown.stack} ${String(thrown.cause)}`, /4242/);
    }
  });

  it('stay as they are otherwise', () => {
    for (const error of [new Error('no answer'), ApplicationFailure.nonRetryable('gone', 'GONE'), 'text']) {
      assert.equal(redactError(error), error);
    }
  });
});
