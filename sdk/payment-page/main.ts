import {
  type Checkout,
  type CheckoutError,
  type ConfirmOptions,
  type ConfirmResult,
  createCheckout,
  describeError,
  type NextAction,
  type PaymentEventName,
  type PaymentStatus,
} from '../checkout/index.ts';
import { hideAction } from './action-panel.ts';
import { showAction } from './action-view.ts';
import { formatMoney, PAGE_URL, READER } from './context.ts';
import { element } from './elements.ts';
import { createForm, type PaymentForm, type PaymentInput } from './form.ts';
import { createPageApi, PageApiError, type PagePayment, type PageState } from './page-api.ts';
import { showProfile } from './profile-view.ts';
import { hideReceipt, showReceipt } from './receipt-view.ts';
import { hideStatus, keepFocus, showStatus, type Tone } from './status-view.ts';
import { fill } from './words/index.ts';
import type { Notice } from './words/words.ts';

/** How often a page looks whether another browser's payment has ended. */
const LOOK_AGAIN_MS = 10_000;
/** How often a page without a connection looks whether there is one again. */
const RECOVER_AFTER_MS = 3_000;
/** The code of a request that got no answer. */
const NO_CONNECTION = 'NETWORK_ERROR';
const STATE_EVENTS: readonly PaymentEventName[] = [
  'payment-processing',
  'payment-requires-action',
  'payment-succeeded',
  'payment-failed',
  'payment-canceled',
  'payment-expired',
];

const { words, language } = READER;
const page = element('page', HTMLElement);
const next = element('next', HTMLButtonElement);
const api = createPageApi(`${location.origin}${location.pathname}`);

/** A payment that this page follows. */
interface Followed {
  readonly checkout: Checkout;
  /** Until when the customer may pay, on the clock of `performance.now()`. */
  readonly endsAtMs: number;
  /** Whether the last attempt to pay has its outcome; events that led to it may come after the response. */
  isDecided: boolean;
}

interface PaymentState {
  readonly status: PaymentStatus;
  readonly nextAction: NextAction | null;
  readonly error: CheckoutError | null;
}

let state: PageState | null = null;
let form: PaymentForm | null = null;
/** What the form was made for. */
let formKey = '';
/** Null before the first payment, and where the last one has ended. */
let current: Followed | null = null;
let isPaying = false;
/** Whether the next payment follows a paid one. */
let isAnother = false;
let lookAgain: number | undefined;
/** Runs while the page has no connection. */
let recovery: number | undefined;

document.documentElement.lang = language;
showTitle(words.payment);
element('lost', HTMLParagraphElement).textContent = words.lost;
void load();

/** Shows what the API says of the link and of this browser's payment. The page stores nothing. */
async function load(): Promise<void> {
  if (state === null) showStatus('wait', words.loading);
  await attempt(async () => show(await api.readState()));
  page.removeAttribute('aria-busy');
}

/**
 * Does what asks the API; where that fails, says why, and offers to load the page's state again. Without a connection the form stays
 * with what is in it, and the page goes on by itself.
 */
async function attempt(work: () => Promise<void>): Promise<void> {
  clearTimeout(recovery);
  try {
    await work();
  } catch (error) {
    const code = error instanceof PageApiError ? error.code : NO_CONNECTION;
    if (code === 'RESOURCE_NOT_FOUND') return close(words.closed.not_found);
    showStatus('bad', [words.notLoaded[0], reasonOf(code)]);
    if (code === NO_CONNECTION) recovery = setTimeout(() => void recover(), RECOVER_AFTER_MS);
    if (code !== NO_CONNECTION || form?.isShown() !== true) offer(words.tryAgain, () => void load());
  }
}

/** Shows the state again once the API answers; a payment that was opened meanwhile goes on. */
async function recover(): Promise<void> {
  if (!isPaying) await attempt(async () => show(await api.readState()));
}

function reasonOf(code: string): string {
  return describeError({ code, message: words.notLoaded[1], details: null }, language);
}

function show(shown: PageState): void {
  clearTimeout(lookAgain);
  state = shown;
  next.hidden = true;
  showHead(shown);
  const { payment } = shown;
  if (payment === null) return showLink(shown);
  if (payment.status === 'succeeded') return showPaid(shown, payment);
  const notice = endOf(payment.status);
  if (notice === null) return void showNow(follow(payment));
  showLink(shown);
  if (shown.status === 'active') showStatus('bad', notice);
}

