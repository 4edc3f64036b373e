/** A title, and what it means for the customer. */
export type Notice = readonly [title: string, text: string];

/** Why nothing can be paid at a link. */
export type ClosedStatus = 'inactive' | 'expired' | 'used_up' | 'unavailable' | 'busy' | 'not_found';

/** What customers read on the page, in one language. Names in braces are replaced. */
export interface Words {
  readonly loading: Notice;
  readonly notLoaded: Notice;
  readonly tryAgain: string;
  readonly sandbox: string;
  /** `{merchant}` */
  readonly payTo: string;
  /** `{reference}` */
  readonly reference: string;
  readonly payBy: string;
  readonly methods: Readonly<Record<'card' | 'upi' | 'crypto', string>>;
  readonly noMethods: Notice;
  readonly savedCards: string;
  readonly anotherCard: string;
  /** `{expiry}` */
  readonly expires: string;
  readonly upiAddress: string;
  readonly upiHint: string;
  readonly upiWrong: string;
  readonly payIn: string;
  /** `{amount}` */
  readonly pay: string;
  readonly paying: string;
  readonly payingNotice: Notice;
  readonly closed: Readonly<Record<ClosedStatus, Notice>>;
  readonly lost: string;
  readonly unknown: Notice;
  readonly processing: Notice;
  readonly stuck: Notice;
  readonly redirect: Notice;
  readonly toBank: string;
  readonly approve: Notice;
  readonly openApp: string;
  readonly upiCode: string;
  /** `{amount}` */
  readonly deposit: Notice;
  /** `{amount}`, `{network}` */
  readonly depositTerms: string;
  readonly depositAmount: string;
  readonly network: string;
  readonly address: string;
  readonly copyAddress: string;
  readonly copied: string;
  readonly notCopied: string;
  /** `{time}` */
  readonly timeLeft: string;
  readonly timeOver: string;
  readonly cancel: string;
  readonly canceling: Notice;
  readonly canceled: Notice;
  readonly notPaid: string;
  readonly failed: Notice;
  readonly tooLate: Notice;
  readonly paid: Notice;
  readonly receipt: string;
  readonly paidTo: string;
  readonly paidFor: string;
  readonly paidAmount: string;
  readonly paidBy: string;
  /** `{brand}`, `{last4}` */
  readonly cardEnding: string;
  readonly paidOn: string;
  readonly payment: string;
  readonly payAgain: string;
  /** `{merchant}` */
  readonly backTo: string;
  /** `{merchant}` */
  readonly questions: string;
  /** The link to the page that helps. */
  readonly help: string;
  /** The link to the merchant's terms. */
  readonly merchantTerms: string;
}
