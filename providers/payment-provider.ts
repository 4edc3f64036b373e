import type { DisputeReason, DisputeReport, DisputeStage, StoredReport } from '../domain/dispute.ts';
import type { DisputeEvidence, DisputeFileKind, DisputeFileType } from '../domain/dispute-evidence.ts';
import type { JsonObject } from '../domain/json.ts';
import type { CaptureMethod, Environment, MaskedCard, NextAction } from '../domain/payment.ts';
import type {
  AuthorizationOutcome,
  CaptureOutcome,
  InquiryOutcome,
  ReceivedWebhook,
  RefundInquiryOutcome,
  RefundOutcome,
} from '../domain/provider-outcome.ts';
import type { ListedPayment, TimeWindow } from '../domain/reconciliation.ts';
import type { ProviderOffer } from '../domain/routing.ts';
import type { ReportedSettlement, ReportedSettlementEntry } from '../domain/settlement.ts';
import {
  type CustomersAtProvider,
  type FutureUsage,
  isOffSession,
  type SavedMethodUse,
} from '../domain/saved-payment-method.ts';

/** A decrypted payment method. Exists only between decryption and the provider's socket. */
export type PaymentMethodDetails =
  | {
      readonly type: 'card';
      readonly number: string;
      readonly expiryMonth: number;
      readonly expiryYear: number;
      readonly cvc: string | null;
      readonly holderName: string | null;
      /** Set where the provider is to store the card for a customer, who has agreed to it. */
      readonly saving?: CardSaving;
      /** Set where it is a saved card that is charged by its number, because this provider has no token for it. */
      readonly saved?: SavedCardUse;
    }
  /** A card that the provider itself took: its token stands for the card, at this provider alone. */
  | { readonly type: 'card_token'; readonly provider: string; readonly token: string }
  | { readonly type: 'upi'; readonly vpa: string | null }
  | { readonly type: 'crypto'; readonly asset: string; readonly network: string };

/** A card that the customer lets the merchant keep. */
interface CardSaving {
  readonly customerId: string;
  readonly usage: FutureUsage;
}

/** A saved card by the token that the provider of the attempt has issued for it: it stands for the card there alone. */
interface SavedCardToken {
  readonly type: 'saved_card_token';
  readonly token: string;
  /** The provider's own id of the customer; null where it has none. */
  readonly providerCustomerId: string | null;
  /** Null where the customer entered none, and always without the customer. */
  readonly cvc: string | null;
  readonly saved: SavedCardUse;
}

/** What a provider is asked to charge. Only a provider that offers `storedCredentials` gets a `saved_card_token`. */
export type MethodToCharge = PaymentMethodDetails | SavedCardToken;

/** Whether the merchant charges without the customer, who can then not be asked to do anything. */
export function isWithoutCustomer(method: MethodToCharge): boolean {
  return 'saved' in method && isOffSession(method.saved?.use);
}

/** How a payment uses a card that its customer has let the merchant keep. */
interface SavedCardUse {
  readonly customerId: string;
  /** What the customer has agreed to. */
  readonly usage: FutureUsage;
  /** `on_session`: the customer pays. Otherwise the merchant charges without the customer, who cannot be asked to do anything. */
  readonly use: SavedMethodUse;
  /**
   * The payment with which the customer agreed, as the card networks know it; null where no provider has said it. A provider that
   * offers `networkTransactionIds` also takes one that another provider has said.
   */
  readonly networkTransaction: NetworkTransaction | null;
}

/** How card networks know a payment. */
interface NetworkTransaction {
  readonly id: string;
  /** Mastercard's transaction link id; null where there is none. */
  readonly linkId: string | null;
}

/** What a provider has issued for a stored card. It has no other way than `readCredential`: an outcome becomes part of a history. */
export interface StoredCredential {
  /** The provider's own token, which stands for the card at this provider alone; null where it issues none. */
  readonly token: string | null;
  /** The provider's own id of the customer, without which it does not take the token; null where it has none. */
  readonly providerCustomerId: string | null;
  /** Null where the provider does not say. */
  readonly networkTransaction: NetworkTransaction | null;
  /** The card's present expiry, which its issuer may have changed; absent where the provider does not say it. */
  readonly expiry?: { readonly month: number; readonly year: number };
}

/** The attempt with which a provider was asked to store a card. */
export interface CredentialReference extends AttemptReference {
  readonly customerId: string;
  /** The card, for a provider that lists the tokens of a customer and does not say of which payment each is. */
  readonly card: MaskedCard;
}

/** A token of a provider that it is to forget. */
export interface CredentialRemoval {
  readonly environment: Environment;
  readonly customerId: string;
  readonly token: string;
  /** As it was stored with the token. */
  readonly providerCustomerId: string | null;
}

