import { type CardFields, type CardFieldsOptions, createCardFields } from '@payment-engine/checkout';
import { element } from '../../../sdk/payment-page/elements.ts';

const place = element('card-frame', HTMLDivElement);
const codePlace = element('code-frame', HTMLDivElement);
const newCard = element('new-card', HTMLDivElement);
const ownFields = element('own-fields', HTMLDivElement);
const useCardFields = element('use-card-fields', HTMLInputElement);
const form = element('form', HTMLFormElement);

/** The language that the address names (`?language=de`), else that of the page. */
export const LANGUAGE = new URLSearchParams(location.search).get('language') ?? document.documentElement.lang;

/** The fields of the theme, by the variables of this page. */
const VARIABLES = {
  '--text': '--ink',
  '--label': '--ink',
  '--placeholder': '--quiet',
  '--background': '--panel',
  '--page': '--panel',
  '--border': '--field',
  '--focus': '--focus',
  '--error': '--bad',
} as const;

export type FramedCard = NonNullable<CardFieldsOptions['savedCard']>;

let fields: CardFields | null = null;
/** The field for the security code of a saved card. */
let code: { readonly cardId: string; readonly fields: CardFields } | null = null;

/** The card fields of the engine, if the customer chose them, or a saved card. */
export function chosenCardFields(): CardFields | null {
  return code?.fields ?? (useCardFields.checked ? fields : null);
}

/** Whether new cards are entered in the card fields of the engine. */
export function usesCardFields(): boolean {
  return useCardFields.checked;
}

/** @param onSwitch called when the customer switches between the card fields of the engine and those of the page */
export function startCardFields(onSwitch: () => void): void {
  useCardFields.addEventListener('change', onSwitch);
}

/** Shows the fields that are chosen, if the customer pays by card. @param savedCard that the customer pays with; null for a new card */
export function showCardFields(isCard: boolean, savedCard: FramedCard | null): void {
  const isNew = isCard && savedCard === null;
  newCard.hidden = !isNew;
  ownFields.hidden = useCardFields.checked;
  place.hidden = !useCardFields.checked;
  showCode(isCard ? savedCard : null);
  if (!useCardFields.checked) {
    fields?.unmount();
    fields = null;
  } else if (isNew) fields ??= mountFields(place);
}

/** The security code of a saved card is always entered in a field of the engine. */
function showCode(savedCard: FramedCard | null): void {
  codePlace.hidden = savedCard === null;
  if (code?.cardId === savedCard?.id) return;
  code?.fields.unmount();
  code = savedCard === null ? null : { cardId: savedCard.id, fields: mountFields(codePlace, savedCard) };
}

/** They come from where the SDK was loaded from: the engine. */
function mountFields(parent: HTMLElement, savedCard?: FramedCard): CardFields {
  const style = getComputedStyle(document.documentElement);
  const theme = Object.fromEntries(
    Object.entries(VARIABLES).map(([name, own]) => [name, style.getPropertyValue(own).trim()]),
  );
  const options = { language: LANGUAGE, theme };
  const mounted = createCardFields(savedCard === undefined ? options : { ...options, savedCard });
  mounted.on('submit', () => form.requestSubmit());
  mounted.on('error', ({ error }) => (element('problem', HTMLParagraphElement).textContent = error.message));
  mounted.mount(parent);
  return mounted;
}
