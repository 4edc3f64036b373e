import { element } from './elements.ts';

/** What the customer can do while the payment waits for them. */
export interface ActionContext {
  /** Until when, on the clock of `performance.now()`, which is right also where the computer's date is wrong. */
  readonly endsAtMs: number;
  readonly openBank: () => void;
  readonly cancel: () => void;
}

const SECOND_MS = 1_000;
const SECONDS_IN_MINUTE = 60;

const panel = element('action', HTMLDivElement);
let countdown: number | undefined;

/**
 * Shows what the customer has to do, once: a response and an event both report the action, and the second report must not replace a
 * button that has the keyboard's focus.
 * @param key a content with the same key is not shown again
 */
export function showOnce(key: string, makeContent: () => readonly HTMLElement[]): void {
  if (panel.dataset.shown === key) return;
  hideAction();
  panel.dataset.shown = key;
  panel.hidden = false;
  panel.replaceChildren(...makeContent());
}

export function hideAction(): void {
  clearInterval(countdown);
  panel.hidden = true;
  panel.replaceChildren();
  delete panel.dataset.shown;
}

/** Calls `show` each second with the time left, such as `14:59`, or null when it is over, until another action is shown or none. */
export function countDown(endsAtMs: number, show: (left: string | null) => void): void {
  const update = (): void => {
    const seconds = Math.max(0, Math.round((endsAtMs - performance.now()) / SECOND_MS));
    const rest = String(seconds % SECONDS_IN_MINUTE).padStart(2, '0');
    show(seconds === 0 ? null : `${Math.floor(seconds / SECONDS_IN_MINUTE)}:${rest}`);
  };
  update();
  countdown = setInterval(update, SECOND_MS);
}
