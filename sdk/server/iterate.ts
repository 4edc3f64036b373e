import type { Page } from './operation-types.ts';

/**
 * Everything on a list, page by page as it is asked for. What is added meanwhile moves the pages on: nothing is given
 * twice for that, but what was added is not given either.
 * @param readPage reads a page, counted from 1
 */
export async function* iterate<Element extends { readonly id: string }>(
  readPage: (page: number) => Promise<Page<Element>>,
): AsyncGenerator<Element, void, undefined> {
  let given = new Set<string>();
  for (let number = 1; ; number += 1) {
    const { data, pagination } = await readPage(number);
    for (const element of data) if (!given.has(element.id)) yield element;
    given = new Set(data.map(({ id }) => id));
    if (data.length < pagination.limit) return;
    if (pagination.totalIsEstimate !== true && number >= pagination.totalPages) return;
  }
}
