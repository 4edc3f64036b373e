import { languageOf, messagesOf } from '../languages/index.ts';
import type { CardProblem, Messages } from '../languages/messages.ts';
import { asObject, asText } from '../parse.ts';
import type { MethodToStore } from '../api-client.ts';
import type { FramedCard } from '../frame-messages.ts';
import type { CheckoutError } from '../types.ts';
import {
  brandOf,
  type CardProblems,
  codeLengthOf,
  codeLengthOfSaved,
  digitsOf,
  FIELD_NAMES,
  type FieldName,
  formatCode,
  formatExpiry,
  groupNumber,
  parseExpiry,
  problemsOf,
  problemsOfSaved,
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
  /** Asks for nothing but the security code of a saved card; null for all of a new card. */
  setSavedCard(card: FramedCard | null): void;
  focus(): void;
  /** Says at each field what is wrong with it, and focuses the first such field. */
  validate(): boolean;
  /** The card of a form that is valid, or the saved one with its security code. */
  read(): MethodToStore;
  /** Says at their fields what the API refused; false where it refused none of them. */
  showRefusal(error: CheckoutError): boolean;
}

interface Field {
  /** The label, the input and the problem. */
  readonly place: HTMLElement;
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
  cvc: ['code', 'code_length'],
};

/** Runs the form of the document. */
export function startCardForm({ onChange, onSubmit, onResize }: CardFormListeners): CardForm {
  const form = find('card', HTMLFormElement);
  const brand = find('brand', HTMLElement);
  const fields = new CardFormFields();

  const onInput = (name: FieldName): void => {
    fields.reformat(name);
    const known = brandOf(fields.typed().number);
    brand.textContent = known?.name ?? '';
    const complete = Object.values(fields.problems()).every((problem) => problem === null);
    onChange({ complete, brand: known?.name ?? null });
  };

  for (const name of FIELD_NAMES) {
    const input = fields.input(name);
    input.addEventListener('input', () => onInput(name));
    // An empty field is no mistake before the customer pays.
    input.addEventListener('blur', () => {
      if (input.value !== '') fields.show(name, fields.problems()[name]);
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
      const messages = messagesOf(language);
      document.documentElement.lang = language;
      document.title = messages.cardDetails;
      fields.setMessages(messages);
    },
    setSavedCard: (card) => fields.setSavedCard(card),
    focus: () => fields.input(fields.savedCard === null ? 'number' : 'code').focus(),
    validate: () => fields.showAll(fields.problems()),
    read() {
      const { number, expiry, code: cvc } = fields.typed();
      if (fields.savedCard !== null) return { paymentMethodId: fields.savedCard.id, cvc };
      const { month: expiryMonth, year: expiryYear } = parseExpiry(expiry) ?? { month: 0, year: 0 };
      return { paymentMethod: { type: 'card', card: { number, expiryMonth, expiryYear, cvc } } };
    },
    showRefusal({ details }) {
      const refused = refusedFields(details);
      if (Object.keys(refused).length === 0) return false;
      fields.showAll(refused);
      return true;
    },
  };
}

/** The fields of the document: what is typed in them, and what they say is wrong with it. */
class CardFormFields {
  readonly #fields: Readonly<Record<FieldName, Field>> = {
    number: fieldOf('number', groupNumber),
    expiry: fieldOf('expiry', formatExpiry),
    code: fieldOf('code', formatCode),
  };
  #messages = messagesOf('');
  #savedCard: FramedCard | null = null;

  constructor() {
    for (const name of FIELD_NAMES) this.input(name).dataset.problem = '';
  }

  get savedCard(): FramedCard | null {
    return this.#savedCard;
  }

  setSavedCard(card: FramedCard | null): void {
    this.#savedCard = card;
    for (const name of ['number', 'expiry'] as const) this.#fields[name].place.hidden = card !== null;
    if (card !== null) document.title = this.#messages.code;
  }

  input(name: FieldName): HTMLInputElement {
    return this.#fields[name].input;
  }

  typed(): TypedCard {
    return {
      number: digitsOf(this.input('number').value),
      expiry: this.input('expiry').value,
      code: this.input('code').value,
    };
  }

  /** What is wrong with what is typed, whether it is shown or not. */
  problems(): CardProblems {
    return this.#savedCard === null
      ? problemsOf(this.typed(), Date.now())
      : problemsOfSaved(this.typed(), this.#savedCard.brand);
  }

  /** Formats what was typed in a field, and no longer shows a problem that is gone. */
  reformat(name: FieldName): void {
    const { input, format } = this.#fields[name];
    formatInPlace(input, format);
    if (input.dataset.problem !== '' && this.problems()[name] === null) this.show(name, null);
  }

  show(name: FieldName, problem: CardProblem | null): void {
    const { input, problem: place } = this.#fields[name];
    place.textContent = problem === null ? '' : this.#textOf(problem);
    if (problem === null) input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
    input.dataset.problem = problem ?? '';
  }

  #textOf(problem: CardProblem): string {
    const saved = this.#savedCard;
    const digits = saved === null ? codeLengthOf(this.typed().number) : codeLengthOfSaved(saved.brand);
    return this.#messages.problems[problem].replace('{digits}', String(digits));
  }

  /** Shows these problems and no others, and focuses the first field that has one. @returns whether there is none */
  showAll(problems: Readonly<Partial<CardProblems>>): boolean {
    for (const name of FIELD_NAMES) this.show(name, problems[name] ?? null);
    const first = FIELD_NAMES.find((name) => problems[name] != null);
    if (first !== undefined) this.input(first).focus();
    return first === undefined;
  }

  setMessages(messages: Messages): void {
    this.#messages = messages;
    for (const name of FIELD_NAMES) this.#fields[name].label.textContent = messages[name];
    const problems = this.problems();
    for (const name of FIELD_NAMES) this.show(name, this.input(name).dataset.problem === '' ? null : problems[name]);
  }
}

function refusedFields(details: CheckoutError['details']): Readonly<Partial<Record<FieldName, CardProblem>>> {
  const named: readonly unknown[] = Array.isArray(details?.fields) ? details.fields : [];
  const refusals = named.map((entry) => REFUSALS[asText(asObject(entry)?.field) ?? '']);
  return Object.fromEntries(refusals.filter((refusal) => refusal !== undefined));
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
    place: find(`${name}-field`, HTMLElement),
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
