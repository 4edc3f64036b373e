import type { CardFields, CheckoutError, PaymentMethod } from '@payment-engine/checkout';
import { element, make } from '../../../sdk/payment-page/elements.ts';
import { chosenCardFields, showCardFields, startCardFields, usesCardFields } from './card-fields.ts';
import { chooseNewCard, chosenSavedCard, hasSavedCards, startSavedCards } from './saved-cards.ts';
import { type Method, TEST_INPUTS, type TestInput } from './test-inputs.ts';

const YEARS_VALID = 3;
const TEST_CVC = '123';

const form = element('form', HTMLFormElement);
const number = element('number', HTMLInputElement);
const expiry = element('expiry', HTMLInputElement);
const cvc = element('cvc', HTMLInputElement);
const vpa = element('vpa', HTMLInputElement);
const asset = element('asset', HTMLSelectElement);
const scenario = element('scenario', HTMLSelectElement);
const problem = element('problem', HTMLParagraphElement);

/** The field of the API that each input of the page fills. */
const INPUT_OF: Readonly<Record<string, HTMLInputElement | HTMLSelectElement>> = {
  'paymentMethod.card.number': number,
  'paymentMethod.card.expiryMonth': expiry,
  'paymentMethod.card.expiryYear': expiry,
  'paymentMethod.card.cvc': cvc,
  'paymentMethod.upi.vpa': vpa,
  'paymentMethod.crypto.network': asset,
};
const WORDS_OF = new Map<HTMLElement, string>([
  [number, 'Please check the card number.'],
  [expiry, 'Please give the expiry as month and year, such as 12/30.'],
  [cvc, 'Please check the security code.'],
  [vpa, 'Please check the UPI address; it looks like name@bank.'],
]);

/** The method that is chosen. */
export function chosenMethod(): Method {
  const value = new FormData(form).get('method');
  return value === 'upi' || value === 'crypto' ? value : 'card';
}

/** Chooses a method, as it was chosen before the page was loaded again. */
export function chooseMethod(method: Method): void {
  for (const radio of form.querySelectorAll<HTMLInputElement>('[name=method]')) radio.checked = radio.value === method;
  showMethod();
}

/** What a deposit is to do; null for other methods. */
export function chosenScenario(): string | null {
  return chosenMethod() === 'crypto' ? scenario.value : null;
}

/** What the customer pays with: a method that this page knows, or card fields that keep it from the page. */
export type PaymentInput =
  | { readonly kind: 'method'; readonly paymentMethod: PaymentMethod }
  | { readonly kind: 'fields'; readonly fields: CardFields };

/** What the customer pays with, or null after having said what is missing. */
export async function readInput(): Promise<PaymentInput | null> {
  clearProblem();
  const fields = chosenMethod() === 'card' ? chosenCardFields() : null;
  if (fields !== null) return (await fields.validate()) ? { kind: 'fields', fields } : null;
  const paymentMethod = readMethod();
  return paymentMethod === null ? null : { kind: 'method', paymentMethod };
}

function readMethod(): PaymentMethod | null {
  const method = chosenMethod();
  if (method === 'crypto') {
    const [code = '', network = ''] = asset.value.split(' ');
    return { type: 'crypto', crypto: { asset: code, network } };
  }
  if (method === 'upi') {
    const address = vpa.value.trim();
    return { type: 'upi', upi: address === '' ? {} : { vpa: address } };
  }
  const [expiryMonth, expiryYear] = readExpiry();
  const wrong = [number, expiry, cvc].find((input) => input.value.trim() === '' || (input === expiry && !expiryMonth));
  if (wrong !== undefined) return complain(wrong);
  if (hasExpired(expiryMonth ?? 0, expiryYear ?? 0)) return complain(expiry, 'This card has expired.');
  return {
    type: 'card',
    card: { number: number.value, expiryMonth: expiryMonth ?? 0, expiryYear: expiryYear ?? 0, cvc: cvc.value },
  };
}

/** Says what the API did not like, at the input that it concerns. */
export function showProblem(error: CheckoutError): void {
  const fields = Array.isArray(error.details?.fields) ? (error.details.fields as { field?: string }[]) : [];
  const named = [...fields.map(({ field }) => field), error.details?.field].find(
    (field): field is string => typeof field === 'string' && field in INPUT_OF,
  );
  const input = named === undefined ? undefined : INPUT_OF[named];
  if (input === undefined) problem.textContent = error.message;
  else complain(input);
}

function clearProblem(): void {
  problem.textContent = '';
  for (const input of Object.values(INPUT_OF)) input.removeAttribute('aria-invalid');
}

/** Shows the inputs of the chosen method, and its test inputs. */
export function showMethod(): void {
  const method = chosenMethod();
  for (const part of form.querySelectorAll<HTMLElement>('[data-method]')) part.hidden = part.dataset.method !== method;
  showCardFields(method === 'card', chosenSavedCard());
  element('saved-cards', HTMLFieldSetElement).hidden = method !== 'card' || !hasSavedCards();
  const chips = TEST_INPUTS[method].map((input) => chipOf(method, input));
  element('test-inputs', HTMLDivElement).replaceChildren(...chips);
  clearProblem();
}

/** @param onMethod called when another method is chosen */
export function startForm(onMethod: () => void): void {
  scenario.replaceChildren(
    ...TEST_INPUTS.crypto.map(({ label, hint, value }) => make('option', { value }, `${label}: ${hint}`)),
  );
  startCardFields(showMethod);
  startSavedCards(showMethod);
  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'method') return;
    showMethod();
    onMethod();
  });
  showMethod();
}

function chipOf(method: Method, { label, hint, value }: TestInput): HTMLButtonElement {
  const isCopied = method === 'card' && usesCardFields();
  const detail = make('small', {}, isCopied ? `${hint}: ${value}` : hint);
  const chip = make('button', { type: 'button', class: 'chip' }, label, detail);
  chip.addEventListener('click', () => {
    if (method === 'card') showNewCard();
    if (isCopied) copyInto(detail, value);
    else fill(method, value);
    for (const other of document.querySelectorAll('.chip')) other.setAttribute('aria-pressed', String(other === chip));
  });
  return chip;
}

/** Test cards are new ones. */
function showNewCard(): void {
  chooseNewCard();
  showCardFields(true, null);
}

/** This page cannot fill the card fields of the engine. */
function copyInto(detail: HTMLElement, value: string): void {
  navigator.clipboard.writeText(value).then(
    () => (detail.textContent = `copied: ${value}`),
    () => (detail.textContent = `type it: ${value}`),
  );
}

function fill(method: Method, value: string): void {
  clearProblem();
  if (method === 'upi') vpa.value = value;
  if (method === 'crypto') scenario.value = value;
  if (method !== 'card') return;
  number.value = value;
  expiry.value = `12/${String(new Date().getFullYear() + YEARS_VALID).slice(2)}`;
  cvc.value = TEST_CVC;
}

function readExpiry(): readonly [number, number] | readonly [] {
  const [, month, year] = /^\s*(\d{1,2})\s*(?:[/-]\s*)?(?:20)?(\d{2})\s*$/.exec(expiry.value) ?? [];
  return month === undefined || year === undefined ? [] : [Number(month), 2_000 + Number(year)];
}

/** A card is valid until the end of its month. */
function hasExpired(month: number, year: number): boolean {
  return Date.UTC(year, month) <= Date.now();
}

function complain(input: HTMLElement, words = WORDS_OF.get(input)): null {
  input.setAttribute('aria-invalid', 'true');
  problem.textContent = words ?? 'Please check what you have chosen.';
  input.focus();
  return null;
}
