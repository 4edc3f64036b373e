import { type CardFields, createCardFields } from '@payment-engine/checkout';
import { element } from '../../../sdk/payment-page/elements.ts';

const place = element('card-frame', HTMLDivElement);
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

let fields: CardFields | null = null;

/** The card fields of the engine, if the customer chose them. */
export function chosenCardFields(): CardFields | null {
  return useCardFields.checked ? fields : null;
}

/** @param onSwitch called when the customer switches between the card fields of the engine and those of the page */
export function startCardFields(onSwitch: () => void): void {
  useCardFields.addEventListener('change', onSwitch);
}

/** Shows the fields that are chosen, if the customer pays by card. */
export function showCardFields(isCard: boolean): void {
  ownFields.hidden = !isCard || useCardFields.checked;
  place.hidden = !isCard || !useCardFields.checked;
  if (!useCardFields.checked) {
    fields?.unmount();
    fields = null;
  } else if (isCard) fields ??= mountFields();
}

/** They come from where the SDK was loaded from: the engine. */
function mountFields(): CardFields {
  const style = getComputedStyle(document.documentElement);
  const theme = Object.fromEntries(
    Object.entries(VARIABLES).map(([name, own]) => [name, style.getPropertyValue(own).trim()]),
  );
  const mounted = createCardFields({ language: LANGUAGE, theme });
  mounted.on('submit', () => form.requestSubmit());
  mounted.on('error', ({ error }) => (element('problem', HTMLParagraphElement).textContent = error.message));
  mounted.mount(place);
  return mounted;
}
