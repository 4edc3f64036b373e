import { languageOf, messagesOf } from '../languages/index.ts';
import type { CardProblem, Messages } from '../languages/messages.ts';
import { asObject, asText } from '../parse.ts';
import type { CheckoutError, PaymentMethod } from '../types.ts';
import {
  brandOf,
  codeLengthOf,
  digitsOf,
  FIELD_NAMES,
  type FieldName,
  formatCode,
  formatExpiry,
  groupNumber,
  parseExpiry,
  problemsOf,
  type TypedCard,
} from './card-rules.ts';

interface CardFormListeners {
  readonly onChange: (change: { readonly complete: boolean; readonly brand: string | null }) => void;
  /** The customer pressed Enter. */
  readonly onSubmit: () => void;
  readonly onResize: (heightPx: number) => void;
}

export interface CardForm {
  setLanguage(tag: string): void;
  focus(): void;
  /** Says at each field what is wrong with it, and focuses the first such field. */
  validate(): boolean;
  /** The card of a form that is valid. */
  read(): PaymentMethod;
  /** Says at their fields what the API refused; false where it refused none of them. */
  showRefusal(error: CheckoutError): boolean;
}

interface Field {
  readonly input: HTMLInputElement;
  readonly label: HTMLLabelElement;
  readonly problem: HTMLElement;
  readonly format: (text: string) => string;
}

/** The fields of the API by the field of the form that fills them, and what a refusal of them means. */
const REFUSALS: Readonly<Record<string, readonly [FieldName, CardProblem]>> = {
  'paymentMethod.card.number': ['number', 'number_invalid'],
  'paymentMethod.card.expiryMonth': ['expiry', 'expiry_invalid'],
  'paymentMethod.card.expiryYear': ['expiry', 'expiry_invalid'],
  'paymentMethod.card.cvc': ['code', 'code_length'],
};

/** Runs the form of the document. */
export function startCardForm({ onChange, onSubmit, onResize }: CardFormListeners): CardForm {
  const form = find('card', HTMLFormElement);
  const brand = find('brand', HTMLElement);
  const fields: Readonly<Record<FieldName, Field>> = {
    number: fieldOf('number', groupNumber),
    expiry: fieldOf('expiry', formatExpiry),
    code: fieldOf('code', formatCode),
  };
  let messages = messagesOf('');

  const typed = (): TypedCard => ({
    number: digitsOf(fields.number.input.value),
    expiry: fields.expiry.input.value,
    code: fields.code.input.value,
  });
  const show = (name: FieldName, problem: CardProblem | null): void => {
    const { input, problem: place } = fields[name];
    place.textContent = problem === null ? '' : textOf(messages, problem, typed().number);
    if (problem === null) input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
    input.dataset.problem = problem ?? '';
  };
  const showAll = (problems: Readonly<Partial<Record<FieldName, CardProblem | null>>>): boolean => {
    const wrong = FIELD_NAMES.filter((name) => problems[name] != null);
    for (const name of FIELD_NAMES) show(name, problems[name] ?? null);
    const [first] = wrong;
    if (first !== undefined) fields[first].input.focus();
    return wrong.length === 0;
  };
  const problems = () => problemsOf(typed(), Date.now());

  const onInput = (name: FieldName): void => {
    const { input, format } = fields[name];
    formatInPlace(input, format);
    if (input.dataset.problem !== '' && problems()[name] === null) show(name, null);
    const { number } = typed();
    const known = brandOf(number);
    brand.textContent = known?.name ?? '';
    const complete = Object.values(problems()).every((problem) => problem === null);
    onChange({ complete, brand: known?.name ?? null });
  };

  for (const name of FIELD_NAMES) {
    const { input } = fields[name];
    input.dataset.problem = '';
    input.addEventListener('input', () => onInput(name));
    // An empty field is no mistake before the customer pays.
    input.addEventListener('blur', () => {
      if (input.value !== '') show(name, problems()[name]);
    });
    input.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') onSubmit();
    });
    // A customer may type before this script has loaded.
    if (input.value !== '') onInput(name);
  }
  form.addEventListener('submit', (event) => event.preventDefault());
  new ResizeObserver(() => onResize(Math.ceil(form.getBoundingClientRect().height))).observe(form);

  return {
    setLanguage(tag) {
      const language = languageOf(tag);
      messages = messagesOf(language);
      document.documentElement.lang = language;
      document.title = messages.cardDetails;
      for (const name of FIELD_NAMES) fields[name].label.textContent = messages[name];
      for (const name of FIELD_NAMES) show(name, fields[name].input.dataset.problem === '' ? null : problems()[name]);
    },
    focus: () => fields.number.input.focus(),
    validate: () => showAll(problems()),
    read() {
      const { number, expiry, code: cvc } = typed();
      const { month: expiryMonth, year: expiryYear } = parseExpiry(expiry) ?? { month: 0, year: 0 };
      return { type: 'card', card: { number, expiryMonth, expiryYear, cvc } };
    },
    showRefusal({ details }) {
      const refused = refusedFields(details);
      if (Object.keys(refused).length === 0) return false;
      showAll(refused);
      return true;
    },
  };
}

function refusedFields(details: CheckoutError['details']): Readonly<Partial<Record<FieldName, CardProblem>>> {
  const named: readonly unknown[] = Array.isArray(details?.fields) ? details.fields : [];
  const refusals = named.map((entry) => REFUSALS[asText(asObject(entry)?.field) ?? '']);
  return Object.fromEntries(refusals.filter((refusal) => refusal !== undefined));
}

function textOf({ problems }: Messages, problem: CardProblem, number: string): string {
  return problems[problem].replace('{digits}', String(codeLengthOf(number)));
}

/** Formats what is typed. The caret stays behind the same digit, or at the end. */
function formatInPlace(input: HTMLInputElement, format: (text: string) => string): void {
  const { value: typed, selectionStart: caret } = input;
  const formatted = format(typed);
  if (formatted === typed) return;
  input.value = formatted;
  if (caret === null || caret === typed.length) return;
  const digitsBefore = digitsOf(typed.slice(0, caret)).length;
  const position = digitsBefore === 0 ? 0 : endOfDigit(formatted, digitsBefore);
  input.setSelectionRange(position, position);
}

/** The position behind the n-th digit of a text. */
function endOfDigit(text: string, digitNumber: number): number {
  const positions = [...text.matchAll(/\d/g)].map(({ index }) => index + 1);
  return positions[digitNumber - 1] ?? text.length;
}

function fieldOf(name: FieldName, format: Field['format']): Field {
  return {
    input: find(name, HTMLInputElement),
    label: find(`${name}-label`, HTMLLabelElement),
    problem: find(`${name}-problem`, HTMLElement),
    format,
  };
}

function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the document has no ${kind.name} #${id}`);
  return found;
}
