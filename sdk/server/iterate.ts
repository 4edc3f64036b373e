import type { Page } from './operation-types.ts';

/** The engine counts no further pages of one list. */
const LAST_PAGE = 1_000;
const ONE_MS = 1;

/**
 * Everything on a list, page by page as it is needed. Rows that are added meanwhile shift the pages: nothing is yielded
 * twice for that, but what was added may be missing. Rows that leave the list shift them too, and other rows
 * are then skipped: read the whole list before you change its elements.
 * @param readPage reads a page, counted from 1. After the last page that the API serves, they are counted from 1 again, and begin
 * with what was created before `createdBefore`, or with what follows `last`
 */
export async function* iterate<Element extends { readonly id: string; readonly createdAt?: string }>(
  readPage: (page: number, createdBefore?: string, last?: Element) => Promise<Page<Element>>,
): AsyncGenerator<Element, void, undefined> {
  let yielded = new Set<string>();
  let createdBefore: string | undefined;
  let lastOfPages: Element | undefined;
  for (let number = 1; ; number += 1) {
    const { data, pagination } = await readPage(number, createdBefore, lastOfPages);
    for (const element of data) if (!yielded.has(element.id)) yield element;
    for (const { id } of data) yielded.add(id);
    if (data.length < pagination.limit) return;
    if (pagination.totalIsEstimate !== true && number >= pagination.totalPages) return;
    const last = data.at(-1);
    if (number === LAST_PAGE && last?.createdAt !== undefined) {
      lastOfPages = last;
      // Others of the same moment may be still to come.
      createdBefore = new Date(Date.parse(last.createdAt) + ONE_MS).toISOString();
      yielded = new Set(data.map(({ id }) => id));
      number = 0;
    }
  }
}
