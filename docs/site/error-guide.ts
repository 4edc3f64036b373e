import { ERROR_CATALOGUE, type ErrorCode, isErrorCode } from '../../domain/error-catalogue.ts';
import { html, type Content, Markup } from './html.ts';
import { jsonBlock, type Rendered } from './markdown.ts';
import type { ApiDescription } from './openapi.ts';
import { codesIn, operationPath } from './reference.ts';

/** A code that more operations than this share has no list of operations. */
const OPERATIONS_LISTED = 8;

/** Adds what the catalogue and the OpenAPI document say of a code to each section that explains one. */
export function decorateErrors({ markup, sections }: Rendered, api: ApiDescription): Rendered {
  const users = operationsByCode(api);
  const text = markup.text.split(/(?=<h2 )/).map((section) => {
    const [, code = ''] = /^<h2 id="([A-Z_]+)">/.exec(section) ?? [];
    if (!isErrorCode(code)) return section;
    const end = section.indexOf('</h2>') + '</h2>'.length;
    const { message } = ERROR_CATALOGUE[code];
    const [heading, explanation] = [section.slice(0, end), section.slice(end)];
    return html`<section class="error" aria-labelledby="${code}">
      ${new Markup(heading)}
      <p class="facts">${factsOf(code)}</p>
      <p class="message">${message}</p>
      ${new Markup(explanation)} ${renderUsers(users.get(code) ?? [])}
      <details class="nested">
        <summary>Example</summary>
        ${jsonBlock(exampleOf(code, api))}
      </details>
    </section>`.text;
  });
  return { markup: new Markup(text.join('')), sections };
}

function factsOf(code: ErrorCode): Content {
  const { status, type, transient } = ERROR_CATALOGUE[code];
  return html`<span class="status bad">${status}</span>
    <code>${type}</code>${transient && html` <span class="tag">may be repeated</span>`}`;
}

function renderUsers(users: readonly { readonly id: string; readonly href: string }[]): Content {
  if (users.length === 0 || users.length > OPERATIONS_LISTED) return null;
  return html`<p class="facts">
    Operations:
    ${users.map(({ id, href }, index) => [index > 0 && ', ', html`<a href="${href}"><code>${id}</code></a>`])}
  </p>`;
}

function operationsByCode(api: ApiDescription): Map<string, { id: string; href: string }[]> {
  const users = new Map<string, { id: string; href: string }[]>();
  for (const operation of api.operations) {
    for (const [, { description }] of api.responsesOf(operation)) {
      for (const code of codesIn(description)) {
        users.set(code, [...(users.get(code) ?? []), { id: operation.id, href: operationPath(operation) }]);
      }
    }
  }
  return users;
}

function exampleOf(code: ErrorCode, api: ApiDescription): unknown {
  const { message, type } = ERROR_CATALOGUE[code];
  return (
    api.errorExamples.get(code) ?? {
      success: false,
      error: { code, message, type, requestId: 'req_0197f3c29a4b7d1e8c5f60718293a4b5' },
    }
  );
}
