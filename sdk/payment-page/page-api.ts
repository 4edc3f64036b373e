import { asSavedCards } from '../checkout/parse.ts';
import type { FutureUsage, PaymentStatus, SavedCard } from '../checkout/types.ts';
import type { ClosedStatus } from './words/words.ts';

type Method = 'card' | 'upi' | 'crypto';

/** The payment that this browser has opened last. */
export interface PagePayment {
  readonly id: string;
  readonly status: PaymentStatus;
  /** Null after the end of the payment. */
  readonly clientSecret: string | null;
  readonly expiresInMs: number;
  readonly statusSince: string;
  readonly paidBy: Readonly<Record<string, unknown>> | null;
}

/** What the merchant says of itself; null where it says nothing. */
export interface MerchantProfile {
  /** `#rrggbb` */
  readonly color: string | null;
  readonly logoPath: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
  readonly returnUrl: string | null;
}

/** What the page shows, as the API says it. */
export interface PageState {
  readonly status: 'active' | Exclude<ClosedStatus, 'not_found'>;
  readonly environment: 'sandbox' | 'production';
  readonly merchantName: string;
  readonly profile: MerchantProfile;
  readonly amount: number | null;
  readonly currency: string | null;
  /** Digits after the point in amounts of the currency; the browser's own table differs from it. */
  readonly currencyDigits: number;
  readonly description: string | null;
  readonly reference: string | null;
  readonly methods: readonly Method[];
  /** What the page offers to save a card for; null for nothing. */
  readonly savesCardFor: FutureUsage | null;
  readonly savedCards: readonly SavedCard[];
  readonly payment: PagePayment | null;
}

/** Why the API did not answer a request of the page. */
export class PageApiError extends Error {
  override readonly name = 'PageApiError';
  /** @param code of the API's error catalogue, or `NETWORK_ERROR` */
  constructor(readonly code: string) {
    super(code);
  }
}

/** What the page asks of the API besides what the checkout SDK does. Each call throws `PageApiError`. */
export interface PageApi {
  readState(): Promise<PageState>;
  /** The payment of this browser, which is opened unless there is one. @param another whether one is opened after a paid one */
  open(another: boolean): Promise<PageState>;
  /** Cancels the payment of this browser, unless it has ended. */
  cancel(): Promise<PageState>;
}

const WITHIN_MS = 30_000;

/** @param address of the page */
export function createPageApi(address: string): PageApi {
  const send = async (path: string, body?: object): Promise<PageState> => {
    const init = body === undefined ? {} : { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) };
    const response = await fetch(`${address}/${path}`, {
      ...init,
      cache: 'no-store',
      signal: AbortSignal.timeout(WITHIN_MS),
    }).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as Answer | null | undefined;
    if (response?.ok === true && answer?.data !== undefined) {
      return { ...answer.data, savedCards: asSavedCards(answer.data.savedCards) };
    }
    throw new PageApiError(answer?.error?.code ?? 'NETWORK_ERROR');
  };
  return {
    readState: () => send('state'),
    open: (another) => send('payment', { another }),
    cancel: () => send('cancel', {}),
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Answer {
  readonly data?: Omit<PageState, 'savedCards'> & { readonly savedCards: unknown };
  readonly error?: { readonly code?: string };
}
