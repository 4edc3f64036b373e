/** What the SDK's users see. Amounts are whole minor units of the currency, times ISO 8601 UTC. */

export type PaymentStatus =
  | 'requires_payment_method'
  | 'processing'
  | 'requires_action'
  | 'requires_capture'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'expired';

export type PaymentMethod =
  | {
      readonly type: 'card';
      readonly card: {
        readonly number: string;
        readonly expiryMonth: number;
        readonly expiryYear: number;
        readonly cvc: string;
        readonly holderName?: string;
      };
    }
  /** A card that the page of a provider took: a token of the provider, which stands for it. */
  | { readonly type: 'card'; readonly providerToken: { readonly provider: string; readonly token: string } }
  /** Without an address the customer pays by the link of the next action. */
  | { readonly type: 'upi'; readonly upi: { readonly vpa?: string } }
  | { readonly type: 'crypto'; readonly crypto: { readonly asset: string; readonly network: string } };

/** What a card is kept for: payments with the customer, or also those that the merchant makes alone. */
export type FutureUsage = 'on_session' | 'off_session';

/** A card that is saved for the customer of the payment. */
export interface SavedCard {
  readonly id: string;
  /** In lower case with underscores: `visa`; `unknown` where it is not known. */
  readonly brand: string;
  readonly last4: string | null;
  readonly expiryMonth: number | null;
  readonly expiryYear: number | null;
  /** Whether the customer prefers it. */
  readonly isDefault: boolean;
}

/** The customer's saved cards, the preferred one first; none, and why, where the page may not see them. */
export interface SavedCards {
  readonly cards: readonly SavedCard[];
  readonly error: CheckoutError | null;
}

/** What the customer has to do. */
export type NextAction = { readonly type: 'redirect'; readonly url: string } | UpiApproval | CryptoDeposit;

export interface UpiApproval {
  readonly type: 'approve_in_app';
  readonly app: 'upi';
  /** `upi://pay?…`: opens an app on a phone, and can be scanned as a QR code. Null where the provider gives none. */
  readonly link: string | null;
}

export interface CryptoDeposit {
  readonly type: 'crypto_deposit';
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  /** A decimal string in the asset's own precision. */
  readonly amount: string;
  /** Blocks on top of the deposit's own before it counts. */
  readonly confirmationsRequired: number;
  /** Until when the deposit must be in a block, ISO 8601 UTC. Null where the provider sets no such time. */
  readonly expiresAt: string | null;
}

