import {
  type Checkout,
  type ConfirmResult,
  createCheckout,
  type PaymentEvent,
  type PaymentEventName,
  type RedirectMode,
  resumeCheckout,
} from '@payment-engine/checkout';
import { element } from './elements.ts';
import { explain } from './explain.ts';
import { showLive, showTimeline } from './live-view.ts';
import { chosenMethod, chosenScenario, readMethod, showProblem, startForm } from './payment-form.ts';
import { createPayment } from './shop-api.ts';

import { hideAction, hideStatus, keepFocus, showAction, showStatus, showStuck, type Tone } from './status-view.ts';
import type { Method } from './test-inputs.ts';

const PAID = ['good', 'Paid. Thank you!', 'Your lamp is on its way.'] as const;
const PRICES = { card: '€ 49.00', upi: '₹ 4,500.00', crypto: '€ 49.00' } as const;

const form = element('form', HTMLFormElement);
const pay = element('pay', HTMLButtonElement);
const again = element('again', HTMLButtonElement);
const popup = element('popup', HTMLInputElement);

/** The payment of this order, as long as it can still be paid; another currency or scenario needs another one. */
let current: { readonly checkout: Checkout; readonly terms: string } | null = null;
/** Whose events are shown. */
let shown: Checkout | null = null;
let isPaying = false;
/** Whether the last attempt to pay has its outcome; events that led to it may come after the answer. */
let isDecided = false;

startForm(showPrice);
showPrice();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!isPaying) void payOrder();
});
again.addEventListener('click', startAnew);
comeBack();

function showPrice(): void {
  const price = PRICES[chosenMethod()];
  element('price', HTMLParagraphElement).textContent = price;
  if (!isPaying) pay.textContent = `Pay ${price}`;
}

/** Resumes the checkout of a customer who returns from the bank. */
function comeBack(): void {
  const checkout = resumeCheckout();
  if (checkout === null) return;
  history.replaceState(null, '', '/demo');
  form.hidden = true;
  showStatus('wait', 'Welcome back', 'We are asking your bank what became of the payment …');
  follow(checkout, termsOf('card', null));
  void checkout.status().then(({ status, nextAction }) => {
    if (status === 'requires_action' && nextAction !== null) {
      showAction(nextAction, checkout.paymentIntentId, () => void checkout.startAction());
    }
    if (status === 'requires_payment_method')
      takeAnother('Not paid', 'Your bank did not approve. Please try another way to pay.');
  });
}

async function payOrder(): Promise<void> {
  const paymentMethod = readMethod();
  if (paymentMethod === null) return;
  setPaying(true);
  isDecided = false;
  hideStatus();
  showStatus('wait', 'Paying …', 'Please stay on this page.');
  try {
    const checkout = await checkoutOfOrder();
    const returnUrl = `${location.origin}/demo?back`;
    const redirect = redirectMode();
    const result = await checkout.confirm({ paymentMethod, returnUrl, redirect });
    keepFocus(() => showResult(checkout, result));
  } catch (error) {
    showStatus('bad', 'Not paid', error instanceof Error ? error.message : String(error));
  } finally {
    setPaying(false);
  }
}

function showResult(checkout: Checkout, { outcome, error, nextAction }: ConfirmResult): void {
  isDecided = outcome === 'declined' || outcome === 'succeeded' || outcome === 'failed';
  if (outcome === 'succeeded') finish(checkout, ...PAID);
  if (nextAction !== null) {
    showAction(nextAction, checkout.paymentIntentId, () => void checkout.startAction(redirectMode()));
    form.hidden = true;
  }
  if (outcome === 'refused' && error !== null) {
    hideStatus();
    showProblem(error);
  }
  if (outcome === 'declined' && error !== null) takeAnother('Not paid', error.message);
  if (outcome === 'unknown') showStatus('wait', 'No answer yet', 'We go on asking; do not pay again.');
}

function termsOf(method: Method, scenario: string | null): string {
  return `${PRICES[method]} ${scenario ?? ''}`;
}

async function checkoutOfOrder(): Promise<Checkout> {
  const method = chosenMethod();
  const scenario = chosenScenario();
  const terms = termsOf(method, scenario);
  if (current?.terms === terms) return current.checkout;
  current?.checkout.close();
  const { clientSecret, apiUrl } = await createPayment(method, scenario);
  const checkout = createCheckout({ clientSecret, baseUrl: apiUrl });
  follow(checkout, terms);
  return checkout;
}

/** Shows the events of a payment, as long as the customer stays on it. */
function follow(checkout: Checkout, terms: string): void {
  current = { checkout, terms };
  shown = checkout;
  const id = checkout.paymentIntentId;
  showLive(checkout);
  const onShown = (name: PaymentEventName, show: (event: PaymentEvent) => void): void => {
    checkout.on(name, (event) => {
      if (shown === checkout) keepFocus(() => show(event));
    });
  };
  onShown('payment-processing', () => {
    if (isDecided) return;
    hideAction();
    form.hidden = true;
    showStatus('wait', 'Working on it', 'The payment is being processed. This page goes on by itself.');
  });
  onShown('payment-requires-action', ({ nextAction }) => {
    form.hidden = true;
    if (nextAction !== null) showAction(nextAction, id, () => void checkout.startAction(redirectMode()));
  });
  onShown('advisory', () => showStuck(id));
  onShown('payment-failed', ({ error, terminal }) => {
    if (terminal) finish(checkout, 'bad', 'The payment failed', explain(error));
    else takeAnother('Not paid', error?.message ?? 'Please try another way to pay.');
  });
  onShown('payment-succeeded', () => finish(checkout, ...PAID));
  onShown('payment-canceled', ({ error }) =>
    finish(checkout, 'bad', 'Canceled', error?.message ?? 'Nothing was charged.'),
  );
  onShown('payment-expired', () =>
    finish(checkout, 'bad', 'Too late', 'The time to pay is over; nothing was charged.'),
  );
}

function finish({ paymentIntentId }: Checkout, tone: Tone, title: string, text: string): void {
  current = null;
  hideAction();
  form.hidden = true;
  again.hidden = false;
  again.textContent = tone === 'good' ? 'Buy another lamp' : 'Begin again';
  showStatus(tone, title, text);
  void showTimeline(paymentIntentId);
}

function redirectMode(): RedirectMode {
  return popup.checked ? 'popup' : 'page';
}

function takeAnother(title: string, text: string): void {
  hideAction();
  form.hidden = false;
  showStatus('bad', title, text);
  if (current !== null) void showTimeline(current.checkout.paymentIntentId);
}

function startAnew(): void {
  shown = null;
  current?.checkout.close();
  current = null;
  again.hidden = true;
  form.hidden = false;
  hideStatus();
  element('pay-heading', HTMLHeadingElement).focus();
}

function setPaying(paying: boolean): void {
  isPaying = paying;
  pay.setAttribute('aria-disabled', String(paying));
  if (paying) pay.textContent = 'Paying …';
  else showPrice();
}
