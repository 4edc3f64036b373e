import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import ts from 'typescript';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { PROJECT_ROOT } from '../../../../sandbox/stack/project.ts';
import { OPERATIONS_OF_API } from '../../../support/api-operations.ts';
import { codeSamples } from '../../../support/described-api.ts';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: ['node'],
  paths: { '@payment-engine/server': [path.join(PROJECT_ROOT, 'sdk', 'server', 'index.ts')] },
};

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

  it('in TypeScript compile with strict types', function () {
    this.timeout(2 * MINUTE_MS);
    const sources = new Map(
      [...samples].map(([operationId, each]) => [
        path.join(PROJECT_ROOT, 'samples', `${operationId}.ts`),
        each.find(({ lang }) => lang === 'TypeScript')?.source ?? '',
      ]),
    );
    assert.deepEqual(problemsOf(sources), []);
  });
});

/** The compiler's messages about these files, which exist in memory only. */
function problemsOf(sources: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, options, ...others) => {
    const source = sources.get(name);
    return source === undefined
      ? getSourceFile.call(host, name, options, ...others)
      : ts.createSourceFile(name, source, options);
  };
  host.fileExists = (name) => sources.has(name) || fileExists.call(host, name);
  host.readFile = (name) => sources.get(name) ?? readFile.call(host, name);
  const program = ts.createProgram([...sources.keys()], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}
