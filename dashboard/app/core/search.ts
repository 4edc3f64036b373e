import { ANY_WITH_CENTS, parseMoney } from './money.ts';
import type { Call, Listed } from './request.ts';
import { currencies } from './words.ts';

type Query = Record<string, unknown>;

/** What a text may be, in the order in which it is tried. */
const MEANINGS: readonly { readonly fits: RegExp; readonly query: (text: string) => Query }[] = [
  { fits: /^\d{4}$/, query: (last4) => ({ last4 }) },
  { fits: /^(?!(?:pi|att|txn|re|cus)_[0-9a-f]{32}$)[^@\s]*$/, query: (reference) => ({ reference }) },
  { fits: /^\S+$/, query: (id) => ({ id }) },
  { fits: /\s/, query: (reference) => ({ reference }) },
  { fits: /^plink_[0-9a-f]{32}$/, query: (paymentLinkId) => ({ paymentLinkId }) },
];

const CURRENCY_BESIDE_AMOUNT = /^([A-Za-z]{3})\s*(?=\d)|(?<=\d)\s*([A-Za-z]{3})$/;

const EVENT_ID = /^evt_[0-9a-f]{32}$/;

export interface FoundPayments extends Listed {
  /** The filters that the text stands for. */
  readonly query: Query;
}

/**
 * Payments by one text, whatever it is: an id of anything, a reference, the last four digits of a card, an amount, or a
 * customer's e-mail address. The first meaning that finds something counts.
 */
export async function findPayments(
  typed: string,
  others: Query,
  read: (query: Query) => Promise<Listed>,
  call: Call,
): Promise<FoundPayments> {
  const text = typed.trim();
  let found: FoundPayments = { data: [], pagination: { total: 0 }, query: { ...others, id: text } };
  const queries = [
    ...(text.includes('@') ? await customersWith(text, call) : []),
    ...(EVENT_ID.test(text) ? await resourceOf(text, call) : []),
    ...MEANINGS.filter(({ fits }) => fits.test(text)).map(({ query }) => query(text)),
    ...amountIn(text, others),
  ];
  for (const meaning of queries) {
    const query = { ...others, ...meaning };
    found = { ...(await read(query)), query };
    if (found.pagination.total > 0) return found;
  }
  return found;
}

async function customersWith(email: string, call: Call): Promise<readonly Query[]> {
  const page = await call('customers', { query: { email, limit: 5 } }).catch(() => null);
  return ((page as Listed | null)?.data ?? []).map(({ id }) => ({ customerId: id }));
}

/** What an event is about. */
async function resourceOf(eventId: string, call: Call): Promise<readonly Query[]> {
  const event = await call(`events/${eventId}`).catch(() => null);
  const id = (event as { data: { data: { id: string } } } | null)?.data.data.id;
  return id === undefined ? [] : [{ id }];
}

/** Exactly this amount, in the currency beside it, in that of the filters, or else in any that has two decimals. */
function amountIn(text: string, { currency: filtered }: Query): readonly Query[] {
  const [beside = '', before, after] = CURRENCY_BESIDE_AMOUNT.exec(text) ?? [];
  const currency = (before ?? after)?.toUpperCase() ?? (typeof filtered === 'string' ? filtered : undefined);
  if (currency !== undefined && !currencies().includes(currency)) return [];
  const amount = parseMoney(text.replace(beside, ''), currency ?? ANY_WITH_CENTS);
  if (amount === undefined) return [];
  return [{ ...(currency === undefined ? {} : { currency }), amountMin: amount, amountMax: amount }];
}
