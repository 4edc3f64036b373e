import { readdirSync } from 'node:fs';
import path from 'node:path';
import { renderCalculator } from './calculator.ts';
import { decorateErrors } from './error-guide.ts';
import { html, type Content, Markup } from './html.ts';
import { type LinkTarget, renderMarkdown, type Rendered, type Section, slugOf } from './markdown.ts';
import type { ApiDescription } from './openapi.ts';
import type { Page } from './page.ts';
import { renderStates } from './states.ts';

interface Source {
  /** Below the project's root. */
  readonly file: string;
  /** Titles of the second level; without them, everything that no other page takes. */
  readonly sections?: readonly string[];
}

interface Guide {
  readonly path: string;
  /** By default the document's own. */
  readonly title?: string;
  readonly group: string;
  /** By default the document's first sentence. */
  readonly description?: string;
  readonly sources: readonly Source[];
  /** What is made rather than written, before the text. */
  readonly before?: (api: ApiDescription) => Content;
  readonly decorate?: (rendered: Rendered, api: ApiDescription) => Rendered;
}

/** The guides in the order of the navigation. Their texts are the project's documents. */
const GUIDES: readonly Guide[] = [
  {
    path: '/docs/quick-start',
    title: 'Quick start',
    group: 'Get started',
    description: 'Run the sandbox, make a payment, and call the API from your server.',
    sources: [
      { file: 'docs/quick-start.md' },
      { file: 'README.md', sections: ['Run it', 'Make a payment'] },
      { file: 'docs/api.md', sections: ['A payment step by step'] },
    ],
  },
  {
    path: '/docs/disputes',
    title: 'Disputes',
    group: 'Get started',
    description: 'Chargebacks and what comes before them: stages, money, events.',
    sources: [{ file: 'docs/disputes.md' }],
  },
  {
    path: '/docs/settlements',
    title: 'Settlements',
    group: 'Get started',
    description: 'What providers pay to the bank: fees, entries, exceptions.',
    sources: [{ file: 'docs/settlements.md' }],
  },
  {
    path: '/docs/test-inputs',
    title: 'Test inputs',
    group: 'Get started',
    description: 'Cards and other inputs that decide the outcome in the sandbox.',
    sources: [{ file: 'docs/test-inputs.md' }],
  },
  {
    path: '/docs/going-live',
    title: 'Going live',
    group: 'Get started',
    description: 'What to check before the first real payment.',
    sources: [{ file: 'docs/going-live.md' }],
  },
  {
    path: '/docs/payment-links',
    title: 'Payment links',
    group: 'Get started',
    description: 'An address or QR code at which customers pay, without a shop.',
    sources: [{ file: 'docs/payment-links.md' }],
  },
  {
    path: '/docs/routing',
    title: 'Routing',
    group: 'Get started',
    description: 'Which provider gets a payment: conditions, shares, versions.',
    sources: [{ file: 'docs/routing.md' }],
  },
  {
    path: '/docs/saved-payment-methods',
    title: 'Saved cards',
    group: 'Get started',
    description: 'Keep the card of a customer who agrees to it.',
    sources: [{ file: 'docs/saved-payment-methods.md' }],
  },
  {
    path: '/docs/signature',
    title: 'Signatures',
    group: 'Calling the API',
    description: 'How a request proves who sends it.',
    sources: [{ file: 'docs/api.md', sections: ['Signed requests'] }],
    before: () =>
      html`<p class="note">
        The <a href="/docs/signature-calculator">signature calculator</a> shows each step with your own values.
      </p>`,
  },
  {
    path: '/docs/signature-calculator',
    title: 'Signature calculator',
    group: 'Calling the API',
    description: 'Each step of a signature, with your own values.',
    sources: [],
    before: renderCalculator,
  },
  {
    path: '/docs/idempotency',
    title: 'Idempotency',
    group: 'Calling the API',
    description: 'Requests that can be repeated without doing their work twice.',
    sources: [{ file: 'docs/api.md', sections: ['Idempotency keys', 'Overload'] }],
  },
  {
    path: '/docs/states',
    title: 'Payment states',
    group: 'Calling the API',
    description: 'The states of a payment intent, and what leads from one to the next.',
    sources: [{ file: 'docs/states.md' }],
    before: renderStates,
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    group: 'Calling the API',
    description: 'Each error code: why it happens, and what to do.',
    sources: [{ file: 'docs/errors.md' }],
    decorate: decorateErrors,
  },
  {
    path: '/docs/api',
    title: 'Keys, logs and limits',
    group: 'Calling the API',
    description: 'API keys, the audit log, card numbers, checkout pages, and the client for servers.',
    sources: [{ file: 'docs/api.md' }],
  },
  {
    path: '/docs/providers',
    title: 'Accounts at providers',
    group: 'Providers',
    description: 'Your own accounts at providers: credentials, routes, webhooks, reconciliation.',
    sources: [{ file: 'docs/providers/README.md' }],
  },
  ...providerGuides(),
  {
    path: '/docs/webhooks',
    title: 'Webhooks',
    group: 'Events',
    description: 'Receiving events over HTTP.',
    sources: [{ file: 'docs/webhooks.md' }],
  },
  {
    path: '/docs/sockets',
    title: 'Sockets',
    group: 'Events',
    description: 'Following events over a WebSocket.',
    sources: [{ file: 'docs/sockets.md' }],
  },
  {
    path: '/docs/checkout-sdk',
    title: 'Checkout SDK',
    group: 'SDKs',
    description: 'Payments on a page, with the client secret.',
    sources: [{ file: 'sdk/checkout/README.md' }],
  },
];

