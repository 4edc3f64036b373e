import type { FakeStoredCard } from './stored-cards.ts';

/** How the fake treats one payment; by default it is authorized as requested. */
export interface AdyenBehaviour {
  readonly resultCode?: 'Authorised' | 'Refused' | 'Error' | 'Cancelled' | 'Pending' | 'Received' | 'RedirectShopper';
  /** Refused as in `refusalReasonCode`, unless the payment is to be authenticated: then the customer is sent to the issuer. */
  readonly demandsAuthentication?: true;
  /** What `/payments/details` answers after the customer was authenticated; authorized by default. */
  readonly afterChallenge?: 'Authorised' | 'Refused' | 'Pending' | 'RedirectShopper';
  /** How the customer is to be sent to the issuer; GET by default. */
  readonly redirectMethod?: 'POST';
  readonly refusalReasonCode?: string;
  readonly refusalReason?: string;
  /** What is authorized, and reported, instead of what was requested. */
  readonly authorized?: Partial<FakeAmount>;
  /** Replies without `amount`, as accounts get them that have not asked for it. */
  readonly withoutAmount?: boolean;
  /** What the account has Adyen return besides, such as the last four digits of the card; nothing by default. */
  readonly additionalData?: Readonly<Record<string, string>>;
  /** `refused`: accepted, and then reported as failed. */
  readonly capture?: 'refused';
  /** Whether the issuer wants the customer: sent there if present, and else the payment is refused. */
  readonly wantsCustomer?: true;
  /** `waiting`: not reported before `settleRefund`. */
  readonly refund?: 'refused' | 'waiting';
}

export interface FakeAmount {
  readonly value: number;
  readonly currency: string;
}

export interface FakePayment {
  readonly pspReference: string;
  readonly reference: string;
  readonly amount: FakeAmount;
  readonly isManual: boolean;
  readonly behaviour: AdyenBehaviour;
  /** The card that is kept once the payment is authorized; absent for none. */
  readonly toKeep?: Omit<FakeStoredCard, 'id' | 'firstPspReference'>;
  /** The card on file that is charged, and how that was declared; absent for another card. */
  readonly onFile?: FakeUse;
  /** Where the customer goes after the issuer's page. */
  readonly returnUrl: string;
  status: 'open' | 'held' | 'captured' | 'refused' | 'canceled';
  capturedValue: number;
  refundedValue: number;
  /** How often it was captured. */
  charges: number;
}

/** How a card on file is used. */
interface FakeUse {
  readonly token: string;
  readonly shopperInteraction: string;
  readonly recurringProcessingModel: string;
}
