import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { customerBody } from '../../../api/schemas/customer.ts';
import { fieldErrorsIn } from '../../../api/middleware/validation.ts';

const problemsOf = (input: object): string[] =>
  fieldErrorsIn(customerBody, input).map(({ field, code }) => `${field}:${code}`);

describe('fields as large as a body may be', () => {
  it('are refused for their length alone, without reading a telephone number in them', () => {
    assert.deepEqual(problemsOf({ phone: `${'1'.repeat(1_000_000)}x` }), ['phone:too_long']);
  });

  it('are refused for the number of their pairs, without reading each of them', () => {
    const metadata = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
    assert.deepEqual(problemsOf({ metadata }), ['metadata:too_long']);
  });

  it('still take what is within bounds', () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 'v']));
    assert.deepEqual(problemsOf({ phone: '+49 (30) 123-456', metadata }), []);
    assert.deepEqual(problemsOf({ phone: 'call me', metadata: ['v'] }), ['phone:invalid', 'metadata:type']);
  });
});