/** A failure: a code of the API's error catalogue, or one of the SDK's own (`NETWORK_ERROR`, `INVALID_CLIENT_SECRET`). */
export interface CheckoutError {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** The payment as the page may see it. */
export interface Payment {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly nextAction: NextAction | null;
  readonly lastError: CheckoutError | null;
  /** Set while the payment takes longer than usual. */
  readonly isStuck: boolean;
  /** Null once it cannot expire any more. */
  readonly expiresAt: string | null;
}

/**
 * - `succeeded`: paid. `authorized`: the money is held until the merchant captures it.
 * - `processing`: no outcome yet; an event follows. `requires_action`: the customer has to do something first.
 * - `declined`: not paid, and another method may be tried. `failed`: not paid, and nothing more can be tried.
 * - `refused`: the request was not acceptable (see `error`); the payment is as it was.
 * - `unknown`: no response came; events report the outcome of the payment.
 */
export type ConfirmOutcome =
  | 'succeeded'
  | 'authorized'
  | 'processing'
  | 'requires_action'
  | 'declined'
  | 'failed'
  | 'refused'
  | 'unknown';

/** Outcomes that always have an `error`. */
export type UnpaidOutcome = 'declined' | 'failed' | 'refused' | 'unknown';

interface ConfirmResultBase {
  readonly payment: Payment | null;
  readonly nextAction: NextAction | null;
  /** What came of leading the customer to their bank, where that was to be done. */
  readonly action: ActionStart | null;
}

/** `outcome` tells whether there is an `error`: why the payment is not paid, or whether it is. */
export type ConfirmResult =
  | (ConfirmResultBase & { readonly outcome: UnpaidOutcome; readonly error: CheckoutError })
  | (ConfirmResultBase & {
      readonly outcome: Exclude<ConfirmOutcome, UnpaidOutcome>;
      /** Why the confirm itself did nothing, where it came too late. */
      readonly error: CheckoutError | null;
    });

/** How the customer gets to the page of their bank: in this window, in one of its own, or by the page itself. */
export type RedirectMode = 'page' | 'popup' | 'manual';

export interface ConfirmOptions {
  /** Without it and `paymentMethodId`, the method that the payment intent has already. */
  readonly paymentMethod?: PaymentMethod;
  /** A payment method that was stored for this payment, by card fields for example; or a saved one of its customer. */
  readonly paymentMethodId?: string;
  /** The security code that the customer enters for a saved payment method. */
  readonly cvc?: string;
  /** What the customer lets the merchant keep the card for, where the payment allows it; left out: nothing is saved. */
  readonly setupFutureUsage?: FutureUsage;
  /** The text to which the customer has agreed. */
  readonly consent?: { readonly text: string };
  /** Where the customer returns after a redirect; if omitted, the URL of the payment intent applies. */
  readonly returnUrl?: string;
  /** Default: `page`. */
  readonly redirect?: RedirectMode;
}

/** What became of an attempt to lead the customer to their bank. */
export type ActionStart = 'started' | 'popup_blocked' | 'nothing_to_do';

interface PaymentEventBase {
  /** Null where the event was not sent but read off the payment's state, because it came before the page listened. */
  readonly id: string | null;
  readonly paymentIntentId: string;
  readonly status: PaymentStatus;
  readonly nextAction: NextAction | null;
  /** Whether nothing can follow any more. */
  readonly terminal: boolean;
  readonly createdAt: string;
}

/** The payment failed, or (`advisory`) takes longer than usual. */
export interface PaymentFailureEvent extends PaymentEventBase {
  readonly type: 'payment-failed' | 'advisory';
  readonly error: CheckoutError;
}

export interface PaymentProgressEvent extends PaymentEventBase {
  readonly type: Exclude<PaymentEventName, PaymentFailureEvent['type']>;
  /** Set where a payment was canceled for want of further attempts. */
  readonly error: CheckoutError | null;
}

export type PaymentEvent = PaymentFailureEvent | PaymentProgressEvent;

export type PaymentEventName =
  | 'payment-processing'
  | 'payment-requires-action'
  | 'payment-amount-capturable'
  | 'payment-succeeded'
  | 'payment-failed'
  | 'payment-canceled'
  | 'payment-expired'
  /** The payment takes longer than usual and goes on; not a failure. */
  | 'advisory';

/** Whether events arrive: `closed` means that none will any more. */
export interface ConnectionEvent {
  readonly type: 'connection';
  readonly state: 'connecting' | 'connected' | 'reconnecting' | 'closed';
  /** Why it is closed, unless the page closed it. */
  readonly error: CheckoutError | null;
}

/** A frame of the socket as it was sent or received, without the client secret; for pages that show the traffic. */
export interface FrameEvent {
  readonly type: 'frame';
  readonly direction: 'sent' | 'received';
  readonly frame: Readonly<Record<string, unknown>>;
}

export type CheckoutEvents = Readonly<Record<PaymentFailureEvent['type'], PaymentFailureEvent>> &
  Readonly<Record<PaymentProgressEvent['type'], PaymentProgressEvent>> & {
    readonly connection: ConnectionEvent;
    readonly frame: FrameEvent;
  };

export type Unsubscribe = () => void;

/** What is known of the payment. */
export interface StatusResult {
  /** Null before any state is known. */
  readonly status: PaymentStatus | null;
  readonly nextAction: NextAction | null;
  /** The payment in full, where the API returned it: until 24 hours after the payment's end. */
  readonly payment: Payment | null;
  /** Why the API did not return it. */
  readonly error: CheckoutError | null;
}

/** One payment on one page. No method throws, and no promise rejects. */
export interface Checkout {
  readonly paymentIntentId: string;
  /**
   * Pays. A decline is a result, not an exception. Pays nothing if the payment is under way or has ended already, for
   * example in another tab: the result then has the payment as it is, and the reason as its `error`.
   */
  confirm(options?: ConfirmOptions): Promise<ConfirmResult>;
  /** Calls the listener for each such event, in order, each once. What it throws is reported to the console. */
  on<Name extends keyof CheckoutEvents>(name: Name, listener: (event: CheckoutEvents[Name]) => void): Unsubscribe;
  /** Reads the state of the payment; without a response, the last known state. */
  status(): Promise<StatusResult>;
  /** Reads the cards with which the customer can pay, if the payment was created with `allowSavedPaymentMethods`. */
  savedCards(): Promise<SavedCards>;
  /** Leads the customer to their bank (again), from a click where it is to open a window. */
  startAction(redirect?: RedirectMode): ActionStart;
  /** Ends the subscription; the payment goes on. */
  close(): void;
}

export interface CheckoutOptions {
  /** The `clientSecret` that the payment intent's creation answered with. */
  readonly clientSecret: string;
  /** The API, without `/api/v1`; default: where the SDK was loaded from. */
  readonly baseUrl?: string;
  /**
   * `tab` (the default) stores the client secret, the API's address and the id of the last event in the tab while the
   * customer is at their bank, for `resumeCheckout`. `none` stores nothing, for pages whose server gives them the client
   * secret again.
   */
  readonly storage?: 'tab' | 'none';
}

/**
 * How the card fields look: values of CSS variables, each checked before it is used. Colors are hexadecimal, `rgb()` or
 * `hsl()`; lengths are in `px`, `rem` or `em`; `--font-family` is a list of names.
 */
export type CardFieldsTheme = Readonly<
  Partial<
    Record<
      | '--text'
      | '--label'
      | '--placeholder'
      | '--background'
      /** Behind and between the fields; transparent by default. */
      | '--page'
      | '--border'
      | '--focus'
      | '--error'
      | '--font-family'
      | '--font-size'
      | '--border-radius'
      | '--border-width'
      | '--field-height'
      | '--gap',
      string
    >
  >
>;

export interface CardFieldsOptions {
  /** The API, without `/api/v1`; default: where the SDK was loaded from. */
  readonly baseUrl?: string;
  /** A language tag such as `de`; default: that of the page, else that of the browser. Others than those of the SDK: English. */
  readonly language?: string;
  readonly theme?: CardFieldsTheme;
  /** The saved card whose security code alone is asked for; left out: all fields of a new card. */
  readonly savedCard?: Pick<SavedCard, 'id' | 'brand'>;
}

export interface CardFieldsEvents {
  /** The fields can be used. */
  readonly ready: { readonly type: 'ready' };
  /** `brand`: the name of the card's brand, such as `Visa`, once its number tells. */
  readonly change: { readonly type: 'change'; readonly complete: boolean; readonly brand: string | null };
  /** The customer pressed Enter in a field. */
  readonly submit: { readonly type: 'submit' };
  /** The fields could not be loaded. */
  readonly error: { readonly type: 'error'; readonly error: CheckoutError };
}

/** A card that is stored for one payment, or why it is not. */
export interface StoredCard {
  readonly paymentMethodId: string | null;
  readonly error: CheckoutError | null;
}
