import assert from 'node:assert/strict';

/**
 * Checks that what is expected is in the actual value, at every depth; other keys may be there too.
 * An empty object or array is expected to be empty, for otherwise it would be found in anything.
 */
export function assertContains(actual: unknown, expected: object, where = 'the value'): void {
  assert.ok(typeof actual === 'object' && actual !== null, `${where} is no object`);
  const entries = Object.entries(expected);
  if (entries.length === 0) assert.deepEqual(Object.entries(actual), [], where);
  const found = new Map<string, unknown>(Object.entries(actual));
  for (const [key, value] of entries) {
    if (typeof value === 'object' && value !== null) assertContains(found.get(key), value, key);
    else assert.deepEqual(found.get(key), value, key);
  }
}
