import type { HoldEnd } from '../../domain/hold-resolution.ts';
import type { Attempt, CancellationReason, OperationResult } from '../../domain/payment.ts';
import { isFinal, type FinalOutcome, type Pending, type ProviderEvent } from '../../domain/provider-outcome.ts';
import type { UpdateIntentRequest, CaptureRequest, ConfirmRequest } from '../../protocol/messages.ts';

/** A request that is waiting or being executed. */
export interface PendingRequest<Request> {
  /** The id of the Temporal update; a repeated request has the same id and gets the same answer. */
  readonly operationId: string;
  readonly request: Request;
  result: OperationResult | null;
}

/** A capture request; `isRepeated` where an earlier run may have sent it to the provider already. */
export interface PendingCapture extends PendingRequest<CaptureRequest> {
  isRepeated: boolean;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** The requests and reports that the workflow has received and not handled yet. */
export class PaymentRequests {
  /** False in a takeover until the run has read the payment; before that no request is refused or begun. */
  knowsRows = true;
  confirm: PendingRequest<ConfirmRequest> | null = null;
  capture: PendingCapture | null = null;
  update: PendingRequest<UpdateIntentRequest> | null = null;
  /** Set once: the reason of the first cancel counts. */
  cancellation: CancellationReason | null = null;
  /** The operation id of the cancel; null where none was requested. */
  cancelId: string | null = null;
  expired = false;
  /** Set when this run is stale, for example by the signal `readAgain`. */
  mustReadAgain = false;
  /** Whether a provider is being asked for an authorization. */
  isAuthorizing = false;
  /** Whether the workflow is working on a request of support staff. */
  isSupportAtWork = false;
  /** Operations that were accepted in this run. */
  accepted = 0;
  readonly #finalOutcomes = new Map<AttemptKey, FinalOutcome>();
  readonly #holdEnds = new Map<AttemptKey, HoldEnd>();
  readonly #acceptances = new Map<AttemptKey, Pending>();
  readonly #resolvedByHand = new Set<AttemptKey>();

  /** The operations that wait for their answer. */
  get operationIds(): readonly string[] {
    return [this.confirm, this.capture].flatMap((pending) => (pending === null ? [] : [pending.operationId]));
  }

  /**
   * Stores a provider's report. The first final outcome of an attempt counts; that held money was captured or voided
   * may follow it.
   */
  keepProviderEvent({ provider, attemptId, outcome }: Pick<ProviderEvent, 'provider' | 'attemptId' | 'outcome'>): void {
    const key = keyOf({ provider, id: attemptId });
    if (outcome.kind === 'pending') this.#acceptances.set(key, outcome);
    if (!isFinal(outcome)) return;
    if (!this.#finalOutcomes.has(key)) this.#finalOutcomes.set(key, outcome);
    if (isHoldEnd(outcome) && !this.#holdEnds.has(key)) this.#holdEnds.set(key, outcome);
  }

  /**
   * Stores what support staff have found out about an attempt or its hold. No other attempt follows one that was not charged: only
   * the provider could close its key.
   */
  resolveByHand(attempt: AttemptAtProvider, outcome: FinalOutcome): void {
    this.#resolvedByHand.add(keyOf(attempt));
    this.#finalOutcomes.set(keyOf(attempt), outcome);
    if (isHoldEnd(outcome)) this.#holdEnds.set(keyOf(attempt), outcome);
    if (outcome.kind === 'not_charged') this.cancellation ??= 'requested_by_operator';
  }

  isResolvedByHand(attempt: AttemptAtProvider): boolean {
    return this.#resolvedByHand.has(keyOf(attempt));
  }

  finalOutcomeOf(attempt: AttemptAtProvider): FinalOutcome | null {
    return this.#finalOutcomes.get(keyOf(attempt)) ?? null;
  }

  /** Drops reports that came before the attempt was opened. No row knew the attempt then, so only the provider's answer counts. */
  forgetReports(attempt: AttemptAtProvider): void {
    this.forgetFinalOutcome(attempt);
    this.#acceptances.delete(keyOf(attempt));
  }

  /** Drops a report with another amount than was requested. */
  forgetFinalOutcome(attempt: AttemptAtProvider): void {
    this.#finalOutcomes.delete(keyOf(attempt));
    this.#holdEnds.delete(keyOf(attempt));
  }

  /** The reported end of a hold; null while there is none. */
  holdEndOf(attempt: AttemptAtProvider): HoldEnd | null {
    return this.#holdEnds.get(keyOf(attempt)) ?? null;
  }

  /** The provider's report that the customer has acted and the payment is pending; null before. */
  acceptanceOf(attempt: AttemptAtProvider): Pending | null {
    return this.#acceptances.get(keyOf(attempt)) ?? null;
  }

  /** Answers the pending confirm, if it has that id. */
  answerConfirm(operationId: string | null, result: OperationResult): void {
    if (this.confirm === null || this.confirm.operationId !== operationId) return;
    this.confirm.result = result;
    this.confirm = null;
  }

  /** Answers the pending capture, if it has that id. */
  answerCapture(operationId: string | null, result: OperationResult): void {
    if (this.capture === null || this.capture.operationId !== operationId) return;
    this.capture.result = result;
    this.capture = null;
  }

  answerUpdate(result: OperationResult): void {
    if (this.update !== null) this.update.result = result;
    this.update = null;
  }
}

type AttemptAtProvider = Pick<Attempt, 'id' | 'provider'>;
type AttemptKey = `${string} ${string}`;

/** The key includes the provider, so that a provider's report never applies to an attempt at another one. */
function keyOf({ provider, id }: AttemptAtProvider): AttemptKey {
  return `${provider} ${id}`;
}

function isHoldEnd(outcome: FinalOutcome): outcome is HoldEnd {
  return outcome.kind === 'not_charged' || (outcome.kind === 'approved' && outcome.captured);
}
