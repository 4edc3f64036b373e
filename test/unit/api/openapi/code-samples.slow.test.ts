import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { OPERATIONS_OF_API } from '../../../support/api-operations.ts';
import { compileStrictly } from '../../../support/compile-strictly.ts';
import { codeSamples } from '../../../support/described-api.ts';

describe('the code samples of the OpenAPI document', () => {
  const samples = codeSamples();

  it('exist in three languages for each operation', () => {
    assert.deepEqual([...samples.keys()].sort(), OPERATIONS_OF_API.map(({ operationId }) => operationId).sort());
    for (const [operationId, each] of samples) {
      assert.deepEqual(
        each.map(({ lang }) => lang),
        ['Shell', 'TypeScript', 'Python'],
        operationId,
      );
    }
  });

  it('in TypeScript compile with strict types', async function () {
    this.timeout(2 * MINUTE_MS);
    const sources = new Map(
      [...samples].map(([operationId, each]) => [
        `${operationId}.ts`,
        each.find(({ lang }) => lang === 'TypeScript')?.source ?? '',
      ]),
    );
    await compileStrictly(sources, ['es2023']);
  });
});