/** What a provider offers, and how the engine therefore finds out what became of an attempt and ends it. */
export interface ProviderCapabilities extends ProviderOffer {
  /** Whether less than the authorized amount can be captured. */
  readonly partialCapture: boolean;
  /**
   * `exact`: the provider says what became of an attempt. `repeat`: it cannot be asked; the same request is sent again under
   * its key, which may charge, and the provider's webhook reports the outcome.
   */
  readonly inquiry: 'exact' | 'repeat';
  /**
   * `at_once`: the response to a closure is final. `by_webhook`: the provider accepts the closure and reports later whether it
   * succeeded. `never`: what arrives after the closure is a stray charge.
   */
  readonly closing: 'at_once' | 'by_webhook' | 'never';
  /** `by_webhook`: the provider accepts a capture and reports later whether it succeeded. */
  readonly capturing: 'at_once' | 'by_webhook';
  /**
   * The id by which the provider finds a payment again. `ours`: by the attempt's id. `of_provider`: by an id of its own, which
   * `storePaymentId` stores before the payment can charge.
   */
  readonly references: 'ours' | 'of_provider';
  /** How many requests a second one process sends to each endpoint, unless the operator sets another limit; null for no limit. */
  readonly requestsPerSecond: number | null;
}

/** Which payment at the provider is meant: every call names the attempt, whose id is the idempotency key. */
export interface AttemptReference {
  readonly attemptId: string;
  readonly environment: Environment;
  /** The provider's id of the payment; null while none is recorded. */
  readonly providerPaymentId: string | null;
  /** When the attempt was begun, ISO 8601 UTC: providers that list payments by time are asked from then on. */
  readonly startedAt: string;
}

export interface AuthorizationRequest extends AttemptReference {
  readonly paymentIntentId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  readonly method: MethodToCharge;
  /** The merchant's own identifier, such as an order number, for the provider's statement; null where there is none. */
  readonly reference: string | null;
  /** Where the customer goes after a redirect; null where the merchant gave none. */
  readonly returnUrl: string | null;
  /**
   * An address of this engine, for a provider whose result arrives with the customer: it keeps the query parameter
   * `redirectResult` for the next inquiry, and sends the customer on to `returnUrl`. Null where the engine has none.
   */
  readonly engineReturnUrl: string | null;
  /** Whether the customer has to be authenticated by 3-D Secure, because the card's issuer demands it; absent where nobody does. */
  readonly mustAuthenticate?: true;
  /** The merchant's metadata of the intent; the simulator reads its scenario from it. */
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * Records the provider's id of the payment. Where a payment is created before it can charge, the adapter awaits this in
   * between, so that a lost reply leaves a payment that can be asked about.
   * @throws where the attempt has ended meanwhile: then nothing may be charged any more
   */
  readonly storePaymentId: (providerPaymentId: string) => Promise<void>;
  readonly customers: CustomersAtProvider;
}

/** An inquiry about an attempt, or its closure. */
export interface InquiryRequest extends AttemptReference {
  readonly amountMinor: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  /** What the customer has to do; null if it is not recorded, and once the customer has done it. */
  readonly nextAction: NextAction | null;
  /**
   * The request to send again, for a provider whose inquiries are repeats.
   * @throws where the payment method is erased already
   */
  readonly loadAuthorization: () => Promise<AuthorizationRequest>;
  /** The latest outcome that the provider's webhooks reported; null where they reported none. */
  readonly loadReported: () => Promise<InquiryOutcome | null>;
  readonly customerReturn: CustomerReturn;
}

/** The result with which a customer has come back to `engineReturnUrl`. Without it, such a payment cannot charge. */
export interface CustomerReturn {
  /**
   * Records that the result is about to be sent to the provider, and returns it: the same for every repeat, also once the attempt
   * is approved. `none`: the customer has not come back, or the attempt has ended otherwise. `closed`: the attempt was closed, and
   * nothing may be sent any more.
   */
  begin(): Promise<
    | { readonly status: 'returned'; readonly result: string }
    | { readonly status: 'none' }
    | { readonly status: 'closed' }
  >;
  /**
   * Records that no result will ever be sent.
   * @returns false if a result may have been sent, or the provider is not known to wait for one: then nothing is recorded
   */
  close(): Promise<boolean>;
}

/** What to capture of an attempt's authorized money. */
export interface CaptureRequest extends AttemptReference {
  /** At most the authorized amount; the rest is released. */
  readonly amountMinor: number;
  readonly currency: string;
  /**
   * How many captures of the attempt the provider had accepted and then refused, before this one was asked for: it needs another key
   * than those. The same for every repeat of it; absent for none.
   */
  readonly refusedBefore?: number;
}

