import assert from 'node:assert/strict';

/** Asserts that everything expected is there, in objects at any depth; what else is there does not matter. */
export function assertContains(actual: unknown, expected: object): void {
  for (const [key, value] of Object.entries(expected)) {
    assert.ok(typeof actual === 'object' && actual !== null, `no object around ${key}`);
    const found: unknown = new Map<string, unknown>(Object.entries(actual)).get(key);
    if (typeof value === 'object' && value !== null) assertContains(found, value);
    else assert.deepEqual(found, value, key);
  }
}
