import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { MISSING_DOCS_PAGE } from '../../../api/openapi/docs-site.ts';
import { renderPages, renderSearchEntries, renderSite } from '../../../docs/site/build-site.ts';
import { GUIDE_FILES } from '../../../docs/site/guides.ts';
import { html } from '../../../docs/site/html.ts';
import { ERROR_CATALOGUE } from '../../../domain/error-catalogue.ts';
import { PAYMENT_STATUSES, TRANSITIONS } from '../../../domain/payment-state.ts';
import { describeApi } from '../../support/described-api.ts';

const ASSETS = {
  style: '/docs/assets/a.css',
  script: '/docs/assets/a.js',
  icon: '/docs/assets/a.svg',
  search: '/docs/assets/a.json',
};
const texts = new Map(GUIDE_FILES.map((file) => [file, readFileSync(file, 'utf8')]));

function render(document: unknown): ReadonlyMap<string, string> {
  return renderSite(renderPages({ document, texts }), ASSETS);
}

/** What an attribute has in a page, everywhere. */
function valuesOf(page: string, attribute: string): string[] {
  return [...page.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
}

describe('the documentation site', () => {
  const document = JSON.parse(JSON.stringify(describeApi()));
  const site = render(document);
  const pageAt = (path: string): string => site.get(path) ?? assert.fail(`no page ${path}`);

  it('explains each error code of the catalogue, and no other', () => {
    const sections = pageAt('/docs/errors').split('<section class="error"').slice(1);
    const explained = sections.map((section) => /<h2 id="([A-Z_]+)"/.exec(section)?.[1]);
    assert.deepEqual(explained.sort(), Object.keys(ERROR_CATALOGUE).sort());
    for (const section of sections) {
      assert.match(
        section,
        /<strong>Why\.<\/strong> [\s\S]*<strong>What to do\.<\/strong> [\s\S]*Example/,
        section.slice(0, 80),
      );
    }
  });

  it('draws every transition of the state machine, and says what each state means', () => {
    const page = pageAt('/docs/states');
    const drawn = [...page.matchAll(/ class="edge"/g)].length;
    assert.equal(drawn, Object.values(TRANSITIONS).flat().length);
    const rows = [...(texts.get('docs/states.md') ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, status]) => status);
    assert.deepEqual(rows, [...PAYMENT_STATUSES]);
  });

  it('describes every operation, with a form that sends it', () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const forms = [...site.values()].flatMap((page) =>
      [...page.matchAll(/data-method="(\w+)" data-path="([^"]+)"/g)].map(([, method, path]) => `${method} ${path}`),
    );
    assert.deepEqual(forms.sort(), operations.sort());
  });

  it('has no broken link and no duplicate id', () => {
    const ids = new Map([...site].map(([path, page]) => [path, valuesOf(page, 'id')]));
    for (const [path, page] of site) {
      const own = ids.get(path) ?? [];
      assert.deepEqual(
        own.filter((id, index) => own.indexOf(id) !== index),
        [],
        path,
      );
      for (const href of valuesOf(page, 'href')) {
        if (/^https:|^\/openapi\.json$|^\/docs\/assets\//.test(href)) continue;
        const [target = '', anchor] = href.split('#');
        const known = ids.get(target === '' ? path : target);
        assert.ok(known, `${path}: ${href}`);
        assert.ok(anchor === undefined || known.includes(anchor), `${path}: ${href}`);
      }
    }
  });

  it('leads from each page to every other one', () => {
    for (const [path, page] of site) {
      const [navigation = ''] = /<nav id="navigation"[\s\S]*?<\/nav>/.exec(page) ?? [];
      const linked = valuesOf(navigation, 'href');
      const others = [...site.keys()].filter((other) => other !== '/docs' && other !== MISSING_DOCS_PAGE);
      assert.deepEqual(
        others.filter((other) => !linked.includes(other)),
        [],
        path,
      );
    }
  });

  it('has nothing inline that its Content-Security-Policy forbids', () => {
    for (const [path, page] of site) {
      assert.doesNotMatch(page, / style="| on\w+="|<style|<script(?! src=)/, path);
    }
  });

  it('shows code samples, examples and webhooks where the document has them', () => {
    const [path = '', item] = Object.entries(document.paths)[0] ?? [];
    const { get } = item as { get: object };
    const value = { success: true, data: [], pagination: { page: 7_123 } };
    const operation = {
      ...get,
      'x-codeSamples': [{ lang: 'Python', label: 'Python', source: 'print("a sample < 1")' }],
      responses: {
        200: { description: 'One page.', content: { 'application/json': { examples: { one: { value } } } } },
      },
    };
    const event = { content: { 'application/json': { example: { type: 'lamp.lit' } } } };
    const webhooks = { 'lamp.lit': { post: { tags: ['events'], summary: 'A lamp was lit', requestBody: event } } };
    const rich = render({ ...document, webhooks, paths: { ...document.paths, [path]: { get: operation } } });
    const [intents = '', events = ''] = ['payment-intents', 'events'].map((tag) => rich.get(`/docs/reference/${tag}`));
    assert.match(intents, /type="radio"[^>]*>Python<[\s\S]*a sample &lt; 1/);
    assert.match(intents, /7123/);
    assert.match(events, /A lamp was lit[\s\S]*lamp\.lit[\s\S]*Event/);
  });

  it('escapes texts', () => {
    assert.equal(
      html`<p title="${'"<>&'}">${['<b>', html`<i></i>`, null, false]}</p>`.text,
      '<p title="&quot;&lt;&gt;&amp;">&lt;b&gt;<i></i></p>',
    );
  });

  it('can be searched for every page, code and operation', () => {
    const entries: { readonly href: string }[] = JSON.parse(renderSearchEntries(renderPages({ document, texts })));
    const found = new Set(entries.map(({ href }) => href));
    for (const href of [
      '/docs/quick-start',
      '/docs/errors#STATE_CONFLICT',
      '/docs/reference/refunds#createRefund',
      '/docs/signature#version-2',
    ]) {
      assert.ok(found.has(href), href);
    }
  });

  it('has a page for each document about providers, with the title and the first sentence of the document', () => {
    const page = pageAt('/docs/providers/reports');
    assert.match(page, /<h1[^>]*>What vendors report, and what the engine makes of it<\/h1>/);
    assert.match(page, /Each kind of event in a vendor's webhooks, by its name/);
  });
});
