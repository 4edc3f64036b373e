import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { VARIABLE_NAMES } from '../../../config/variables.ts';

describe('environment variables', () => {
  it('are all described in .env.example', () => {
    const lines = readFileSync('.env.example', 'utf8').split('\n');
    const described = lines.flatMap((line) => /^(?:# )?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);
    assert.deepEqual([...described].sort(), [...VARIABLE_NAMES].sort());
  });
});
