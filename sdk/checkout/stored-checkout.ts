import type { TabStorage } from './platform.ts';
import type { Cursor } from './event-stream.ts';
import { parseObject } from './parse.ts';

const NAME = 'payment-engine.checkout';

/** The data that the page after a redirect needs; stored in the tab. */
export interface StoredCheckout {
  readonly clientSecret: string;
  readonly baseUrl: string;
  readonly cursor: Cursor;
}

export function storeCheckout(storage: TabStorage, { clientSecret, baseUrl, cursor }: StoredCheckout): void {
  storage.write(NAME, JSON.stringify({ clientSecret, baseUrl, ...cursor }));
}

export function readStoredCheckout(storage: TabStorage): StoredCheckout | null {
  const { clientSecret, baseUrl, after, sequence } = parseObject(storage.read(NAME) ?? '') ?? {};
  if (typeof clientSecret !== 'string' || typeof baseUrl !== 'string' || typeof sequence !== 'number') return null;
  return { clientSecret, baseUrl, cursor: { after: typeof after === 'string' ? after : null, sequence } };
}

/** Removes the stored checkout if it is of this client secret. */
export function forgetCheckout(storage: TabStorage, clientSecret: string): void {
  if (readStoredCheckout(storage)?.clientSecret === clientSecret) storage.remove(NAME);
}
