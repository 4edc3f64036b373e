import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { z } from 'zod';

/** Licences that ask for no more than a notice: none makes demands on programs that use the package. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** Packages whose package.json names no licence, with the one in their folder. */
const IN_FOLDER: Readonly<Record<string, string>> = { unionfs: 'Unlicense' };

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});

describe('licences of the production packages', () => {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

  it('are on the list of those that are allowed', () => {
    const production = Object.entries(packages).filter(
      ([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true,
    );
    assert.ok(production.length > 100);
    const refused = production.flatMap(([folder, { license }]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const found = license ?? IN_FOLDER[name] ?? 'none';
      return ALLOWED.has(found) ? [] : [`${name}: ${found}`];
    });
    assert.deepEqual(refused, []);
  });
});
