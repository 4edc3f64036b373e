import type { Call, Listed } from './data-provider.ts';

type Query = Record<string, unknown>;

/** What a text may be, in the order in which it is tried. */
const MEANINGS: readonly { readonly fits: RegExp; readonly query: (text: string) => Query }[] = [
  { fits: /^\d{4}$/, query: (last4) => ({ last4 }) },
  { fits: /^(?!(?:pi|att|txn|re|cus)_[0-9a-f]{32}$)[^@\s]*$/, query: (reference) => ({ reference }) },
  { fits: /^\S+$/, query: (id) => ({ id }) },
  { fits: /\s/, query: (reference) => ({ reference }) },
];

export interface FoundPayments extends Listed {
  /** The filters that the text stands for. */
  readonly query: Query;
}

/**
 * Payments by one text, whatever it is: an id of anything, a reference, the last four digits of a card, or a customer's
 * e-mail address. The first meaning that finds something counts.
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
    ...MEANINGS.filter(({ fits }) => fits.test(text)).map(({ query }) => query(text)),
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
