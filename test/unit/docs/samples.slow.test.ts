import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { MINUTE_MS } from '../../../domain/time.ts';
import { PROJECT_ROOT } from '../../../sandbox/stack/project.ts';
import { DOCUMENTS } from '../../support/documents.ts';
import { compileStrictly } from '../../support/compile-strictly.ts';

/** TypeScript, and the modules in pages; each with what is before it in the document. */
const SAMPLES = [/^```(?:ts|typescript)\n(.*?)^```$/gms, /<script type="module">\n(.*?)<\/script>/gs];

/** A page loads the SDK from the API; its types are those of the package. */
const SDK_ON_THE_API = /https:\/\/[\w.]+\/sdk\/checkout\/v1\/checkout\.….js/g;

/** What the programs have around the samples. */
const SURROUNDINGS = `
import type * as checkout from '@payment-engine/checkout';
import type * as server from '@payment-engine/server';
declare global {
  const baseUrl: string;
  const apiKey: string;
  const secretSalt: string;
  const clientSecret: string;
  const payload: string;
  const order: { readonly id: string };
  const request: Request;
  const client: server.Client;
  const paymentMethod: server.PaymentMethod & checkout.PaymentMethod;
  function show(text: string, options?: { readonly mayTryAgain: boolean }): void;
  function showAction(action: checkout.NextAction | null): void;
}
`;

/** A sample of a provider's page is part of a test, which has more around it. */
const SAMPLED = DOCUMENTS.filter((name) => !name.startsWith('docs/providers/'));

describe('the samples in the documents', () => {
  it('compile with strict types', async function () {
    this.timeout(2 * MINUTE_MS);
    const sources = new Map([['surroundings.d.ts', SURROUNDINGS]]);
    const sampled = new Set<string>();
    for (const document of SAMPLED) {
      const samples = samplesOf(await readFile(path.join(PROJECT_ROOT, document), 'utf8'));
      if (samples.length > 0) sampled.add(document);
      for (const [number, sample] of samples.entries()) {
        sources.set(`${document.replaceAll('/', '_')}.${number + 1}.ts`, sample);
      }
    }
    for (const document of ['docs/api.md', 'sdk/server/README.md', 'sdk/checkout/README.md']) {
      assert.ok(sampled.has(document), `${document} has no sample`);
    }
    await compileStrictly(sources, ['es2023', 'dom', 'dom.iterable']);
  });
});

/** On the lines that they have in the document, so that the compiler's errors name these. */
function samplesOf(document: string): string[] {
  return SAMPLES.flatMap((expression) => [...document.matchAll(expression)]).map(
    ({ 0: whole, 1: code = '', index }) => {
      const linesBefore = document.slice(0, index + whole.indexOf('\n') + 1).split('\n').length - 1;
      return `${'\n'.repeat(linesBefore)}${code.replaceAll(SDK_ON_THE_API, '@payment-engine/checkout')}\nexport {};\n`;
    },
  );
}
