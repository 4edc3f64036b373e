import type { InquiryOutcome } from '../../../domain/provider-outcome.ts';
import type { SavedMethodUse } from '../../../domain/saved-payment-method.ts';
import type { MemoryReturn } from '../customer-returns.ts';
import type {
  AuthorizationRequest,
  DisputeAnswer,
  MethodToCharge,
  PaymentProvider,
  ProviderCapabilities,
} from '../../../providers/payment-provider.ts';

/** What a payment is to meet at the provider. */
export type PaymentScenario =
  | 'approved'
  | 'declined'
  /** Declined, because the issuer demands authentication; where that is asked for, open until the customer acts. */
  | 'authentication_demanded'
  /** Open until the customer acts, or until it is closed. */
  | 'waiting'
  /** Approved, but the provider reports one more minor unit, or another currency, than requested. */
  | 'other_amount'
  | 'other_currency'
  /** Approved, and a refund of it is refused. */
  | 'refund_refused'
  /** Approved, and a refund of it stays pending. */
  | 'refund_waiting'
  /** Held, and a capture of it is accepted and then refused; only where captures end by webhook. */
  | 'capture_refused';

/** What a sandbox may lack: the cases that need it are left out. */
type Lack =
  | PaymentScenario
  | 'refunds'
  | 'webhooks'
  | 'stored credentials'
  | 'disputes'
  /** Refusals whose meaning the adapter cannot know. */
  | 'unrecognised';

/** A fault that one call of the adapter to its provider meets. */
export type Fault =
  /** The connection drops before the provider has the request. */
  | 'lose_request'
  /** The provider does the work, then the connection drops. */
  | 'lose_reply'
  /** The provider does the work, but nothing ever comes back. */
  | 'hold_reply'
  /** The request is still on its way: the provider gets it when `release` is called, though the client may have left. */
  | 'hold_request'
  /** A status is answered before the provider has the request, or after it has done the work. */
  | { readonly status: number; readonly work: 'done' | 'not_done'; readonly body?: string };

/** Decides what happens to the adapter's calls. The proxy of `fault-proxy.ts` does so for every provider that speaks HTTP. */
export interface FaultControls {
  /** The faults of the calls that follow, in order; null, and the end of the list, let a call pass. Begins to count at zero. */
  plan(faults: readonly (Fault | null)[]): void;
  /** Calls since the last plan. */
  calls(): number;
  /** Resolves when so many calls have arrived since the last plan, and have met their faults. */
  waitForCalls(count: number): Promise<void>;
  /** Sends held requests on. Resolves when the provider has answered them. */
  release(): Promise<void>;
}

