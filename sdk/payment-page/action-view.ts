import { type CryptoDeposit, depositCode, type NextAction, upiCode } from '../checkout/index.ts';
import { READER } from './context.ts';
import { button, element, factList, make } from './elements.ts';
import { showStatus } from './status-view.ts';
import { fill } from './words/index.ts';
import type { Notice } from './words/words.ts';

/** What the customer can do while the payment waits for them. */
export interface ActionContext {
  /** Until when, on the clock of `performance.now()`, which is right also where the computer's date is wrong. */
  readonly endsAtMs: number;
  readonly openBank: () => void;
  readonly cancel: () => void;
}

const SECOND_MS = 1_000;
const SECONDS_IN_MINUTE = 60;
const { words } = READER;
const action = element('action', HTMLDivElement);
let countdown: number | undefined;

export function hideAction(): void {
  clearInterval(countdown);
  action.hidden = true;
  action.replaceChildren();
  delete action.dataset.shown;
}

/** Shows what the customer has to do; the same action again does not replace a button that the keyboard has reached. */
export function showAction(nextAction: NextAction, context: ActionContext): void {
  const shown = JSON.stringify([context.endsAtMs, nextAction]);
  if (action.dataset.shown === shown) return;
  hideAction();
  action.dataset.shown = shown;
  action.hidden = false;
  showStatus('wait', noticeOf(nextAction));
  action.replaceChildren(
    timeLeft(context.endsAtMs),
    ...partsOf(nextAction, context),
    button(words.cancel, context.cancel),
  );
}

function noticeOf(nextAction: NextAction): Notice {
  switch (nextAction.type) {
    case 'redirect':
      return words.redirect;
    case 'approve_in_app':
      return words.approve;
    case 'crypto_deposit': {
      const [title, text] = words.deposit;
      return [fill(title, { amount: amountOf(nextAction) }), text];
    }
  }
}

function amountOf({ amount, asset }: CryptoDeposit): string {
  return `${amount} ${asset}`;
}

function partsOf(nextAction: NextAction, { openBank }: ActionContext): readonly HTMLElement[] {
  switch (nextAction.type) {
    case 'redirect':
      return [button(words.toBank, openBank)];
    case 'approve_in_app':
      return nextAction.link === null ? [] : upiParts(nextAction.link);
    case 'crypto_deposit':
      return depositParts(nextAction);
  }
}

/** The link opens an app on this phone; the code is for an app on another one. */
function upiParts(link: string): readonly HTMLElement[] {
  return [
    make('div', { class: 'code' }, upiCode(link, words.upiCode)),
    ...(link.startsWith('upi:') ? [make('a', { class: 'second', href: link, rel: 'noreferrer' }, words.openApp)] : []),
  ];
}

function depositParts(deposit: CryptoDeposit): readonly HTMLElement[] {
  const { network, address } = deposit;
  const amount = amountOf(deposit);
  const copy = button(words.copyAddress, () => {
    navigator.clipboard.writeText(address).then(
      () => (copy.textContent = words.copied),
      () => (copy.textContent = words.notCopied),
    );
  });
  return [
    make('div', { class: 'code' }, depositCode(deposit)),
    factList([
      [words.depositAmount, amount],
      [words.network, network],
      [words.address, address],
    ]),
    copy,
    make('p', { class: 'terms' }, fill(words.depositTerms, { amount, network })),
  ];
}

/** A countdown to the payment's expiry. Screen readers say it when it is reached, not every second. */
function timeLeft(endsAtMs: number): HTMLElement {
  const time = make('p', { class: 'quiet time-left', role: 'timer', 'aria-live': 'off' });
  const update = (): void => {
    const seconds = Math.max(0, Math.round((endsAtMs - performance.now()) / SECOND_MS));
    const rest = String(seconds % SECONDS_IN_MINUTE).padStart(2, '0');
    const left = `${Math.floor(seconds / SECONDS_IN_MINUTE)}:${rest}`;
    time.textContent = seconds === 0 ? words.timeOver : fill(words.timeLeft, { time: left });
  };
  update();
  countdown = setInterval(update, SECOND_MS);
  return time;
}
