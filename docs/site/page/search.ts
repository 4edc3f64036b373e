import MiniSearch, { type SearchResult } from 'minisearch';
import { element, find } from './dom.ts';

interface Entry {
  readonly id: string;
  readonly page: string;
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

const RESULTS_SHOWN = 12;

let loading: Promise<MiniSearch<Entry>> | undefined;

/** Connects the search dialog, its button, and the keys `/` and Ctrl-K. */
export function startSearch(): void {
  const dialog = find('search', HTMLDialogElement);
  const input = find('search-words', HTMLInputElement);
  if (dialog === undefined || input === undefined) return;
  const open = () => {
    dialog.showModal();
    input.select();
  };
  find('search-open', HTMLButtonElement)?.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, dialog[open]') !== null;
    const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut || dialog.open) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', () => void showResults(input.value));
  input.form?.addEventListener('submit', (event) => {
    const first = document.querySelector<HTMLAnchorElement>('#search-results a');
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.matches(':focus')) return;
    event.preventDefault();
    first?.click();
  });
  find('search-results', HTMLUListElement)?.addEventListener('click', () => dialog.close());
}

async function showResults(words: string): Promise<void> {
  const list = find('search-results', HTMLUListElement);
  const count = document.getElementById('search-count');
  if (list === undefined || count === null) return;
  loading ??= loadIndex();
  const index = await loading.catch(() => undefined);
  if (index === undefined) {
    // The next key that the reader types loads it again.
    loading = undefined;
    list.replaceChildren();
    count.textContent = 'The search could not be loaded. Check the connection, then type on.';
    return;
  }
  if (words !== find('search-words', HTMLInputElement)?.value) return;
  const exact = words.trim() === '' ? [] : index.search(words);
  // Only a word that is nowhere may be a misspelled one.
  const results = exact.length > 0 || words.trim() === '' ? exact : index.search(words, { fuzzy: 0.2 });
  list.replaceChildren(...results.slice(0, RESULTS_SHOWN).map(renderResult));
  count.textContent = words.trim() === '' ? '' : results.length === 1 ? '1 result' : `${results.length} results`;
}

const LOADED_WITHIN_MS = 60_000;

async function loadIndex(): Promise<MiniSearch<Entry>> {
  const signal = AbortSignal.timeout(LOADED_WITHIN_MS);
  const response = await fetch(document.documentElement.dataset.search ?? '', { signal });
  if (!response.ok) throw new Error(`the search index was answered with ${response.status}`);
  const entries: unknown = await response.json();
  if (!isEntries(entries)) throw new TypeError('the search index is not a list');
  const index = new MiniSearch<Entry>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'href'],
    // Codes and header names are found by their parts too.
    tokenize: (text) =>
      [...text.split(/[^\p{L}\p{N}_]+/u), ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word !== ''),
    searchOptions: { boost: { title: 4, page: 2 }, prefix: true, combineWith: 'AND' },
  });
  index.addAll(entries);
  return index;
}

/** The build writes the list, so that its entries are as declared. */
function isEntries(value: unknown): value is readonly Entry[] {
  return Array.isArray(value);
}

function renderResult(result: SearchResult): HTMLLIElement {
  const item = element('li');
  const link = element('a');
  link.href = String(result.href);
  link.append(element('strong', { text: String(result.title) }), element('span', { text: String(result.page) }));
  item.append(link);
  return item;
}
