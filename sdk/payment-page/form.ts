import { type CardFields, createCardFields, type PaymentMethod } from '../checkout/index.ts';
import { READER } from './context.ts';
import { element, make } from './elements.ts';
import type { Method } from './page-api.ts';

const { words, language } = READER;

/** The assets that a deposit can be made in, with the network of each. */
const ASSETS = [
  ['BTC bitcoin', 'Bitcoin'],
  ['ETH ethereum', 'Ether'],
  ['USDC polygon', 'USDC (Polygon)'],
  ['USDC ethereum', 'USDC (Ethereum)'],
  ['USDT tron', 'USDT (Tron)'],
  ['USDT ethereum', 'USDT (Ethereum)'],
] as const;
/** How long after its failure the frame of the card fields is loaded again. */
const MOUNT_AGAIN_AFTER_MS = 3_000;
const UPI_ADDRESS = /^[\w.-]{2,}@[A-Za-z][\w.-]+$/;

/** The variables of this page that the card fields take over. */
const THEME = {
  '--text': '--ink',
  '--label': '--ink',
  '--placeholder': '--quiet',
  '--background': '--panel',
  '--page': '--panel',
  '--border': '--field',
  '--focus': '--focus',
  '--error': '--bad',
} as const;

/** What the customer pays with: a card that is in fields of the API alone, or another method. */
export type PaymentInput =
  | { readonly kind: 'fields'; readonly fields: CardFields }
  | { readonly kind: 'method'; readonly method: PaymentMethod };

/** The form in which the customer chooses how to pay. */
export interface PaymentForm {
  /** What the customer pays with, or null after having said what is wrong. */
  read(): Promise<PaymentInput | null>;
  show(): void;
  hide(): void;
  isShown(): boolean;
  /** @param label what the button says */
  setPaying(isPaying: boolean, label: string): void;
  showProblem(text: string): void;
}

/** Builds the form for these methods. @param onPay called when the customer wants to pay */
export function createForm(methods: readonly Method[], onPay: () => void): PaymentForm {
  const form = element('form', HTMLFormElement);
  const parts = methods.map((method) => partOf(method));
  const problem = make('p', { class: 'problem', role: 'alert' });
  const pay = make('button', { class: 'pay', type: 'submit' });
  let fields: CardFields | null = null;

  const chosen = (): Method | undefined => {
    const value = new FormData(form).get('method');
    return methods.find((method) => method === value) ?? methods[0];
  };
  const showChosen = (): void => {
    for (const { method, place } of parts) place.hidden = method !== chosen();
    problem.textContent = '';
    const card = parts.find(({ method }) => method === 'card');
    if (card === undefined || chosen() !== 'card' || form.hidden) return;
    fields ??= mountFields(card.place, { onSubmit: () => form.requestSubmit(), onProblem: showProblem });
  };
  const showProblem = (text: string): void => {
    problem.textContent = text;
  };

  form.replaceChildren(
    ...(methods.length > 1 ? [choiceOf(methods)] : []),
    ...parts.map(({ place }) => place),
    problem,
    pay,
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    onPay();
  };
  form.onchange = ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'method') showChosen();
  };

  return {
    async read() {
      problem.textContent = '';
      const method = chosen();
      if (method === 'card') return fields !== null && (await fields.validate()) ? { kind: 'fields', fields } : null;
      const read = method === 'upi' ? readUpi(form, showProblem) : readCrypto(form);
      return read === null ? null : { kind: 'method', method: read };
    },
    show() {
      form.hidden = false;
      showChosen();
    },
    hide() {
      form.hidden = true;
    },
    isShown: () => !form.hidden,
    setPaying(isPaying, label) {
      pay.setAttribute('aria-disabled', String(isPaying));
      pay.textContent = label;
    },
    showProblem,
  };
}

function choiceOf(methods: readonly Method[]): HTMLElement {
  const options = methods.map((method, index) => {
    const radio = make('input', { type: 'radio', name: 'method', value: method });
    radio.checked = index === 0;
    return make('label', {}, radio, make('span', {}, words.methods[method]));
  });
  return make('fieldset', { class: 'methods' }, make('legend', { class: 'hidden' }, words.payBy), ...options);
}

interface FormPart {
  readonly method: Method;
  readonly place: HTMLElement;
}

function partOf(method: Method): FormPart {
  if (method === 'card') return { method, place: make('div', { class: 'card' }) };
  return { method, place: method === 'upi' ? upiPart() : cryptoPart() };
}

function upiPart(): HTMLElement {
  const input = make('input', {
    id: 'vpa',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-describedby': 'vpa-hint',
    maxlength: '255',
  });
  const label = make('label', { for: 'vpa' }, words.upiAddress);
  return make('div', { class: 'field' }, label, input, make('p', { class: 'quiet', id: 'vpa-hint' }, words.upiHint));
}

function cryptoPart(): HTMLElement {
  const options = ASSETS.map(([value, name]) => make('option', { value }, name));
  const label = make('label', { for: 'asset' }, words.payIn);
  return make('div', { class: 'field' }, label, make('select', { id: 'asset' }, ...options));
}

function readUpi(form: HTMLFormElement, showProblem: (text: string) => void): PaymentMethod | null {
  const input = form.querySelector<HTMLInputElement>('#vpa');
  const vpa = input?.value.trim() ?? '';
  const isWrong = vpa !== '' && !UPI_ADDRESS.test(vpa);
  input?.setAttribute('aria-invalid', String(isWrong));
  if (!isWrong) return { type: 'upi', upi: vpa === '' ? {} : { vpa } };
  showProblem(words.upiWrong);
  input?.focus();
  return null;
}

function readCrypto(form: HTMLFormElement): PaymentMethod {
  const [asset = '', network = ''] = (form.querySelector<HTMLSelectElement>('#asset')?.value ?? '').split(' ');
  return { type: 'crypto', crypto: { asset, network } };
}

function mountFields(
  place: HTMLElement,
  { onSubmit, onProblem }: { readonly onSubmit: () => void; readonly onProblem: (text: string) => void },
): CardFields {
  const style = getComputedStyle(document.documentElement);
  const theme = Object.fromEntries(
    Object.entries(THEME).map(([name, own]) => [name, style.getPropertyValue(own).trim()]),
  );
  const fields = createCardFields({ baseUrl: location.origin, language, theme });
  let isReady = false;
  fields.on('submit', onSubmit);
  fields.on('ready', () => {
    if (!isReady) onProblem('');
    isReady = true;
  });
  // A frame that did not load stays empty by itself; one that did has what the customer has typed.
  const mountAgain = (): void => {
    if (!isReady) fields.mount(place);
  };
  fields.on('error', ({ error }) => {
    onProblem(error.message);
    setTimeout(mountAgain, MOUNT_AGAIN_AFTER_MS);
  });
  window.addEventListener('online', mountAgain);
  fields.mount(place);
  return fields;
}