/** Which refund at the provider is meant; its id is the idempotency key. */
interface RefundReference {
  readonly refundId: string;
  readonly environment: Environment;
  /** The attempt that captured the money. */
  readonly attemptId: string;
  /** The provider's id of the payment. */
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** When the provider was first asked under the refund's id, ISO 8601 UTC; absent of the refund of a stray charge. */
  readonly requestedAt?: string;
}

/** An inquiry about a refund. */
export interface RefundInquiryRequest extends RefundReference {
  /** The latest outcome that the provider's webhooks reported; null where they reported none. */
  readonly loadReported: () => Promise<RefundInquiryOutcome | null>;
}

export interface RefundRequest extends RefundReference {
  /** The merchant's own identifier, for the provider's statement; absent or null where there is none. */
  readonly reference?: string | null;
}

/** Which dispute at the provider is meant. */
export interface DisputeReference {
  readonly disputeId: string;
  readonly environment: Environment;
  /** The provider's id of the dispute. */
  readonly providerReference: string;
  /** The attempt whose money is disputed. */
  readonly attemptId: string;
  /** The provider's id of the payment; null while none is recorded. */
  readonly providerPaymentId: string | null;
}

/** A file of a merchant's answer, decrypted. */
export interface EvidenceFile {
  readonly kind: DisputeFileKind;
  readonly contentType: DisputeFileType;
  readonly content: Buffer;
}

/** A merchant's answer to a dispute. */
export interface DisputeAnswer extends DisputeReference {
  /** The idempotency key, the same for each try. */
  readonly operationId: string;
  readonly stage: DisputeStage;
  readonly reason: DisputeReason;
  /** Both empty where the dispute is accepted. */
  readonly evidence: DisputeEvidence;
  readonly files: readonly EvidenceFile[];
  /**
   * Records that the provider is about to be asked for what cannot be taken back. The adapter awaits this before that one call: what
   * fails earlier has done nothing and is repeated, what fails later has an unknown outcome.
   * @throws where the answer may not be given any more
   */
  readonly begin: () => Promise<void>;
}

/** `refused`: the provider has done nothing, and would answer a repeat in the same way. */
export type DisputeAnswerOutcome =
  | { readonly kind: 'answered'; readonly reports: readonly DisputeReport[] }
  | { readonly kind: 'refused'; readonly providerResponse: JsonObject };

/**
 * A dispute in a provider's list, with what it says of it, as its webhooks would have reported it: where it lists the events of its
 * webhooks, under their ids.
 */
export interface ListedDispute {
  /** The attempt where the provider knows it, else the provider's own id of the payment. */
  readonly attemptId: string | null;
  readonly providerPaymentId: string | null;
  readonly reports: readonly StoredReport[];
}

