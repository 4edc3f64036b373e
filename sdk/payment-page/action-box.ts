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

const box = element('action', HTMLDivElement);
let countdown: number | undefined;

/**
 * Shows what the customer has to do. The response and an event both tell it; the second one must not replace a button that the
 * customer has reached by keyboard.
 * @param key another one for each other content
 */
export function showOnce(key: string, makeContent: () => readonly HTMLElement[]): void {
  if (box.dataset.shown === key) return;
  hideAction();
  box.dataset.shown = key;
  box.hidden = false;
  box.replaceChildren(...makeContent());
}

export function hideAction(): void {
  clearInterval(countdown);
  box.hidden = true;
  box.replaceChildren();
  delete box.dataset.shown;
}

/** Shows each second how much time is left, such as `14:59`; null when it is over. Ends with the action that is shown. */
export function countDown(endsAtMs: number, show: (left: string | null) => void): void {
  const update = (): void => {
    const seconds = Math.max(0, Math.round((endsAtMs - performance.now()) / SECOND_MS));
    const rest = String(seconds % SECONDS_IN_MINUTE).padStart(2, '0');
    show(seconds === 0 ? null : `${Math.floor(seconds / SECONDS_IN_MINUTE)}:${rest}`);
  };
  update();
  countdown = setInterval(update, SECOND_MS);
}
