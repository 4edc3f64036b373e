import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_ROOT } from '../../../sandbox/stack/project.ts';
import { OPERATIONS } from '../../../sdk/server/generated/operations.ts';
import { RESOURCES } from '../../../sdk/server/resources.ts';
import { BRUNO_COLLECTION, brunoRequests } from '../../support/bruno-requests.ts';
import { clientSources } from '../../support/client-sources.ts';
import { describeApi, describeOperations } from '../../support/described-api.ts';
import { goSources } from '../../support/go-sources.ts';
import { PYTHON_RESOURCES, PYTHON_TYPES, pythonSources } from '../../support/python-sources.ts';

describe('the generated sources of the clients', () => {
  it('match the OpenAPI document', async function () {
    this.timeout(30_000);
    const document = describeApi();
    for (const [file, source] of [...(await clientSources(document)), ...goSources(document)]) {
      const kept = await readFile(path.join(PROJECT_ROOT, file), 'utf8');
      // An assertion on the whole text would print thousands of lines.
      assert.ok(kept === source, `${file} is not what the document gives: run "npm run generate"`);
    }
  });

  it('match the OpenAPI document in Python', async () => {
    const { resources, typesHeader } = pythonSources(describeApi());
    const keptResources = await readFile(path.join(PROJECT_ROOT, PYTHON_RESOURCES), 'utf8');
    assert.ok(keptResources === resources, `${PYTHON_RESOURCES}: run "npm run generate"`);
    // The generator of the types is a Python program, so the test compares the hash of what it read.
    const keptTypes = await readFile(path.join(PROJECT_ROOT, PYTHON_TYPES), 'utf8');
    assert.ok(keptTypes.startsWith(`${typesHeader}\n`), `${PYTHON_TYPES}: run "npm run generate"`);
  });

  it('match the OpenAPI document in the collection for Bruno', async () => {
    const requests = brunoRequests(describeApi());
    const written = ['collection.bru', 'environments/sandbox.bru'].map((name) => `${BRUNO_COLLECTION}/${name}`);
    const entries = await readdir(path.join(PROJECT_ROOT, BRUNO_COLLECTION), { recursive: true });
    const kept = entries.map((name) => `${BRUNO_COLLECTION}/${name}`).filter((name) => name.endsWith('.bru'));
    assert.deepEqual(kept.sort(), [...requests.keys(), ...written].sort(), 'run "npm run generate"');
    for (const [file, source] of requests) {
      const text = await readFile(path.join(PROJECT_ROOT, file), 'utf8');
      assert.equal(text, source, `${file}: run "npm run generate"`);
    }
    assert.equal(requests.size, Object.keys(OPERATIONS).length);
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