/** A webhook as the provider sends it. */
export interface SignedWebhook {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refund that somebody made in the provider's dashboard. */
interface RefundedByHand {
  readonly attemptId: string;
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** The webhooks of the sandbox, and others that only look like them. */
export interface WebhookControls {
  /** Everything that the provider has sent since the start, oldest first. */
  sent(): readonly SignedWebhook[];
  /** The webhook with a signature by another secret. */
  forged(webhook: SignedWebhook): SignedWebhook;
  /** The webhook with another amount, under its old signature. */
  tampered(webhook: SignedWebhook): SignedWebhook;
  /** A webhook with a right signature, in the provider's full form, about a payment that this engine has not made. */
  foreign(): SignedWebhook;
  /**
   * A webhook that reports a refund which somebody made in the provider's dashboard: of so many minor units of the payment's currency.
   * Absent where the provider has no refunds but those of the engine.
   */
  refundedByHand?(payment: RefundedByHand): SignedWebhook;
  /** A webhook of this body, rightly signed, as if sent at another time; absent where the provider signs no time. */
  sentAt?(webhook: SignedWebhook, at: Date): SignedWebhook;
}

/** A chain to which customers transfer tokens, at a price of one unit of the currency each. */
export interface DepositControls {
  /**
   * Transfers tokens to the address of an attempt, each amount in a transaction of its own.
   * @param amountsMinor what they are worth, in minor units
   * @param token `lookalike`: of another contract that calls itself the same
   * @returns the hashes of the transactions
   */
  transfer(
    attemptId: string,
    amountsMinor: readonly number[],
    token?: 'accepted' | 'lookalike',
  ): Promise<readonly string[]>;
  /** Makes so many blocks that what has arrived is confirmed. */
  confirm(): Promise<void>;
  /** The quote of an attempt expires with the newest block. */
  expire(attemptId: string): Promise<void>;
  /** Takes the newest blocks back, and with them the transfers that are not confirmed. */
  reorganise(): Promise<void>;
  /** Reads the chain once, as a worker that has just started. Its calls meet the faults of `faults`. */
  read(chain?: 'exact' | 'repeats_transfers'): Promise<void>;
  /** Reads the chain as a worker that dies after so many statements. @returns whether they were enough */
  readInStatements(count: number): Promise<boolean>;
  /** Records that an attempt has ended, as the payment's workflow does. */
  endAttempt(attemptId: string): Promise<void>;
  /** What was reported to the payment's workflow, oldest first. */
  reports(attemptId: string): Promise<readonly InquiryOutcome[]>;
}

/** The cards that a sandbox keeps for customers. */
export interface StoredCredentialControls {
  /** A card that is approved and kept; absent for 4242 4242 4242 4242. */
  readonly cardNumber?: string;
  /** A card that is kept, and whose bank wants the customer whenever it is charged without one. */
  readonly numberThatAsks: string;
  /** The tokens with which a customer's cards can be charged now. */
  tokensOf(customerId: string): Promise<readonly string[]>;
  /** How a charge by a token was marked, and by which token it was, in the provider's own ledger. */
  marksOf(attemptId: string): Promise<{ readonly use: SavedMethodUse; readonly token: string }>;
}

/** A payment whose money is disputed. */
interface DisputedPayment {
  readonly attemptId: string;
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** The disputes of a sandbox. */
export interface DisputeControls {
  /** Evidence that the provider takes. */
  readonly evidence: Pick<DisputeAnswer, 'evidence' | 'files'>;
  /** The customer's bank takes the money of a captured payment back. @returns the provider's id of the dispute */
  open(payment: DisputedPayment): Promise<string>;
  /** The bank decides it. */
  decide(providerReference: string, end: 'won' | 'lost'): Promise<void>;
  /** How often the provider was told something that cannot be taken back, according to its own ledger. */
  answersTo(providerReference: string): Promise<{ readonly submitted: number; readonly accepted: number }>;
}

/** A provider under test, and how its sandbox is made to behave in each way. */
export interface ProviderUnderContract {
  /** Its calls meet the faults of `faults`, and so do those of `impatient`. */
  readonly provider: PaymentProvider;
  /** The same provider with a timeout of a fraction of a second. */
  readonly impatient: PaymentProvider;
  /** The same provider at an address where nobody listens. */
  readonly unreachable: PaymentProvider;
  readonly faults: FaultControls;
  /** Absent where the sandbox lacks webhooks. */
  readonly webhooks?: WebhookControls;
  /** Present where the provider issues tokens for saved cards. */
  readonly storedCredentials?: StoredCredentialControls;
  /** Present where payments can be disputed. */
  readonly disputes?: DisputeControls;
  /** Present where crypto is all that the provider takes. */
  readonly deposits?: DepositControls;
  /**
   * Has the sandbox treat a payment as the scenario says: by what the request contains, or by the id of its attempt.
   * @returns the request to send
   */
  prepare(scenario: PaymentScenario, request: AuthorizationRequest): AuthorizationRequest;
  /**
   * A new token for a card that is approved, as the provider's page returns it. Absent where the provider takes no tokens.
   * @param kind one of `tokenKinds`
   */
  newToken?(kind: string): string;
  /** The customer of an open payment approves or refuses. */
  customerActs(attempt: AttemptAtSandbox, decision: 'approve' | 'refuse'): Promise<void>;
  /** Ends a pending refund. Absent where the sandbox lacks refunds that wait. */
  settleRefund?(refundId: string, end: 'refunded' | 'refused'): Promise<void>;
  /** How often an attempt was charged, according to the provider's own ledger. */
  countCharges(attemptId: string): Promise<number>;
  /** The captured less the refunded amount of an attempt in the provider's own ledger, in minor units. */
  keptMinor(attemptId: string): Promise<number>;
  stop(): Promise<void>;
}

interface AttemptAtSandbox {
  readonly attemptId: string;
  readonly providerPaymentId: string | null;
  /** Takes the result with which the customer comes back, where the provider gives one. */
  readonly customerReturn: MemoryReturn;
}

/** What is put under the contract. */
export interface ContractSettings {
  /** As in "the simulator adapter". */
  readonly name: string;
  /** Those of the adapter: cases are varied by them, never by the provider's name. */
  readonly capabilities: ProviderCapabilities;
  /** What the sandbox cannot do; nothing by default. */
  readonly lacks?: readonly Lack[];
  /** A currency of two decimals that the provider takes; USD by default. */
  readonly currency?: string;
  /** The kinds of tokens that the provider takes, for the titles of cases and `newToken`; none by default. */
  readonly tokenKinds?: readonly string[];
  /** How long a case waits for a webhook or an end at most: by default far longer than a fake takes. */
  readonly longestWaitMs?: number;
  readonly start: () => Promise<ProviderUnderContract>;
}

/** What the groups of cases share. */
export interface ContractContext {
  readonly capabilities: ProviderCapabilities;
  readonly currency: string;
  readonly longestWaitMs: number;
  /** The payment method of attempts that are to be approved; absent where the scenario has one. */
  readonly newMethod?: () => MethodToCharge;
  /** Where the customer goes after a redirect; absent for that of the scenario. */
  readonly returnUrl?: string;
  /** Whether the sandbox can do it. */
  readonly can: (scenario: Lack) => boolean;
  /** Only within a case. */
  readonly subject: () => ProviderUnderContract;
}