function showHead({
  environment,
  merchantName,
  profile,
  amount,
  currency,
  currencyDigits,
  description,
  reference,
}: PageState): void {
  const sandbox = element('sandbox', HTMLParagraphElement);
  sandbox.textContent = words.sandbox;
  sandbox.hidden = environment !== 'sandbox';
  showTitle(fill(words.payTo, { merchant: merchantName }));
  showProfile(merchantName, profile);
  const amountText = amount === null || currency === null ? '' : formatMoney(amount, currency, currencyDigits);
  setText('amount', amountText);
  setText('description', description ?? '');
  setText('reference', reference === null ? '' : fill(words.reference, { reference }));
}

function showTitle(title: string): void {
  document.title = title;
  setText('merchant', title);
}

function setText(id: string, text: string): void {
  const place = element(id, HTMLElement);
  place.textContent = text;
  place.hidden = text === '';
}

/** Shows the form, or why nothing can be paid. */
function showLink(shown: PageState): void {
  const { status, methods } = shown;
  hideAction();
  hideReceipt();
  if (status !== 'active') {
    close(words.closed[status]);
    if (status === 'busy') lookAgain = setTimeout(() => void load(), LOOK_AGAIN_MS);
    return;
  }
  if (methods.length === 0) return close(words.noMethods);
  showFormFor(shown);
  setPaying(false);
}

/** A form stays with what is typed in it, unless a card was saved or removed since it was made. */
function showFormFor({ methods, merchantName, savesCardFor, savedCards }: PageState): void {
  const terms = { methods, merchantName, savesCardFor, savedCards };
  const key = JSON.stringify(terms);
  if (form === null || key !== formKey) {
    form = createForm(terms, () => {
      if (!isPaying) void pay();
    });
  }
  formKey = key;
  hideStatus();
  form.show();
}

function close(notice: Notice): void {
  form?.hide();
  hideAction();
  showStatus('wait', notice);
}

function showPaid(shown: PageState, payment: PagePayment): void {
  forgetPayment();
  form?.hide();
  hideAction();
  const { merchantName, profile, description } = shown;
  showReceipt({ merchantName, description, amount: amountText(), returnUrl: profile.returnUrl }, payment);
  showStatus('good', words.paid);
  if (shown.status !== 'active') return;
  offer(words.payAgain, () => {
    isAnother = true;
    next.hidden = true;
    showLink(shown);
  });
}

/** What became of a payment that ended without money; null for any other. */
function endOf(status: PaymentStatus): Notice | null {
  switch (status) {
    case 'failed':
      return words.failed;
    case 'expired':
      return words.tooLate;
    case 'canceled':
      return words.canceled;
    default:
      return null;
  }
}

async function pay(): Promise<void> {
  setPaying(true);
  try {
    const input = await form?.read();
    if (input != null) await attempt(() => payWith(input));
  } finally {
    setPaying(false);
  }
}

async function payWith(input: PaymentInput): Promise<void> {
  showStatus('wait', words.payingNotice);
  const opened = await api.open(isAnother);
  isAnother = false;
  state = opened;
  const { payment } = opened;
  if (payment === null || payment.clientSecret === null) return show(opened);
  const followed = follow(payment);
  if (payment.status !== 'requires_payment_method') return await showNow(followed);
  followed.isDecided = false;
  const method = await methodOf(input, followed, payment.clientSecret);
  if (method === null) return;
  const consent = input.kind === 'fields' ? input.consent : {};
  const result = await followed.checkout.confirm({ ...method, ...consent, returnUrl: PAGE_URL });
  keepFocus(() => showResult(followed, result));
}

/** The part of a confirm that says what is paid with; null after having shown why there is none. */
async function methodOf(
  input: PaymentInput,
  followed: Followed,
  clientSecret: string,
): Promise<Pick<ConfirmOptions, 'paymentMethod' | 'paymentMethodId'> | null> {
  if (input.kind === 'method') return { paymentMethod: input.method };
  const { paymentMethodId, error } = await input.fields.createPaymentMethod(clientSecret);
  if (paymentMethodId !== null) return { paymentMethodId };
  hideStatus();
  // The payment is under way or has ended, for example in another browser.
  if (error?.code === 'STATE_CONFLICT' || error?.code === 'API_KEY_EXPIRED') await showNow(followed);
  else if (error !== null && error.code !== 'CARD_FIELDS_INVALID') showNotPaid(error);
  return null;
}

