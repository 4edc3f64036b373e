import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_ROOT } from '../../../../sandbox/stack/project.ts';
import { OPERATIONS } from '../../../../sdk/server/generated/operations.ts';
import { RESOURCES } from '../../../../sdk/server/resources.ts';
import { clientSources } from '../../../support/client-sources.ts';
import { describeApi, describeOperations } from '../../../support/described-api.ts';

describe('the generated sources of the server client', () => {
  it('match the OpenAPI document', async function () {
    this.timeout(30_000);
    for (const [file, source] of await clientSources(describeApi())) {
      const kept = await readFile(path.join(PROJECT_ROOT, file), 'utf8');
      // An assertion on the whole text would print thousands of lines.
      assert.ok(kept === source, `${file} is not what the document gives: run "npm run generate-client"`);
    }
  });

  it('contain every operation', () => {
    const endpoints = describeOperations().map(({ operationId }) => operationId);
    assert.deepEqual(Object.keys(OPERATIONS).sort(), endpoints.sort());
  });

  it('contain exactly one method for every operation', () => {
    const methods = Object.values(RESOURCES).flatMap((operations) => Object.values<string>(operations));
    assert.deepEqual(methods.sort(), Object.keys(OPERATIONS).sort(), 'add the endpoint to sdk/server/resources.ts');
  });
});
