import { element, factList } from '../../../sdk/payment-page/elements.ts';
import { type Receipt, readReceipt } from './shop-api.ts';

const section = element('receipt', HTMLElement);
const facts = element('receipt-facts', HTMLDivElement);

/** Shows the receipt of a paid order. It comes from the shop's server: a page's word proves no payment. */
export async function showReceipt(orderNumber: string): Promise<void> {
  try {
    facts.replaceChildren(factList(factsOf(await readReceipt(orderNumber))));
    section.hidden = false;
  } catch (error) {
    console.warn(error);
  }
}

export function hideReceipt(): void {
  section.hidden = true;
}

function factsOf(receipt: Receipt): readonly (readonly [string, string])[] {
  const { orderNumber, article, amount, currency, paidAt, paymentId } = receipt;
  return [
    ['Order', orderNumber],
    ['Article', article],
    ['Paid', formatMoney(amount, currency)],
    ['By', describeMethod(receipt.paidBy ?? {})],
    ['On', new Date(paidAt).toLocaleString()],
    ['Payment', paymentId],
  ];
}

function describeMethod({ type, brand, last4, vpa, asset, network }: Readonly<Record<string, unknown>>): string {
  switch (type) {
    case 'card':
      return `Card (${String(brand)}) ending in ${String(last4)}`;
    case 'upi':
      return typeof vpa === 'string' ? `UPI, ${vpa}` : 'UPI';
    case 'crypto':
      return `${String(asset)} on ${String(network)}`;
    default:
      return 'another method';
  }
}

/** An amount in minor units as text, such as `€49.00`. */
function formatMoney(amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  return format.format(amountMinor / 10 ** digits);
}
