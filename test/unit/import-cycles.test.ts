import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import ts from 'typescript';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';

const LEFT_OUT = new Set(['.git', '.data', 'node_modules', 'dist', 'generated']);

describe('imports', () => {
  it('form no cycle, not even through types', () => {
    const cycles: string[] = [];
    const finished = new Set<string>();
    const visit = (file: string, importers: readonly string[]): void => {
      if (finished.has(file)) return;
      if (importers.includes(file))
        return void cycles.push([...importers.slice(importers.indexOf(file)), file].join(' -> '));
      for (const imported of importsOf(file)) visit(imported, [...importers, file]);
      finished.add(file);
    };
    for (const file of sourcesIn('.')) visit(file, []);
    assert.ok(finished.size > 500, `only ${finished.size} files were read`);
    assert.deepEqual(cycles, []);
  });
});

/** The paths of the sources in a folder, relative to the project's folder. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(path.join(PROJECT_ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.has(name))
    .flatMap((entry) => {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) return sourcesIn(name);
      return /\.tsx?$/.test(name) ? [name] : [];
    });
}

/** The sources that a source imports. */
function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path.join(PROJECT_ROOT, file), 'utf8'));
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => /^\..*\.tsx?$/.test(name) && !name.includes('/generated/'))
    .map((name) => path.join(path.dirname(file), name));
}
