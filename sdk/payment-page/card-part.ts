import {
  type CardFields,
  type CardFieldsOptions,
  type ConfirmOptions,
  consentText,
  createCardFields,
  type FutureUsage,
  type SavedCard,
} from '../checkout/index.ts';
import { brandTitle } from './card-name.ts';
import { READER } from './context.ts';
import { make } from './elements.ts';
import { fill } from './words/index.ts';

const { words, language } = READER;

/** How long after its failure the frame of the card fields is loaded again. */
const MOUNT_AGAIN_AFTER_MS = 3_000;
const NEW_CARD = 'new';

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

/** Which cards the customer can pay with, and what becomes of a new one. */
export interface CardTerms {
  readonly merchantName: string;
  /** What the customer may let the merchant keep the card for; null for nothing. */
  readonly savesCardFor: FutureUsage | null;
  readonly savedCards: readonly SavedCard[];
}

/** The fields of the card that the customer pays with, and what the customer agrees to. */
export interface CardInput {
  readonly fields: CardFields;
  readonly consent: Pick<ConfirmOptions, 'setupFutureUsage' | 'consent'>;
}

/** The part of the form that asks for a card. */
export interface CardPart {
  read(): CardInput;
}

interface Listeners {
  readonly onSubmit: () => void;
  readonly onProblem: (text: string) => void;
}

/** Shows the saved cards, the first of them chosen, and the fields of a new one. */
export function createCardPart(
  place: HTMLElement,
  { merchantName, savesCardFor, savedCards }: CardTerms,
  listeners: Listeners,
): CardPart {
  const frames = new Map<string, { readonly fields: CardFields; readonly place: HTMLElement }>();
  const framePlace = make('div', { class: 'frames' });
  const consent = savesCardFor === null ? null : consentPart(merchantName, savesCardFor);
  const choices = savedCards.length === 0 ? null : choicesOf(savedCards);
  place.append(...[choices, framePlace, consent?.label].filter((part) => part != null));

  const chosen = (): SavedCard | undefined => {
    const value = choices?.querySelector<HTMLInputElement>('input:checked')?.value;
    return savedCards.find(({ id }) => id === value);
  };
  /** Each card has a frame of its own, so that nothing is lost when the customer looks at another one. */
  const mounted = (card: SavedCard | undefined): CardFields => {
    const key = card?.id ?? NEW_CARD;
    const present = frames.get(key);
    for (const [id, frame] of frames) frame.place.hidden = id !== key;
    if (present !== undefined) return present.fields;
    const added = make('div', {});
    framePlace.append(added);
    const fields = mountFields(added, card, listeners);
    frames.set(key, { fields, place: added });
    return fields;
  };
  const show = (): void => {
    if (consent !== null) consent.label.hidden = chosen() !== undefined;
    mounted(chosen());
    listeners.onProblem('');
  };
  choices?.addEventListener('change', show);
  show();

  return {
    read: () => ({ fields: mounted(chosen()), consent: chosen() === undefined ? (consent?.read() ?? {}) : {} }),
  };
}

function choicesOf(savedCards: readonly SavedCard[]): HTMLFieldSetElement {
  const options = savedCards.map((card, index) => choiceOf(card.id, index === 0, ...namesOf(card)));
  const another = choiceOf(NEW_CARD, false, words.anotherCard);
  return make('fieldset', { class: 'saved' }, make('legend', {}, words.savedCards), ...options, another);
}

function choiceOf(value: string, isChosen: boolean, ...text: readonly (Node | string)[]): HTMLLabelElement {
  const radio = make('input', { type: 'radio', name: 'saved-card', value });
  radio.checked = isChosen;
  return make('label', {}, radio, make('span', {}, ...text));
}

function namesOf({ brand, last4, expiryMonth, expiryYear }: SavedCard): readonly (Node | string)[] {
  const title = brandTitle(brand) ?? words.methods.card;
  const name = last4 === null ? title : fill(words.cardEnding, { brand: title, last4 });
  if (expiryMonth === null || expiryYear === null) return [name];
  const expiry = `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
  return [name, make('small', {}, fill(words.expires, { expiry }))];
}

/** A box that is empty at first, with what the customer agrees to by ticking it. */
function consentPart(merchant: string, setupFutureUsage: FutureUsage) {
  const text = consentText({ merchant, setupFutureUsage }, language);
  const box = make('input', { type: 'checkbox', name: 'save-card' });
  return {
    label: make('label', { class: 'check' }, box, make('span', {}, text)),
    read: (): CardInput['consent'] => (box.checked ? { setupFutureUsage, consent: { text } } : {}),
  };
}

function mountFields(
  place: HTMLElement,
  savedCard: CardFieldsOptions['savedCard'],
  { onSubmit, onProblem }: Listeners,
): CardFields {
  const style = getComputedStyle(document.documentElement);
  const theme = Object.fromEntries(
    Object.entries(THEME).map(([name, own]) => [name, style.getPropertyValue(own).trim()]),
  );
  const options = { baseUrl: location.origin, language, theme };
  const fields = createCardFields(savedCard === undefined ? options : { ...options, savedCard });
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
