import type { Page } from './operation-types.ts';

/**
 * Everything on a list, page by page as it is needed. Each page follows the last element of the one before, wherever that is by
 * now: elements that are added, changed or deleted meanwhile, even by the loop itself, make no other be left out or yielded twice.
 * @param readPage reads the page that follows the element with an id; the first page without one
 */
export async function* iterate<Element extends { readonly id: string }>(
  readPage: (startingAfter?: string) => Promise<Page<Element>>,
): AsyncGenerator<Element, void, undefined> {
  let page: Page<Element> | undefined = await readPage();
  while (page !== undefined) {
    const { data, pagination }: Page<Element> = page;
    const last = data.at(-1);
    if (last === undefined) return;
    yield* data.slice(0, -1);
    // The next page is read before the loop gets the last element, which it may delete.
    page = data.length < pagination.limit ? undefined : await readPage(last.id);
    yield last;
  }
}
