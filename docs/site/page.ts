import type { Markup } from './html.ts';

export interface PageLink {
  readonly href: string;
  readonly title: string;
}

/** What the search finds. */
export interface SearchEntry extends PageLink {
  readonly text: string;
}

/** A page of the site, without what surrounds all pages. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** The part of the navigation that lists it. */
  readonly group: string;
  readonly description: string;
  readonly body: Markup;
  /** The headings below the title. */
  readonly contents: readonly PageLink[];
  readonly entries: readonly SearchEntry[];
  /** Whether it has no table of contents beside the text, because code is there. */
  readonly isWide?: boolean;
}
