import type { CustomerReturns } from '../../activities/customer-returns.ts';
import type { CustomerReturn } from '../../providers/payment-provider.ts';

/** For providers whose customers bring back no result. */
export const NO_RETURN: CustomerReturn = {
  begin: () => Promise.resolve({ status: 'none' }),
  close: () => Promise.resolve(false),
};

/** For engines without an address to which customers come back. */
export const NO_RETURNS: CustomerReturns = { urlOf: () => null, ofAttempt: () => NO_RETURN };

/** A customer return in memory, which follows the rules of `prisma/queries/customer-return.ts`. */
export class MemoryReturn implements CustomerReturn {
  #state: 'unknown' | 'awaited' | 'returned' | 'sent' | 'closed' = 'unknown';
  #result = '';

  /** The provider is known to wait for the customer. */
  expect(): void {
    if (this.#state === 'unknown') this.#state = 'awaited';
  }

  /** The customer comes back; the first result counts. */
  comeBack(result: string): void {
    if (this.#state !== 'unknown' && this.#state !== 'awaited') return;
    this.#state = 'returned';
    this.#result = result;
  }

  begin(): ReturnType<CustomerReturn['begin']> {
    if (this.#state === 'closed') return Promise.resolve({ status: 'closed' });
    if (this.#state !== 'returned' && this.#state !== 'sent') return Promise.resolve({ status: 'none' });
    this.#state = 'sent';
    return Promise.resolve({ status: 'returned', result: this.#result });
  }

  close(): Promise<boolean> {
    if (this.#state === 'unknown' || this.#state === 'sent') return Promise.resolve(false);
    this.#state = 'closed';
    return Promise.resolve(true);
  }
}
