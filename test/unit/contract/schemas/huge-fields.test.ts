import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { customerBody } from '../../../../contract/schemas/customer.ts';
import { fieldErrorsIn } from '../../../../contract/validation.ts';

const problemsOf = (input: object): string[] =>
  fieldErrorsIn(customerBody, input).map(({ field, code }) => `${field}:${code}`);

describe('fields of the maximum size of a body', () => {
  it('are rejected for their length alone, without a test of the telephone pattern', () => {
    assert.deepEqual(problemsOf({ phone: `${'1'.repeat(1_000_000)}x` }), ['phone:too_long']);
  });

  it('are rejected for their length alone, without a search for card numbers', () => {
    assert.deepEqual(problemsOf({ reference: '4 '.repeat(500_000) }), ['reference:too_long']);
  });

  it('are rejected by their names, of which only the beginning is searched for card numbers', () => {
    const number = ' 4242 4242 4242 4242 ';
    assert.deepEqual(problemsOf({ [`${'x'.repeat(190)}${number}`]: 1 }), ['[redacted]:unknown']);
    assert.deepEqual(problemsOf({ [`${'x'.repeat(1_000_000)}${number}`]: 1 }), [`${'x'.repeat(200)}:unknown`]);
  });

  it('are rejected for the number of their pairs, without validation of each pair', () => {
    const metadata = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
    assert.deepEqual(problemsOf({ metadata }), ['metadata:too_long']);
  });

  it('are accepted within the limits', () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 'v']));
    assert.deepEqual(problemsOf({ phone: '+49 (30) 123-456', metadata }), []);
    assert.deepEqual(problemsOf({ phone: 'call me', metadata: ['v'] }), ['phone:invalid', 'metadata:type']);
  });
});
