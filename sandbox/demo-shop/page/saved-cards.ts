import { consentText } from '@payment-engine/checkout';
import { element, make } from '../../../sdk/payment-page/elements.ts';
import { brandTitle } from '../../../sdk/payment-page/card-name.ts';
import { LANGUAGE } from './card-fields.ts';
import { messageOf } from './explain.ts';
import { removeSavedCard, type ShopCard } from './shop-api.ts';

const list = element('saved-cards', HTMLFieldSetElement);
const choices = element('saved-choices', HTMLDivElement);
const renewal = element('renewal', HTMLDivElement);
const save = element('save-card', HTMLInputElement);

/** What the customer lets the shop do with a saved card: it sells subscriptions too. */
const USAGE = 'off_session';
const CONSENT = consentText({ merchant: 'Lamp shop', setupFutureUsage: USAGE }, LANGUAGE);
const NEW_CARD = 'new';

let cards: readonly ShopCard[] = [];

/** @param onChoice called when the customer chooses another card, or has removed one */
export function startSavedCards(onChoice: () => void): void {
  element('save-card-text', HTMLSpanElement).textContent = CONSENT;
  list.addEventListener('change', onChoice);
  choices.addEventListener('click', ({ target }) => {
    const id = target instanceof HTMLButtonElement ? target.dataset.remove : undefined;
    if (id !== undefined) void remove(id, onChoice);
  });
}

/** Shows the customer's cards, the first of them chosen. */
export function showSavedCards(shown: readonly ShopCard[]): void {
  cards = shown;
  choices.replaceChildren(...cards.map((card, index) => rowOf(card, index === 0)), newCardRow(cards.length === 0));
}

/** @param isPossible whether no payment is under way, so that the shop may begin another one */
export function showRenewal(isPossible: boolean): void {
  renewal.hidden = !isPossible || !cards.some(({ renews }) => renews);
}

/** The saved card that the customer pays with; null for a new card. */
export function chosenSavedCard(): ShopCard | null {
  const value = choices.querySelector<HTMLInputElement>('[name=saved-card]:checked')?.value;
  return cards.find(({ id }) => id === value) ?? null;
}

export function hasSavedCards(): boolean {
  return cards.length > 0;
}

/** Chooses a new card, for the page to fill in. */
export function chooseNewCard(): void {
  const input = choices.querySelector<HTMLInputElement>(`[value=${NEW_CARD}]`);
  if (input !== null) input.checked = true;
}

/** What a confirm says where the customer has ticked the box; nothing otherwise. */
export function consentOf():
  | { readonly setupFutureUsage: typeof USAGE; readonly consent: { readonly text: string } }
  | object {
  return save.checked && chosenSavedCard() === null ? { setupFutureUsage: USAGE, consent: { text: CONSENT } } : {};
}

/** The next card is saved only if the customer says so again. */
export function forgetConsent(): void {
  save.checked = false;
}

async function remove(id: string, onChoice: () => void): Promise<void> {
  const card = cards.find((each) => each.id === id);
  if (card === undefined || !confirm(`Remove ${nameOf(card)}? The shop cannot charge it any more.`)) return;
  const said = element('saved-said', HTMLParagraphElement);
  try {
    showSavedCards(await removeSavedCard(id));
    said.textContent = 'The card is removed.';
    showRenewal(true);
    choices.querySelector<HTMLInputElement>('input:checked')?.focus();
    onChoice();
  } catch (error) {
    said.textContent = messageOf(error);
  }
}

function rowOf(card: ShopCard, isChosen: boolean): HTMLElement {
  const name = nameOf(card);
  const expires = card.expires === null ? [] : [make('small', {}, `expires ${card.expires}`)];
  const choice = make('label', {}, radioOf(card.id, isChosen), make('span', {}, name, ...expires));
  const button = make('button', { type: 'button', class: 'link', 'data-remove': card.id }, 'Remove');
  button.setAttribute('aria-label', `Remove ${name}`);
  return make('div', { class: 'saved-row' }, choice, button);
}

function newCardRow(isChosen: boolean): HTMLElement {
  return make(
    'div',
    { class: 'saved-row' },
    make('label', {}, radioOf(NEW_CARD, isChosen), make('span', {}, 'Another card')),
  );
}

function radioOf(value: string, isChosen: boolean): HTMLInputElement {
  const radio = make('input', { type: 'radio', name: 'saved-card', value });
  radio.checked = isChosen;
  return radio;
}

function nameOf({ brand, last4 }: ShopCard): string {
  return `${brandTitle(brand) ?? 'Card'}${last4 === null ? '' : ` ending in ${last4}`}`;
}