function showResult(followed: Followed, { outcome, payment, error }: ConfirmResult): void {
  followed.isDecided = outcome === 'declined' || outcome === 'succeeded' || outcome === 'failed';
  if (outcome === 'refused' && error !== null) {
    hideStatus();
    return form?.showProblem(describeError(error, language));
  }
  if (followed !== current) return;
  if (payment !== null) return showState(followed, { ...payment, error: error ?? payment.lastError });
  showStatus('wait', words.unknown);
}

/** Follows a payment, unless it is followed already. */
function follow({ id, clientSecret, expiresInMs }: PagePayment): Followed {
  if (current?.checkout.paymentIntentId === id) return current;
  forgetPayment();
  const checkout = createCheckout({ clientSecret: clientSecret ?? '', baseUrl: location.origin, storage: 'none' });
  const followed = { checkout, endsAtMs: performance.now() + expiresInMs, isDecided: false };
  current = followed;
  for (const name of STATE_EVENTS) {
    checkout.on(name, (event) => {
      if (followed !== current || (followed.isDecided && !event.terminal)) return;
      keepFocus(() => showState(followed, event));
    });
  }
  checkout.on('advisory', () => {
    if (followed === current) showStatus('wait', words.stuck);
  });
  checkout.on('connection', ({ state: connection }) => {
    element('lost', HTMLParagraphElement).hidden = followed !== current || connection !== 'reconnecting';
  });
  return followed;
}

function forgetPayment(): void {
  current?.checkout.close();
  current = null;
  element('lost', HTMLParagraphElement).hidden = true;
}

/** Shows the state that the payment has now. */
async function showNow(followed: Followed): Promise<void> {
  const { status, nextAction, payment } = await followed.checkout.status();
  if (followed !== current) return;
  if (status === null) {
    showStatus('wait', words.unknown);
    recovery = setTimeout(() => void recover(), RECOVER_AFTER_MS);
    return offer(words.tryAgain, () => void load());
  }
  keepFocus(() => showState(followed, { status, nextAction, error: payment?.lastError ?? null }));
  if (payment?.isStuck === true && status === 'processing') showStatus('wait', words.stuck);
}

/** Shows a state of the payment; an event and a response may both tell the same one. */
function showState(followed: Followed, { status, nextAction, error }: PaymentState): void {
  next.hidden = true;
  if (status !== 'requires_payment_method') form?.hide();
  if (status !== 'requires_action') hideAction();
  switch (status) {
    case 'requires_payment_method':
      if (state !== null) showLink({ ...state, status: 'active' });
      return error === null ? undefined : showNotPaid(error);
    case 'processing':
      return showStatus('wait', words.processing);
    case 'requires_action':
      if (nextAction !== null) showAction(nextAction, actionContext(followed));
      return;
    case 'requires_capture':
    case 'succeeded':
      forgetPayment();
      showStatus('good', words.paid);
      return void load();
    case 'failed':
    case 'expired':
    case 'canceled':
      return showUnpaid(status, error);
  }
}

function actionContext({ checkout, endsAtMs }: Followed) {
  return {
    endsAtMs,
    openBank: () => void checkout.startAction('page'),
    cancel: () => void cancel(),
  };
}

/** Cancels at the API. Money that is on its way already is faster; then the payment goes on. */
async function cancel(): Promise<void> {
  showStatus('wait', words.canceling);
  await attempt(async () => {
    const canceled = await api.cancel();
    // Otherwise the payment's event has shown it.
    if (current !== null) show(canceled);
  });
}

/** The payment has ended, and the link may allow another one. */
function showUnpaid(status: PaymentStatus, error: CheckoutError | null): void {
  forgetPayment();
  void attempt(async () => {
    show(await api.readState());
    if (error !== null && state?.status === 'active' && status === 'failed') showNotPaid(error);
  });
}

function showNotPaid(error: CheckoutError): void {
  showStatus('bad' satisfies Tone, [words.notPaid, describeError(error, language)]);
}

function offer(label: string, run: () => void): void {
  form?.hide();
  next.hidden = false;
  next.textContent = label;
  next.onclick = () => {
    next.hidden = true;
    run();
  };
}

function amountText(): string {
  return element('amount', HTMLParagraphElement).textContent;
}

function setPaying(paying: boolean): void {
  isPaying = paying;
  form?.setPaying(paying, paying ? words.paying : fill(words.pay, { amount: amountText() }));
}
