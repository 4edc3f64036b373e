import {
  type Checkout,
  type CheckoutError,
  type ConfirmOptions,
  type ConfirmResult,
  createCheckout,
  type NextAction,
  type PaymentEventName,
  type PaymentStatus,
  type RedirectMode,
} from '@payment-engine/checkout';
import { element } from '../../../sdk/payment-page/elements.ts';
import { hideStatus, keepFocus, showStatus, type Tone } from '../../../sdk/payment-page/status-view.ts';
import { hideAction } from '../../../sdk/payment-page/action-panel.ts';
import { showAction, showStuck } from './action-view.ts';
import { explain, messageOf } from './explain.ts';
import { showLive, showTimeline } from './live-view.ts';
import {
  chooseMethod,
  chosenMethod,
  chosenScenario,
  type PaymentInput,
  readInput,
  showMethod,
  showProblem,
  startForm,
} from './payment-form.ts';
import { hideReceipt, showReceipt } from './receipt-view.ts';
import { consentOf, forgetConsent, showRenewal, showSavedCards } from './saved-cards.ts';
import {
  cancelPayment,
  type Order,
  type OrderPayment,
  preparePayment,
  readNextOrder,
  readOrder,
  renew,
} from './shop-api.ts';

/** What the customer is told to expect; the shop's server has the prices that count. */
const PRICES = { card: '€49.00', upi: '₹4,500.00', crypto: '€49.00' } as const;
const STATE_EVENTS: readonly PaymentEventName[] = [
  'payment-processing',
  'payment-requires-action',
  'payment-amount-capturable',
  'payment-succeeded',
  'payment-failed',
  'payment-canceled',
  'payment-expired',
];

const form = element('form', HTMLFormElement);
const pay = element('pay', HTMLButtonElement);
const again = element('again', HTMLButtonElement);
const popup = element('popup', HTMLInputElement);
const loading = element('loading', HTMLParagraphElement);

/** A payment that this page follows. */
interface Followed {
  readonly checkout: Checkout;
  /** Until when the customer may pay, on the clock of `performance.now()`. */
  readonly endsAtMs: number;
}

interface PaymentState {
  readonly status: PaymentStatus;
  readonly nextAction: NextAction | null;
  readonly error: CheckoutError | null;
}

/** What the customer can do next, with the button at the end. */
interface Next {
  readonly label: string;
  readonly run: () => void;
}

const BUY_ANOTHER: Next = { label: 'Buy another lamp', run: () => void load(readNextOrder) };
/** The order stays the same; the shop's server gives it another payment, because this one has ended. */
const PAY_ANOTHER_WAY: Next = { label: 'Pay another way', run: showForm };

let order: Order | null = null;
let runNext: () => void = () => undefined;
/** The payment of the order; null before the first one, and where it has ended. */
let current: Followed | null = null;
let isPaying = false;
/** Whether the last attempt to pay has its outcome; events that led to it may come after the response. */
let isDecided = false;
/** The status that the latest event of the attempt has led to. */
let latestOfEvents: PaymentStatus | null = null;
/** Whether the response has told what the customer has to do before its event came; the event of `processing` may come between. */
let isActionAnnounced = false;

startForm(showPrice);
showPrice();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!isPaying) void payOrder();
});
again.addEventListener('click', continueOrder);
element('renew', HTMLButtonElement).addEventListener('click', () => {
  if (!isPaying) void renewOrder();
});
void load(readOrder);

function showPrice(): void {
  const price = PRICES[chosenMethod()];
  element('price', HTMLParagraphElement).textContent = price;
  if (!isPaying) pay.textContent = `Pay ${price}`;
}

/** Shows the visitor's order: to be paid, or where its payment is. The shop's server knows it, so the page stores nothing. */
async function load(read: () => Promise<Order>): Promise<void> {
  loading.hidden = false;
  try {
    await showOrder(await read());
  } catch (error) {
    showStatus('bad', ['The order could not be loaded', messageOf(error)]);
    offerNext({ label: 'Try again', run: () => void load(readOrder) });
  } finally {
    loading.hidden = true;
  }
}

