import { type CryptoDeposit, depositCode, type NextAction, upiCode } from '../checkout/index.ts';
import { type ActionContext, countDown, showOnce } from './action-panel.ts';
import { READER } from './context.ts';
import { button, factList, make } from './elements.ts';
import { showStatus } from './status-view.ts';
import { fill } from './words/index.ts';
import type { Notice } from './words/words.ts';

const { words } = READER;

/** Shows what the customer has to do. */
export function showAction(nextAction: NextAction, context: ActionContext): void {
  showOnce(JSON.stringify([context.endsAtMs, nextAction]), () => {
    showStatus('wait', noticeOf(nextAction));
    return [timeLeft(context.endsAtMs), ...partsOf(nextAction, context), button(words.cancel, context.cancel)];
  });
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
  countDown(endsAtMs, (left) => {
    time.textContent = left === null ? words.timeOver : fill(words.timeLeft, { time: left });
  });
  return time;
}
