import { MISSING_DOCS_PAGE } from '../../api/openapi/docs-site.ts';
import { renderGuides } from './guides.ts';
import { html } from './html.ts';
import { type Assets, HOME, renderDocument } from './layout.ts';
import { readApiDescription } from './openapi.ts';
import type { Page } from './page.ts';
import { renderReference } from './reference.ts';

export interface SiteSources {
  /** The OpenAPI document. */
  readonly document: unknown;
  /** The contents of `GUIDE_FILES` by their names. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The pages of the site, the home page first. */
export function renderPages({ document, texts }: SiteSources): readonly Page[] {
  const api = readApiDescription(document);
  const pages = [...renderGuides(api, texts), ...renderReference(api)];
  return [homePage(pages), missingPage(), ...pages];
}

/** What the search finds, as JSON. */
export function renderSearchEntries(pages: readonly Page[]): string {
  return JSON.stringify(
    pages.flatMap(({ path, title: page, entries }) =>
      entries.map((entry, index) => ({ id: `${path} ${index}`, page, ...entry })),
    ),
  );
}

/** The documents of all pages by their addresses. */
export function renderSite(pages: readonly Page[], assets: Assets): ReadonlyMap<string, string> {
  const listed = pages.filter(({ group }) => group !== '');
  return new Map(pages.map((page) => [page.path, renderDocument(page, listed, assets)]));
}

/** For an address below /docs without a page. */
function missingPage(): Page {
  return {
    path: MISSING_DOCS_PAGE,
    title: 'This page does not exist',
    group: '',
    description: 'There is no page at this address.',
    contents: [],
    entries: [],
    body: html`<p>Perhaps it has moved: search for it above, or begin at the <a href="${HOME}">first page</a>.</p>`,
  };
}

function homePage(pages: readonly Page[]): Page {
  const cards = (isReference: boolean) =>
    pages
      .filter(({ group }) => (group === 'Reference') === isReference)
      .map(
        ({ path, title, description }) =>
          html`<li>
            <a href="${path}">${title}</a>
            <p>${description}</p>
          </li>`,
      );
  return {
    path: HOME,
    title: 'Payment engine',
    group: '',
    description: 'Guides and reference of the payment engine API.',
    contents: [],
    entries: [],
    isWide: true,
    body: html`
      <p class="lead">
        A signed REST API that takes payments through several providers. Each payment is tried, retried and settled
        exactly once, and its outcome comes in the response, by webhook or by socket.
      </p>
      <p class="buttons">
        <a class="primary" href="/docs/quick-start">Make a first payment</a>
        <a class="secondary" href="/docs/reference/payment-intents">Read the reference</a>
      </p>
      <h2>Guides</h2>
      <ul class="cards">
        ${cards(false)}
      </ul>
      <h2>Reference</h2>
      <ul class="cards">
        ${cards(true)}
      </ul>
      <p>Programs read the same reference as an <a href="/openapi.json">OpenAPI 3.1 document</a>.</p>
    `,
  };
}
