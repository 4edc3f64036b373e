import { depositCode, type CryptoDeposit, type NextAction } from '@payment-engine/checkout';
import { button, element, make } from './elements.ts';
import { settle } from './shop-api.ts';

export type Tone = 'good' | 'bad' | 'wait';

const box = element('status', HTMLDivElement);
const action = element('action', HTMLDivElement);

/** Shows the status of the payment, also to screen readers. */
export function showStatus(tone: Tone, title: string, text: string): void {
  box.hidden = false;
  box.dataset.tone = tone;
  element('status-title', HTMLParagraphElement).textContent = title;
  element('status-text', HTMLParagraphElement).textContent = text;
}

/** Makes a change to the page; when it takes away what the keyboard was at, that goes on at the status. */
export function keepFocus(change: () => void): void {
  const focused = document.activeElement;
  change();
  if (focused !== null && focused !== document.body && !focused.checkVisibility()) box.focus();
}

export function hideStatus(): void {
  box.hidden = true;
  hideAction();
}

export function hideAction(): void {
  action.hidden = true;
  action.replaceChildren();
  delete action.dataset.shown;
}

/**
 * Shows what the customer has to do. The answer and an event both tell it; the second one must not replace a button that
 * the customer has reached by keyboard.
 */
export function showAction(nextAction: NextAction, paymentId: string, openBank: () => void): void {
  const shown = JSON.stringify([paymentId, nextAction]);
  if (action.dataset.shown === shown) return;
  action.dataset.shown = shown;
  action.hidden = false;
  switch (nextAction.type) {
    case 'redirect':
      showStatus('wait', 'Your bank asks you to confirm', 'Approve the payment on the page of your bank.');
      return action.replaceChildren(button('Go to my bank', 'second', openBank));
    case 'approve_in_app':
      showStatus('wait', 'Approve in your UPI app', 'We have sent a request to your app. This page goes on by itself.');
      return action.replaceChildren(settleButtons('In the sandbox the app is here:', paymentId));
    case 'crypto_deposit':
      showStatus(
        'wait',
        `Send ${nextAction.amount} ${nextAction.asset}`,
        'This page goes on when the network has seen it.',
      );
      return action.replaceChildren(depositOf(nextAction));
  }
}

/** Shows that the payment is slow, with the sandbox's controls to settle it. */
export function showStuck(paymentId: string): void {
  showStatus(
    'wait',
    'Still working',
    'This takes longer than usual. Nothing is charged twice; we keep asking your bank.',
  );
  delete action.dataset.shown;
  action.hidden = false;
  action.replaceChildren(settleButtons('In the sandbox the bank answers when you say so:', paymentId));
}

function settleButtons(hint: string, paymentId: string): HTMLElement {
  const decide = (outcome: 'approved' | 'declined') => () => {
    settle(paymentId, outcome).catch((error: unknown) => showStatus('bad', 'That did not work', String(error)));
  };
  return make(
    'div',
    { class: 'helper' },
    make('p', { class: 'quiet' }, hint),
    button('Approve', 'second', decide('approved')),
    button('Decline', 'second', decide('declined')),
  );
}

function depositOf(deposit: CryptoDeposit): HTMLElement {
  const facts: readonly (readonly [string, string])[] = [
    ['Amount', `${deposit.amount} ${deposit.asset}`],
    ['Network', deposit.network],
    ['Address', deposit.address],
    ['Counts after', `${deposit.confirmationsRequired} confirmations`],
  ];
  const list = make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  const copy = button('Copy the address', 'second', () => {
    navigator.clipboard.writeText(deposit.address).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'The browser does not let this page copy'),
    );
  });
  return make('div', { class: 'deposit' }, depositCode(deposit), make('div', {}, list, copy));
}
