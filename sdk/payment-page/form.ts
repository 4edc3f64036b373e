import type { PaymentMethod } from '../checkout/index.ts';
import { type CardInput, type CardPart, type CardTerms, createCardPart } from './card-part.ts';
import { READER } from './context.ts';
import { element, make } from './elements.ts';
import type { PageState } from './page-api.ts';

type Method = PageState['methods'][number];

const { words } = READER;

/** The assets that a deposit can be made in, with the network of each. */
const ASSETS = [
  ['BTC bitcoin', 'Bitcoin'],
  ['ETH ethereum', 'Ether'],
  ['USDC polygon', 'USDC (Polygon)'],
  ['USDC ethereum', 'USDC (Ethereum)'],
  ['USDT tron', 'USDT (Tron)'],
  ['USDT ethereum', 'USDT (Ethereum)'],
] as const;
const UPI_ADDRESS = /^[\w.-]{2,}@[A-Za-z][\w.-]+$/;

/** What the customer pays with: a card that is in fields of the API alone, or another method. */
export type PaymentInput =
  | (CardInput & { readonly kind: 'fields' })
  | { readonly kind: 'method'; readonly method: PaymentMethod };

/** What the customer can pay with. */
type FormTerms = CardTerms & Pick<PageState, 'methods'>;

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

/** Builds the form for what can be paid with. @param onPay called when the customer wants to pay */
export function createForm({ methods, ...terms }: FormTerms, onPay: () => void): PaymentForm {
  const form = element('form', HTMLFormElement);
  const parts = methods.map((method) => partOf(method));
  const problem = make('p', { class: 'problem', role: 'alert' });
  const pay = make('button', { class: 'pay', type: 'submit' });
  let card: CardPart | null = null;

  const chosen = (): Method | undefined => {
    const value = new FormData(form).get('method');
    return methods.find((method) => method === value) ?? methods[0];
  };
  const showChosen = (): void => {
    for (const { method, place } of parts) place.hidden = method !== chosen();
    problem.textContent = '';
    const part = parts.find(({ method }) => method === 'card');
    if (part === undefined || chosen() !== 'card' || form.hidden) return;
    card ??= createCardPart(part.place, terms, { onSubmit: () => form.requestSubmit(), onProblem: showProblem });
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
      if (method === 'card') return await readCard(card);
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

async function readCard(card: CardPart | null): Promise<PaymentInput | null> {
  const input = card?.read();
  return input !== undefined && (await input.fields.validate()) ? { kind: 'fields', ...input } : null;
}
