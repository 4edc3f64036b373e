import { depositCode, type CryptoDeposit, type NextAction, upiCode } from '@payment-engine/checkout';
import { type ActionContext, countDown, showOnce } from '../../../sdk/payment-page/action-panel.ts';
import { button, factList, make } from '../../../sdk/payment-page/elements.ts';
import { showStatus } from '../../../sdk/payment-page/status-view.ts';
import { messageOf } from './explain.ts';
import { settle } from './shop-api.ts';

interface OrderActionContext extends ActionContext {
  readonly orderNumber: string;
}

/** Shows what the customer has to do. */
export function showAction(nextAction: NextAction, context: OrderActionContext): void {
  showOnce(JSON.stringify([context.endsAtMs, nextAction]), () => {
    showStatus('wait', describeAction(nextAction));
    const cancel = button('Cancel and pay another way', context.cancel);
    return [timeLeft(context.endsAtMs), ...partsOf(nextAction, context), cancel];
  });
}

/** Shows that the payment is slow, with the sandbox's controls to settle it. */
export function showStuck(orderNumber: string): void {
  const text = 'This takes longer than usual. Nothing is charged twice; we keep asking your bank.';
  showStatus('wait', ['Still working', text]);
  showOnce('stuck', () => [settleButtons('In the sandbox the bank answers when you say so:', orderNumber)]);
}

function describeAction(nextAction: NextAction): readonly [title: string, text: string] {
  switch (nextAction.type) {
    case 'redirect':
      return ['Your bank asks you to confirm', 'Approve the payment on the page of your bank.'];
    case 'approve_in_app':
      return [
        'Approve in your UPI app',
        'Approve the request in your app, or pay with this code. This page goes on by itself.',
      ];
    case 'crypto_deposit':
      return [`Send ${nextAction.amount} ${nextAction.asset}`, 'This page goes on when the network has seen it.'];
  }
}

function partsOf(nextAction: NextAction, { orderNumber, openBank }: OrderActionContext): readonly HTMLElement[] {
  switch (nextAction.type) {
    case 'redirect':
      return [button('Go to my bank', openBank)];
    case 'approve_in_app':
      return [...upiParts(nextAction.link), settleButtons('In the sandbox the app is here:', orderNumber)];
    case 'crypto_deposit':
      return [depositOf(nextAction), make('p', { class: 'terms' }, termsOf(nextAction, orderNumber))];
  }
}

/** The link opens an app on this phone; the code is for an app on another one. */
function upiParts(link: string | null): readonly HTMLElement[] {
  if (link === null) return [];
  const open = make('a', { class: 'second', href: link, rel: 'noreferrer' }, 'Open my UPI app');
  const hint = make('p', {}, 'Scan the code with a UPI app, or open the app on this phone.');
  return [make('div', { class: 'deposit' }, upiCode(link), make('div', {}, hint, open))];
}

function termsOf({ asset, network, amount }: CryptoDeposit, orderNumber: string): string {
  return (
    `Send exactly ${amount} ${asset} in one transfer, on the network ${network}, before the time is over. ` +
    'If another amount arrives, or it arrives late, the order is not paid. You can then pay it another way; ' +
    `to get the deposit back, write to us with the order number ${orderNumber} and the transaction.`
  );
}

/** A countdown to the payment's expiry. Screen readers say it when it is reached, not every second. */
function timeLeft(endsAtMs: number): HTMLElement {
  const time = make('span', { role: 'timer', 'aria-live': 'off' });
  countDown(endsAtMs, (left) => (time.textContent = left ?? 'none; we are finding out how it ended'));
  return make('p', { class: 'quiet time-left' }, 'Time left: ', time);
}

function settleButtons(hint: string, orderNumber: string): HTMLElement {
  const decide = (outcome: 'approved' | 'declined') => () => {
    settle(orderNumber, outcome).catch((error: unknown) => showStatus('bad', ['That did not work', messageOf(error)]));
  };
  return make(
    'div',
    { class: 'helper' },
    make('p', { class: 'quiet' }, hint),
    button('Approve', decide('approved')),
    button('Decline', decide('declined')),
  );
}

function depositOf(deposit: CryptoDeposit): HTMLElement {
  const list = factList([
    ['Amount', `${deposit.amount} ${deposit.asset}`],
    ['Network', deposit.network],
    ['Address', deposit.address],
    ['Counts after', `${deposit.confirmationsRequired} confirmations`],
    ...(deposit.expiresAt === null ? [] : [['Valid until', new Date(deposit.expiresAt).toLocaleString()] as const]),
  ]);
  const copy = button('Copy the address', () => {
    navigator.clipboard.writeText(deposit.address).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'The browser does not let this page copy'),
    );
  });
  return make('div', { class: 'deposit' }, depositCode(deposit), make('div', {}, list, copy));
}
