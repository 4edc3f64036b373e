import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import markdownIt, { type Token } from 'markdown-it';
import { isErrorCode } from '../../domain/error-catalogue.ts';
import { escapeHtml, html, Markup } from './html.ts';

const LANGUAGES = { bash, http, javascript, json, python, typescript, xml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
/** What is highlighted as another language, because it has none of its own here. */
const HIGHLIGHTED_AS: Readonly<Record<string, string>> = { curl: 'bash', shell: 'bash', node: 'javascript' };

/** A part of a page under one heading, for the table of contents and for the search. */
export interface Section {
  readonly id: string;
  readonly level: number;
  readonly title: string;
  /** All text below the heading, without markup. */
  readonly text: string;
}

export interface Rendered {
  readonly markup: Markup;
  readonly sections: readonly Section[];
}

/** Where a link of a document leads on the site; null where the site has no such page, and the link becomes plain text. */
export type LinkTarget = (href: string) => string | null;

const parser = markdownIt({
  highlight: (code, language) => codeBlock(code, language).text,
});

/** Renders a document. Headings get the anchors that GitHub gives them, but error codes keep theirs in capitals. */
export function renderMarkdown(source: string, linkTarget: LinkTarget): Rendered {
  const tokens = parser.parse(source, {});
  const sections = nameHeadings(tokens);
  for (const token of tokens) if (token.children !== null) token.children = rewriteInline(token.children, linkTarget);
  const text = parser.renderer
    .render(wrapTables(tokens), parser.options, {})
    // Without a `tabindex` a block of code cannot be scrolled by keyboard.
    .replaceAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/g, '<pre tabindex="0"><code>$1</code></pre>');
  return { markup: new Markup(text), sections };
}

/** A sentence or two of a description, without anchors. */
export function renderText(source: string): Markup {
  return renderMarkdown(source, (href) => href).markup;
}

/** Highlighted code that can be scrolled by the keyboard. */
export function codeBlock(code: string, language: string): Markup {
  const name = HIGHLIGHTED_AS[language] ?? language;
  const inner =
    hljs.getLanguage(name) === undefined
      ? escapeHtml(code)
      : hljs.highlight(code, { language: name, ignoreIllegals: true }).value;
  return html`<pre tabindex="0"><code>${new Markup(inner.trimEnd())}</code></pre>`;
}

export function jsonBlock(value: unknown): Markup {
  return codeBlock(JSON.stringify(value, null, 2), 'json');
}

/** The anchor that GitHub gives a heading. */
export function slugOf(title: string): string {
  if (isErrorCode(title)) return title;
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function nameHeadings(tokens: readonly Token[]): Section[] {
  const sections: { id: string; level: number; title: string; text: string }[] = [];
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === 'heading_open' && inline !== undefined) {
      const title = textOf(inline);
      const id = slugOf(title);
      token.attrSet('id', id);
      sections.push({ id, level: Number(token.tag.slice(1)), title, text: '' });
      continue;
    }
    const isHeading = tokens[index - 1]?.type === 'heading_open';
    const section = sections.at(-1);
    if (section === undefined || isHeading) continue;
    if (token.type === 'inline') section.text += `${textOf(token)} `;
    if (token.type === 'fence') section.text += `${token.content} `;
  }
  return sections;
}

function textOf(inline: Token): string {
  return (inline.children ?? [])
    .map((child) => (child.type === 'softbreak' ? ' ' : child.content))
    .join('')
    .trim();
}

/** Points links to pages of the site, and links error codes to their explanation. */
function rewriteInline(children: readonly Token[], linkTarget: LinkTarget): Token[] {
  const rewritten: Token[] = [];
  let openLinks = 0;
  let droppedLinks = 0;
  for (const token of children) {
    if (token.type === 'link_open') {
      const target = linkTarget(String(token.attrGet('href') ?? ''));
      if (target === null) {
        droppedLinks += 1;
        continue;
      }
      token.attrSet('href', target);
      openLinks += 1;
    }
    if (token.type === 'link_close') {
      if (droppedLinks > 0) {
        droppedLinks -= 1;
        continue;
      }
      openLinks -= 1;
    }
    const link = token.type === 'code_inline' && openLinks === 0 ? linkOfCode(token.content) : null;
    rewritten.push(link === null ? token : rawHtml(link));
  }
  return rewritten;
}

/** Error codes and addresses of the site are links wherever a text names them. */
function linkOfCode(code: string): Markup | null {
  if (isErrorCode(code)) return errorLink(code);
  return /^\/docs(\/|$)/.test(code) ? html`<a href="${code}"><code>${code}</code></a>` : null;
}

/** A link to the explanation of an error code. */
export function errorLink(code: string): Markup {
  return html`<a href="/docs/errors#${code}"><code>${code}</code></a>`;
}

function rawHtml(markup: Markup): Token {
  const [token] = parser.parseInline('x', {})[0]?.children ?? [];
  if (token === undefined) throw new Error('the parser made no token');
  token.type = 'html_inline';
  token.content = markup.text;
  return token;
}

/** A wide table scrolls in a box of its own. */
function wrapTables(tokens: readonly Token[]): Token[] {
  const open = rawBlock('<div class="table" tabindex="0">');
  const close = rawBlock('</div>');
  return tokens.flatMap((token) => {
    if (token.type === 'table_open') return [open, token];
    return token.type === 'table_close' ? [token, close] : [token];
  });
}

function rawBlock(content: string): Token {
  const token = rawHtml(new Markup(content));
  token.type = 'html_block';
  return token;
}
