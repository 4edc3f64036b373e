import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { readToolsConfig } from '../../../config/tools.ts';

describe('configuration of the downloaded programs', () => {
  it('uses the cache folder of the user, and the search path', () => {
    assert.equal(readToolsConfig({ XDG_CACHE_HOME: '/cache' }).cacheDir, path.join('/cache', 'payment-engine'));
    assert.deepEqual(readToolsConfig({ PATH: ['/a', '/b'].join(path.delimiter) }).searchPath, ['/a', '/b']);
  });
});