/** Each document about providers is a page. */
function providerGuides(): readonly Guide[] {
  const names = readdirSync(path.join('docs', 'providers')).map((file) => path.basename(file, '.md'));
  return names
    .filter((name) => name !== 'README')
    .sort()
    .map((name) => ({
      path: `/docs/providers/${name}`,
      group: 'Providers',
      sources: [{ file: `docs/providers/${name}.md` }],
    }));
}

/** The files that the guides are made of. */
export const GUIDE_FILES: readonly string[] = [
  ...new Set(GUIDES.flatMap(({ sources }) => sources.map(({ file }) => file))),
];

/** Renders all guides. @param texts the contents of `GUIDE_FILES` by their names */
export function renderGuides(api: ApiDescription, texts: ReadonlyMap<string, string>): readonly Page[] {
  const assigned = assignSections(texts);
  return GUIDES.map((guide) => {
    const parts = (assigned.get(guide.path) ?? []).map(({ file, text }) =>
      renderMarkdown(text, linksFrom(file, assigned)),
    );
    const rendered = guide.decorate?.(joined(parts), api) ?? joined(parts);
    const { path: address, group } = guide;
    const document = texts.get(guide.sources[0]?.file ?? '') ?? '';
    const { title = titleOf(document), description = beginningOf(document) } = guide;
    const before = guide.before?.(api);
    return {
      path: address,
      title,
      group,
      description,
      body: html`${before}${rendered.markup}`,
      contents: rendered.sections
        .filter(({ level }) => level === 2)
        .map((section) => ({ href: `#${section.id}`, title: section.title })),
      entries: [
        { href: address, title, text: description },
        ...rendered.sections.map((section) => ({
          href: `${address}#${section.id}`,
          title: section.title,
          text: section.text,
        })),
      ],
    };
  });
}

function titleOf(document: string): string {
  return /^# (.*)/.exec(document)?.[1] ?? '';
}

/** Of the first paragraph, as plain text. */
function beginningOf(document: string): string {
  const [, paragraph = ''] = document.split(/\n{2,}/);
  const plain = paragraph.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
  return /^.*?[.:](?=\s|$)/s.exec(plain)?.[0].replaceAll('\n', ' ').replace(/:$/, '.') ?? plain;
}

interface AssignedText {
  readonly file: string;
  readonly text: string;
}

/** The texts of each page, by its address. @throws Error when a page asks for a section that its file lacks */
function assignSections(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly AssignedText[]> {
  return new Map(
    GUIDES.map(({ path: address, sources }) => [
      address,
      sources.map(({ file, sections }) => {
        const parts = splitSections(texts.get(file) ?? '');
        const taken = GUIDES.flatMap((guide) => guide.sources)
          .filter((source) => source.file === file)
          .flatMap((source) => source.sections ?? []);
        const missing = taken.find((title) => !parts.some((part) => part.title === title));
        if (missing !== undefined) throw new Error(`${file} has no section "${missing}", which ${address} shows.`);
        const chosen = parts.filter(({ title }) =>
          sections === undefined ? !taken.includes(title) : sections.includes(title),
        );
        return { file, text: chosen.map(({ text }) => text).join('\n') };
      }),
    ]),
  );
}

/** Cuts a document before each heading of the second level, and leaves its title out: pages have titles of their own. */
function splitSections(document: string): { readonly title: string; readonly text: string }[] {
  return document.split(/^(?=## )/m).map((text) => ({
    title: /^## (.*)/.exec(text)?.[1] ?? '',
    text: text.replace(/^# .*\n/, ''),
  }));
}

/** Leads links between documents to the pages that show them. */
function linksFrom(from: string, assigned: ReadonlyMap<string, readonly AssignedText[]>): LinkTarget {
  return (href) => {
    if (/^(https?:)?\/\/|^\/docs/.test(href)) return href;
    const [relative = '', anchor = ''] = href.split('#');
    const file = relative === '' ? from : path.posix.join(path.posix.dirname(from), relative);
    const pages = [...assigned].filter(([, parts]) => parts.some((part) => part.file === file));
    const page =
      anchor === ''
        ? pages.find(([, parts]) => parts.some((part) => part.file === file && !isPartial(part)))
        : pages.find(([, parts]) => parts.some((part) => part.file === file && anchorsOf(part.text).includes(anchor)));
    const [address] = page ?? pages[0] ?? [];
    if (address === undefined) return null;
    return anchor === '' ? address : `${address}#${anchor}`;
  };
}

function isPartial({ file, text }: AssignedText): boolean {
  return GUIDES.some(({ sources }) =>
    sources.some((source) => source.file === file && source.sections?.some((title) => text.includes(`## ${title}\n`))),
  );
}

function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#{2,} (.*)$/gm)].map(([, title = '']) => slugOf(title.replaceAll('`', '')));
}

function joined(parts: readonly Rendered[]): Rendered {
  const sections: readonly Section[] = parts.flatMap((part) => part.sections);
  return { markup: new Markup(parts.map(({ markup }) => markup.text).join('\n')), sections };
}