async function showOrder(loaded: Order): Promise<void> {
  order = loaded;
  element('order-number', HTMLSpanElement).textContent = loaded.number;
  forgetConsent();
  showSavedCards(loaded.savedCards);
  showMethod();
  if (loaded.payment === null) return showForm();
  chooseMethod(loaded.payment.method);
  showPrice();
  await showNow(follow(loaded, loaded.payment));
}

/** Shows the state that the payment has now. */
async function showNow(followed: Followed): Promise<void> {
  const { status, nextAction, payment } = await followed.checkout.status();
  if (followed !== current) return;
  if (status === null) {
    showStatus('wait', ['No answer yet', 'The payment service cannot be reached.']);
    return offerNext({ label: 'Try again', run: () => void showNow(followed) });
  }
  keepFocus(() => showState(followed, { status, nextAction, error: payment?.lastError ?? null }));
  if (payment?.isStuck === true && status === 'processing') showStuck(orderNumber());
}

async function payOrder(): Promise<void> {
  if (order === null) return;
  setPaying(true);
  try {
    const input = await readInput();
    if (input !== null) await payWith(order, input);
  } catch (error) {
    showStatus('bad', ['Not paid', messageOf(error)]);
  } finally {
    setPaying(false);
  }
}

/** Has the shop charge the saved card for the next order, and shows what came of it. */
async function renewOrder(): Promise<void> {
  setPaying(true);
  beginAttempt();
  hideReceipt();
  showStatus('wait', ['Charging your saved card …', 'The shop does this while you are away.']);
  try {
    await showOrder(await renew());
  } catch (error) {
    showStatus('bad', ['Not charged', messageOf(error)]);
  } finally {
    setPaying(false);
  }
}

async function payWith(paid: Order, input: PaymentInput): Promise<void> {
  beginAttempt();
  showStatus('wait', ['Paying …', 'You may load this page again: the order is paid once.']);
  const payment = await preparePayment(paid.number, chosenMethod(), chosenScenario());
  const followed = follow(paid, payment);
  const { checkout } = followed;
  const method = await methodOf(followed, input, payment.clientSecret);
  if (method === null) return;
  const returnUrl = `${location.origin}/demo${location.search}`;
  const result = await checkout.confirm({ ...method, ...consentOf(), returnUrl, redirect: redirectMode() });
  keepFocus(() => showResult(checkout, result));
}

/** The part of a confirm that says what is paid with; null after having shown why there is none. */
async function methodOf(
  followed: Followed,
  input: PaymentInput,
  clientSecret: string,
): Promise<Pick<ConfirmOptions, 'paymentMethod' | 'paymentMethodId'> | null> {
  if (input.kind === 'method') return { paymentMethod: input.paymentMethod };
  const { paymentMethodId, error } = await input.fields.createPaymentMethod(clientSecret);
  if (paymentMethodId !== null) return { paymentMethodId };
  hideStatus();
  // The payment is under way or has ended, for example in another tab.
  if (error?.code === 'STATE_CONFLICT') await showNow(followed);
  else if (error?.code !== 'CARD_FIELDS_INVALID') showStatus('bad', ['Not paid', explain(error, orderNumber())]);
  return null;
}

function showResult(checkout: Checkout, { outcome, payment, error }: ConfirmResult): void {
  isDecided = outcome === 'declined' || outcome === 'succeeded' || outcome === 'failed';
  isActionAnnounced = outcome === 'requires_action' && latestOfEvents !== 'requires_action';
  if (outcome === 'refused' && error !== null) {
    hideStatus();
    return showProblem(error);
  }
  if (current?.checkout !== checkout) return;
  if (payment !== null) showState(current, { ...payment, error: error ?? payment.lastError });
  else if (outcome === 'unknown') {
    showStatus('wait', ['No answer yet', 'We go on asking. You may also pay again: an order is charged once only.']);
  }
}

