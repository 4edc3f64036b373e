import { brandTitle } from './card-name.ts';
import { formatTime, READER } from './context.ts';
import { element, factList, make } from './elements.ts';
import type { PagePayment } from './page-api.ts';
import { fill } from './words/index.ts';

const { words } = READER;
const section = element('receipt', HTMLElement);

/** What was paid for. */
export interface PaidLink {
  readonly merchantName: string;
  readonly description: string | null;
  readonly amount: string;
  /** Where the customer can go on; null for nowhere. */
  readonly returnUrl: string | null;
}

/** Shows the receipt of a paid link, as the API knows it. */
export function showReceipt({ merchantName, description, amount, returnUrl }: PaidLink, payment: PagePayment): void {
  const by = payment.paidBy === null ? '' : methodText(payment.paidBy);
  section.replaceChildren(
    make('h2', { id: 'receipt-heading' }, words.receipt),
    factList([
      [words.paidTo, merchantName],
      ...(description === null ? [] : [[words.paidFor, description] as const]),
      [words.paidAmount, amount],
      ...(by === '' ? [] : [[words.paidBy, by] as const]),
      [words.paidOn, formatTime(payment.statusSince)],
      [words.payment, payment.id],
    ]),
    ...(returnUrl === null
      ? []
      : [
          make(
            'a',
            { class: 'second', href: returnUrl, rel: 'noreferrer' },
            fill(words.backTo, { merchant: merchantName }),
          ),
        ]),
  );
  section.hidden = false;
}

export function hideReceipt(): void {
  section.hidden = true;
}

function methodText({ type, brand, last4, vpa, asset, network }: Readonly<Record<string, unknown>>): string {
  switch (type) {
    case 'card': {
      const name = brandTitle(String(brand)) ?? words.methods.card;
      return typeof last4 === 'string' ? fill(words.cardEnding, { brand: name, last4 }) : name;
    }
    case 'upi':
      return typeof vpa === 'string' ? `UPI, ${vpa}` : 'UPI';
    case 'crypto':
      return `${String(asset)} (${String(network)})`;
    default:
      return '';
  }
}