export interface DisputeListPage {
  readonly disputes: readonly ListedDispute[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** Whether the provider's payments can be compared with ours. */
export function canBeReconciled(provider: PaymentProvider): boolean {
  return provider.listPayments !== undefined || provider.findPayment !== undefined;
}

/** A provider with a list of settlements. */
export type SettlementLister = PaymentProvider &
  Required<Pick<PaymentProvider, 'listSettlements' | 'listSettlementEntries'>>;

export function canListSettlements(provider: PaymentProvider): provider is SettlementLister {
  return provider.listSettlements !== undefined && provider.listSettlementEntries !== undefined;
}

/** Which part of a provider's list is read. */
export interface PaymentListRequest {
  readonly window: TimeWindow;
  /** Where the page before this one ended; null for the first one. */
  readonly cursor: string | null;
}

export interface PaymentListPage {
  readonly payments: readonly ListedPayment[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** Which settlements of a provider are read. */
export interface SettlementListRequest {
  /** Those that were made or changed since then, as far as the provider can tell. */
  readonly since: Date;
  /** Where the page before this one ended; null for the first one. */
  readonly cursor: string | null;
}

/** Which entries of a settlement are read. */
export interface SettlementEntryListRequest {
  /** The provider's id of the settlement. */
  readonly settlementReference: string;
  readonly cursor: string | null;
}

/** A page of a provider's list. */
export interface ListedPage<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * An upstream payment provider. A call without a usable answer throws `ProviderOutageError`; every other answer is returned as
 * a value, with the amounts and currencies that the provider reports, even where they differ from the request. Every call is
 * safe to repeat.
 */
export interface PaymentProvider {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;

  /** Authorizes, and captures where the capture method is automatic. A repeat with the same attempt never charges again. */
  authorize(request: AuthorizationRequest, signal: AbortSignal): Promise<AuthorizationOutcome>;

  /**
   * Whether an authorization with `mustAuthenticate` could send the customer to the card's issuer and back. Makes no call. Absent
   * where it never could.
   */
  canAuthenticate?(request: Pick<AuthorizationRequest, 'returnUrl' | 'engineReturnUrl'>): boolean;

  /**
   * Inquires about an attempt. `not_charged` is final: the provider has closed the key, so that an earlier
   * request that is still on its way cannot charge either. A provider whose inquiries are repeats answers so only of an attempt
   * that could charge with the customer's result alone, which was never sent and never will be.
   */
  inquire(request: InquiryRequest, signal: AbortSignal): Promise<InquiryOutcome>;

  /**
   * Closes an attempt, whatever its state, and voids its hold. `not_charged` when nothing was captured and nothing will be, with
   * `voided` where there was a hold; `approved` with `captured: true` when the money had been captured, and stays captured.
   * `pending` while the provider has accepted the closure and not reported its end.
   */
  close(request: InquiryRequest, signal: AbortSignal): Promise<InquiryOutcome>;

  /**
   * Captures authorized money, once. A repeat returns what was captured. After a lost reply, `inquire` returns the outcome.
   */
  capture(request: CaptureRequest, signal: AbortSignal): Promise<CaptureOutcome>;

  /**
   * Refunds captured money, in whole or in part. A repeat with the same refund never refunds twice. A closed key is returned as
   * `unrecognised`, not thrown as an outage: every repeat would get the same answer, while an inquiry returns the outcome.
   */
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>;

  /**
   * Inquires about a refund. `not_refunded` is final: the provider has closed the key, so that an earlier request
   * that is still on its way cannot refund anything either.
   */
  inquireRefund(request: RefundInquiryRequest, signal: AbortSignal): Promise<RefundInquiryOutcome>;

  /**
   * Whether a pending attempt makes the expected progress, however long that takes: its payment is then not stuck. Makes no call.
   * Absent if the provider does not show it.
   */
  isProgressing?(attemptId: string): Promise<boolean>;

  /**
   * One page of the payments that were created in a window, and of those that changed in it where the provider can list these:
   * at most some hundreds, in an order that later payments do not change. Absent where the provider has no such list.
   */
  listPayments?(request: PaymentListRequest, signal: AbortSignal): Promise<PaymentListPage>;

  /**
   * One payment of this engine as a list shows it, with its refunds; null where the provider has none. Changes nothing. Absent
   * where the provider cannot be asked, or where its list also has the payments that changed long after their creation.
   */
  findPayment?(reference: AttemptReference, signal: AbortSignal): Promise<ListedPayment | null>;

  /**
   * What the provider has issued for the card of an approved attempt; null while it has not. Changes nothing. Absent where the
   * provider stores no cards.
   */
  readCredential?(reference: CredentialReference, signal: AbortSignal): Promise<StoredCredential | null>;

  /** Has the provider forget a token. A token that it does not know is forgotten. Absent where the provider stores no cards. */
  removeCredential?(removal: CredentialRemoval, signal: AbortSignal): Promise<void>;

  /** Sends a merchant's evidence. A repeat with the same operation never sends it twice. Absent where the provider takes none. */
  submitEvidence?(answer: DisputeAnswer, signal: AbortSignal): Promise<DisputeAnswerOutcome>;

  /** Gives up the disputed money, which cannot be taken back. Absent where the provider has no such call. */
  acceptDispute?(answer: DisputeAnswer, signal: AbortSignal): Promise<DisputeAnswerOutcome>;

  /**
   * All that the provider says of a dispute, as its webhooks would have reported it. Changes nothing. Absent where the provider
   * cannot be asked.
   */
  inquireDispute?(reference: DisputeReference, signal: AbortSignal): Promise<readonly DisputeReport[]>;

  /** One page of the disputes that changed in a window, which finds those whose webhooks were lost. Absent where there is no list. */
  listDisputes?(request: PaymentListRequest, signal: AbortSignal): Promise<DisputeListPage>;

  /** The disputes of one payment, for a provider without such a list. Changes nothing. Absent where it cannot be asked for them. */
  findDisputes?(reference: AttemptReference, signal: AbortSignal): Promise<readonly ListedDispute[]>;

  /** One page of the settlements, at most some hundreds. Absent where the provider has no such list. */
  listSettlements?(request: SettlementListRequest, signal: AbortSignal): Promise<ListedPage<ReportedSettlement>>;

  /**
   * One page of the entries of a settlement, at most 1,000, in an order that stays. Present where `listSettlements` is. No entries
   * where the provider does not itemise the settlement.
   */
  listSettlementEntries?(
    request: SettlementEntryListRequest,
    signal: AbortSignal,
  ): Promise<ListedPage<ReportedSettlementEntry>>;

  /**
   * Verifies the signature over the raw bytes, then translates the provider's events. A rightly signed event that the adapter does
   * not understand is no error: it asks about the payment that it names, or is skipped.
   * @throws WebhookVerificationError when nothing is rightly signed, or the whole has no known form
   */
  parseWebhook(rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): ReceivedWebhook;
}
