import { element } from './elements.ts';
import type { Notice } from './words/words.ts';

export type Tone = 'good' | 'bad' | 'wait';

const box = element('status', HTMLDivElement);
const title = element('status-title', HTMLParagraphElement);
const text = element('status-text', HTMLParagraphElement);

/**
 * Shows a status, also to screen readers. An outcome is brought into view and gets the focus, because the customer may have
 * scrolled past it; the same one does not take the focus again.
 */
export function showStatus(tone: Tone, [newTitle, newText]: Notice): void {
  const isShown = !box.hidden && box.dataset.tone === tone && title.textContent === newTitle;
  box.hidden = false;
  box.dataset.tone = tone;
  box.setAttribute('role', tone === 'bad' ? 'alert' : 'status');
  title.textContent = newTitle;
  text.textContent = newText;
  if (tone === 'wait' || isShown) return;
  box.focus({ preventScroll: true });
  box.scrollIntoView({ block: 'nearest' });
}

/** Makes a change to the page; when it takes away what the keyboard was at, that goes on at the status. */
export function keepFocus(change: () => void): void {
  const focused = document.activeElement;
  change();
  if (focused !== null && focused !== document.body && !focused.checkVisibility()) box.focus();
}

export function hideStatus(): void {
  box.hidden = true;
}
