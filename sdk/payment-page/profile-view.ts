import { READER } from './context.ts';
import { element, make } from './elements.ts';
import { inkOn } from './ink.ts';
import type { MerchantProfile } from './page-api.ts';
import { fill } from './words/index.ts';

const { words } = READER;
const logo = element('logo', HTMLImageElement);
const contact = element('contact', HTMLElement);

/** Shows whom the customer pays: logo and colour, and below the form where there is help, and the terms. */
export function showProfile(merchantName: string, profile: MerchantProfile): void {
  const { color, logoPath } = profile;
  logo.hidden = logoPath === null;
  if (logoPath !== null && logo.getAttribute('src') !== logoPath) logo.src = logoPath;
  const { style } = document.documentElement;
  if (color !== null) {
    style.setProperty('--brand', color);
    style.setProperty('--brand-ink', inkOn(color));
  }
  const links = linksOf(profile);
  contact.hidden = links.length === 0;
  contact.replaceChildren(make('span', {}, fill(words.questions, { merchant: merchantName })), ...links);
}

function linksOf({ supportEmail, supportPhone, supportUrl, termsUrl }: MerchantProfile): readonly HTMLElement[] {
  return [
    ...(supportEmail === null ? [] : [link(`mailto:${supportEmail}`, supportEmail)]),
    ...(supportPhone === null ? [] : [link(`tel:${supportPhone.replace(/[^+\d]/g, '')}`, supportPhone)]),
    ...(supportUrl === null ? [] : [link(supportUrl, words.help)]),
    ...(termsUrl === null ? [] : [link(termsUrl, words.merchantTerms)]),
  ];
}

/** In a window of its own, so that nothing of the payment is lost. */
function link(href: string, text: string): HTMLAnchorElement {
  return make('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text);
}
