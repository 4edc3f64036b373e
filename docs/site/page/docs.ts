import { startCalculator } from './calculator.ts';
import { element, find } from './dom.ts';
import { startKeyDialog } from './sandbox-key.ts';
import { startSearch } from './search.ts';
import { startTryIt } from './try-it.ts';

/** The script of all pages. It runs before the body is shown, so that no page flashes in the other colours. */
const THEMES = ['system', 'light', 'dark'] as const;
/** What the button says of each. */
const LABELS: Readonly<Record<string, string>> = { system: 'Theme: auto', light: 'Theme: light', dark: 'Theme: dark' };
const THEME_KEY = 'docs-theme';

document.documentElement.classList.add('has-script');
applyTheme(storedTheme());
document.addEventListener('DOMContentLoaded', () => {
  startMenu();
  startThemeButton();
  startKeyDialog();
  startSearch();
  startPage();
  keepScriptAcrossPages();
});

/** Adds the behaviour of the parts that differ from page to page. */
function startPage(): void {
  for (const block of document.querySelectorAll<HTMLPreElement>('main pre')) addCopyButton(block);
  for (const samples of document.querySelectorAll('.samples')) samples.addEventListener('change', chooseLanguage);
  startTryIt(document);
  startCalculator();
  openTarget();
  showCurrentLink();
}

/** Scrolls the navigation, and nothing else, to the link of this page. */
function showCurrentLink(): void {
  const navigation = document.getElementById('navigation');
  const link = navigation?.querySelector<HTMLElement>('[aria-current]');
  if (navigation === null || link === null || link === undefined) return;
  const isBelow = link.offsetTop + link.offsetHeight > navigation.clientHeight;
  if (isBelow) navigation.scrollTop = link.offsetTop - navigation.clientHeight / 3;
}

function startMenu(): void {
  const button = find('menu', HTMLButtonElement);
  button?.addEventListener('click', () => setMenu(button.getAttribute('aria-expanded') !== 'true'));
}

function setMenu(isOpen: boolean): void {
  find('menu', HTMLButtonElement)?.setAttribute('aria-expanded', String(isOpen));
}

/** The choice of an earlier visit; a browser may refuse to store any. */
function storedTheme(): string {
  try {
    return localStorage.getItem(THEME_KEY) ?? 'system';
  } catch {
    return 'system';
  }
}

function applyTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
}

function startThemeButton(): void {
  const button = find('theme', HTMLButtonElement);
  if (button === undefined) return;
  const label = () => (button.textContent = LABELS[document.documentElement.dataset.theme ?? ''] ?? 'Theme');
  label();
  button.addEventListener('click', () => {
    const index = THEMES.findIndex((theme) => theme === document.documentElement.dataset.theme);
    const next = THEMES[(index + 1) % THEMES.length] ?? 'system';
    applyTheme(next);
    label();
    try {
      localStorage.setItem(THEME_KEY, next);
    } catch {
      // The choice then ends with the page.
    }
  });
}

function addCopyButton(block: HTMLPreElement): void {
  const button = element('button', { text: 'Copy', className: 'copy' });
  button.type = 'button';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.textContent.replaceAll('↵', '')).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
  });
  const box = element('div', { className: 'copyable' });
  block.replaceWith(box);
  box.append(block, button);
}

/** Shows all samples of the page in the language that was chosen for one. */
function chooseLanguage({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return;
  const { label } = target.dataset;
  for (const input of document.querySelectorAll<HTMLInputElement>('.samples input')) {
    if (input.dataset.label === label) input.checked = true;
  }
}

/** Opens the folded part that the address points into. */
function openTarget(): void {
  const target = document.getElementById(idInAddress());
  const folded = target?.closest('details');
  if (folded !== null && folded !== undefined) folded.open = true;
}

/** Empty where the address names none, or is malformed. */
function idInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/**
 * Replaces the content instead of loading the next page, so that the sandbox key stays in memory. Browsers without the
 * Navigation API load pages as usual, and the reader enters the key again.
 */
function keepScriptAcrossPages(): void {
  if (!('navigation' in globalThis)) return;
  let shown = location.pathname;
  navigation.addEventListener('navigate', (event) => {
    const { pathname } = new URL(event.destination.url);
    const isOtherPage = pathname !== shown && /^\/docs(\/|$)/.test(pathname) && !pathname.startsWith('/docs/assets/');
    if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || !isOtherPage) return;
    event.intercept({
      handler: async () => {
        const response = await fetch(pathname, { signal: event.signal });
        const next = new DOMParser().parseFromString(await response.text(), 'text/html');
        const [columns, nextColumns] = [document.querySelector('.columns'), next.querySelector('.columns')];
        if (!response.ok || columns === null || nextColumns === null) return location.reload();
        shown = pathname;
        document.title = next.title;
        columns.replaceWith(nextColumns);
        setMenu(false);
        startPage();
      },
    });
  });
}