/** Follows a payment, unless it is followed already. */
function follow({ apiUrl }: Order, { id, clientSecret, expiresInMs }: OrderPayment): Followed {
  if (current?.checkout.paymentIntentId === id) return current;
  current?.checkout.close();
  const checkout = createCheckout({ clientSecret, baseUrl: apiUrl, storage: 'none' });
  const followed = { checkout, endsAtMs: performance.now() + expiresInMs };
  current = followed;
  beginAttempt();
  showLive(checkout);
  for (const name of STATE_EVENTS) {
    checkout.on(name, (event) => {
      if (followed !== current) return;
      latestOfEvents = event.status;
      if (event.status !== 'processing') isActionAnnounced = false;
      if (event.terminal || !(isDecided || isActionAnnounced)) keepFocus(() => showState(followed, event));
    });
  }
  checkout.on('advisory', () => followed === current && keepFocus(() => showStuck(orderNumber())));
  return followed;
}

function beginAttempt(): void {
  isDecided = false;
  latestOfEvents = null;
  isActionAnnounced = false;
}

/** Shows a state of the payment; an event and a response may both tell the same one. */
function showState(followed: Followed, { status, nextAction, error }: PaymentState): void {
  form.hidden = status !== 'requires_payment_method' && status !== 'canceled';
  again.hidden = true;
  showRenewal(status !== 'requires_action' && status !== 'processing');
  if (status !== 'requires_action' && status !== 'processing') hideAction();
  switch (status) {
    case 'requires_payment_method':
      if (error === null) return showForm();
      void showTimeline(orderNumber());
      return showStatus('bad', ['Not paid', explain(error, orderNumber())]);
    case 'processing':
      hideAction();
      return showStatus('wait', ['Working on it', 'The payment is being processed. This page goes on by itself.']);
    case 'requires_action':
      return nextAction === null ? undefined : showAction(nextAction, actionContext(followed));
    case 'requires_capture':
    case 'succeeded':
      void showReceipt(orderNumber());
      return finish('good', 'Paid. Thank you!', 'Your lamp is on its way.', BUY_ANOTHER);
    case 'failed':
      return finish('bad', 'The payment failed', explain(error, orderNumber()), PAY_ANOTHER_WAY);
    case 'expired':
      return finish('bad', 'Too late', 'The time to pay is over; nothing was charged.', PAY_ANOTHER_WAY);
    case 'canceled':
      return showCanceled(error);
  }
}

function actionContext({ checkout, endsAtMs }: Followed) {
  return {
    orderNumber: orderNumber(),
    endsAtMs,
    openBank: () => void checkout.startAction(redirectMode()),
    cancel: () => void cancelOrderPayment(),
  };
}

/** Cancels at the shop's server. Money that is on its way already is faster; then the payment goes on. */
async function cancelOrderPayment(): Promise<void> {
  const followed = current;
  showStatus('wait', ['Canceling …', 'We make sure that nothing is charged.']);
  try {
    await cancelPayment(orderNumber());
  } catch (error) {
    return showStatus('bad', ['Not canceled', messageOf(error)]);
  }
  if (followed !== null && followed === current) await showNow(followed);
}

function showCanceled(error: CheckoutError | null): void {
  current = null;
  const isExhausted = error?.code === 'PAYMENT_RETRIES_EXHAUSTED';
  void showTimeline(orderNumber());
  if (isExhausted) showStatus('bad', ['Not paid', error.message]);
  else showStatus('wait', ['Canceled', 'Nothing was charged. You can pay another way.']);
}

function finish(tone: Tone, title: string, text: string, next: Next): void {
  current = null;
  offerNext(next);
  showStatus(tone, [title, text]);
  void showTimeline(orderNumber());
}

function offerNext({ label, run }: Next): void {
  form.hidden = true;
  again.hidden = false;
  again.textContent = label;
  runNext = run;
}

function showForm(): void {
  form.hidden = false;
  showRenewal(true);
  hideStatus();
}

function continueOrder(): void {
  again.hidden = true;
  hideReceipt();
  hideStatus();
  element('pay-heading', HTMLHeadingElement).focus();
  runNext();
}

function orderNumber(): string {
  return order?.number ?? '';
}

function redirectMode(): RedirectMode {
  return popup.checked ? 'popup' : 'page';
}

function setPaying(paying: boolean): void {
  isPaying = paying;
  pay.setAttribute('aria-disabled', String(paying));
  if (paying) pay.textContent = 'Paying …';
  else showPrice();
}
