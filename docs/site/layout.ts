import { breakable, html, type Content, type Markup } from './html.ts';
import type { Page, PageLink } from './page.ts';

/** The addresses of what each page loads. */
export interface Assets {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  readonly search: string;
}

export const HOME = '/docs';

/** The whole document of a page. */
export function renderDocument(page: Page, pages: readonly Page[], assets: Assets): string {
  const isHome = page.path === HOME;
  return `<!doctype html>\n${
    html`<html lang="en" data-search="${assets.search}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${isHome ? 'Payment engine documentation' : `${page.title} – Payment engine`}</title>
        <meta name="description" content="${page.description}" />
        <link rel="stylesheet" href="${assets.style}" />
        <link rel="icon" type="image/svg+xml" href="${assets.icon}" />
        <script src="${assets.script}"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <button type="button" id="menu" class="needs-script icon" aria-expanded="false" aria-controls="navigation">
            Menu
          </button>
          <a class="brand" href="${HOME}">Payment engine <span>docs</span></a>
          <button type="button" id="search-open" class="needs-script search">Search <kbd>/</kbd></button>
          <button type="button" id="key-open" class="needs-script icon">Sandbox key</button>
          <button type="button" id="theme" class="needs-script icon">Theme</button>
        </header>
        <div class="columns${page.isWide === true && ' wide'}">
          <nav id="navigation" aria-label="Documentation">
            ${[...new Set(pages.map(({ group }) => group))].map((group) => renderGroup(group, page, pages))}
          </nav>
          <main id="content" tabindex="-1">
            <h1>${page.title}</h1>
            ${page.body} ${!isHome && renderNeighbours(page, pages)}
          </main>
          ${page.isWide !== true && page.contents.length > 1 && renderContents(page.contents)}
        </div>
        ${renderDialogs()}
      </body>
    </html>`.text
  }\n`;
}

function renderGroup(group: string, page: Page, pages: readonly Page[]): Markup {
  const id = `group-${group.toLowerCase().replaceAll(' ', '-')}`;
  const links = pages.filter((other) => other.group === group);
  return html`<p class="group" id="${id}">${group}</p>
    <ul aria-labelledby="${id}">
      ${links.map(
        ({ path, title, contents }) =>
          html`<li>
            <a href="${path}" ${path === page.path && html` aria-current="page"`}>${title}</a>
            ${
              path === page.path &&
              page.isWide === true &&
              contents.length > 0 &&
              html`<ul>
                ${contents.map(renderLink)}
              </ul>`
            }
          </li>`,
      )}
    </ul>`;
}

function renderLink({ href, title }: PageLink): Markup {
  return html`<li><a href="${href}">${breakable(title)}</a></li>`;
}

function renderContents(contents: readonly PageLink[]): Markup {
  return html`<nav class="contents" aria-label="On this page">
    <p class="group">On this page</p>
    <ul>
      ${contents.map(renderLink)}
    </ul>
  </nav>`;
}

/** Links to the pages before and after this one. */
function renderNeighbours(page: Page, pages: readonly Page[]): Content {
  const index = pages.findIndex(({ path }) => path === page.path);
  const [previous, next] = [pages[index - 1], pages[index + 1]];
  return html`<nav class="neighbours" aria-label="Previous and next page">
    ${previous === undefined ? html`<span></span>` : html`<a rel="prev" href="${previous.path}">← ${previous.title}</a>`}
    ${next !== undefined && html`<a rel="next" href="${next.path}">${next.title} →</a>`}
  </nav>`;
}

function renderDialogs(): Markup {
  return html`
    <dialog id="search" aria-label="Search the documentation">
      <form method="dialog" class="search-form">
        <input
          type="search"
          id="search-words"
          aria-label="Words to search for"
          placeholder="Search guides, operations, errors"
          autocomplete="off"
          spellcheck="false"
        />
        <button type="submit" class="icon">Close</button>
      </form>
      <p id="search-count" role="status"></p>
      <ul id="search-results"></ul>
    </dialog>
    <dialog id="key" aria-labelledby="key-title">
      <form method="dialog" id="key-form">
        <h2 id="key-title">Sandbox key</h2>
        <p>
          Requests that you try are signed in this page with your sandbox key. It stays in the page's memory until you
          reload or leave the site, and the salt is sent only where signature version 1 demands it. Production keys are
          refused here.
        </p>
        <p>
          <code>npm start</code> writes its key into <code>.data/sandbox.json</code>: <code>apiKey</code> and
          <code>secretSalt</code>.
        </p>
        <div class="field">
          <label for="key-api-key">API key</label>
          <input id="key-api-key" placeholder="svc_test_…" autocomplete="off" spellcheck="false" />
        </div>
        <div class="field">
          <label for="key-salt">Secret salt</label>
          <input id="key-salt" type="password" autocomplete="off" spellcheck="false" />
        </div>
        <fieldset class="choice">
          <legend>Signature version of the key</legend>
          <label><input type="radio" name="key-version" value="2" checked /> Version 2</label>
          <label><input type="radio" name="key-version" value="1" /> Version 1</label>
        </fieldset>
        <p id="key-problem" role="alert"></p>
        <div class="buttons">
          <button type="submit" class="primary">Use this key</button>
          <button type="button" id="key-forget" class="secondary">Forget it</button>
          <button type="button" id="key-close" class="secondary">Close</button>
        </div>
      </form>
    </dialog>
  `;
}
