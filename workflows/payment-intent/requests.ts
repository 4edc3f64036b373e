import type { HoldEnd } from '../../domain/hold-resolution.ts';
import type { Attempt, CancellationReason, OperationResult } from '../../domain/payment.ts';
import {
  isFinal,
  type FinalOutcome,
  type Pending as PendingOutcome,
  type ProviderEvent,
} from '../../domain/provider-outcome.ts';
import type { AmendRequest, CaptureRequest, ConfirmRequest } from '../messages.ts';

/** A request that waits or is being worked on. */
export interface Pending<Request> {
  /** The id of the update, by which repeats of the request find its answer. */
  readonly operationId: string;
  readonly request: Request;
  result: OperationResult | null;
}

/** A capture may also come from the payment's rows: an earlier run has taken it up. */
export interface PendingCapture extends Pending<CaptureRequest> {
  isRepeated: boolean;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** What has come in from outside and waits to be taken up. */
export class PaymentRequests {
  /** False in a run that takes a payment over, until it has read what the rows say: nothing is refused or begun before. */
  knowsRows = true;
  confirm: Pending<ConfirmRequest> | null = null;
  capture: PendingCapture | null = null;
  amendment: Pending<AmendRequest> | null = null;
  /** Set once; a payment is canceled for the first reason given. */
  cancellation: CancellationReason | null = null;
  /** The id of the cancel; null where nobody has asked for one. */
  cancelId: string | null = null;
  expired = false;
  /** Set where somebody has found that the payment's rows are not what the run knows. */
  mustReadAgain = false;
  /** Operations that were accepted in this run. */
  accepted = 0;
  readonly #finalOutcomes = new Map<AttemptKey, FinalOutcome>();
  readonly #holdEnds = new Map<AttemptKey, HoldEnd>();
  readonly #acceptances = new Map<AttemptKey, PendingOutcome>();

  /** The operations that wait for their answer. */
  get operationIds(): readonly string[] {
    return [this.confirm, this.capture].flatMap((pending) => (pending === null ? [] : [pending.operationId]));
  }

  /**
   * Keeps what a provider reported. The first final outcome of an attempt counts; that held money was captured or voided
   * may follow it.
   */
  keepProviderEvent({ provider, attemptId, outcome }: Pick<ProviderEvent, 'provider' | 'attemptId' | 'outcome'>): void {
    const key = keyOf({ provider, id: attemptId });
    if (outcome.kind === 'pending') this.#acceptances.set(key, outcome);
    if (!isFinal(outcome)) return;
    if (!this.#finalOutcomes.has(key)) this.#finalOutcomes.set(key, outcome);
    if (isHoldEnd(outcome) && !this.#holdEnds.has(key)) this.#holdEnds.set(key, outcome);
  }

  finalOutcomeOf(attempt: AttemptAtProvider): FinalOutcome | null {
    return this.#finalOutcomes.get(keyOf(attempt)) ?? null;
  }

  /** Drops a report of another amount than was asked for. */
  forgetFinalOutcome(attempt: AttemptAtProvider): void {
    this.#finalOutcomes.delete(keyOf(attempt));
    this.#holdEnds.delete(keyOf(attempt));
  }

  /** What became of money that was held; null while it is held. */
  holdEndOf(attempt: AttemptAtProvider): HoldEnd | null {
    return this.#holdEnds.get(keyOf(attempt)) ?? null;
  }

  /** The provider's report that the customer has acted and that it works on the payment; null before. */
  acceptanceOf(attempt: AttemptAtProvider): PendingOutcome | null {
    return this.#acceptances.get(keyOf(attempt)) ?? null;
  }

  /** Answers the confirm that waits, if it is that one. */
  answerConfirm(operationId: string | null, result: OperationResult): void {
    if (this.confirm === null || this.confirm.operationId !== operationId) return;
    this.confirm.result = result;
    this.confirm = null;
  }

  /** Answers the capture that waits, if it is that one. */
  answerCapture(operationId: string | null, result: OperationResult): void {
    if (this.capture === null || this.capture.operationId !== operationId) return;
    this.capture.result = result;
    this.capture = null;
  }

  answerAmendment(result: OperationResult): void {
    if (this.amendment !== null) this.amendment.result = result;
    this.amendment = null;
  }
}

type AttemptAtProvider = Pick<Attempt, 'id' | 'provider'>;
type AttemptKey = `${string} ${string}`;

/** A provider is believed about its own attempts only. */
function keyOf({ provider, id }: AttemptAtProvider): AttemptKey {
  return `${provider} ${id}`;
}

function isHoldEnd(outcome: FinalOutcome): outcome is HoldEnd {
  return outcome.kind === 'not_charged' || (outcome.kind === 'approved' && outcome.captured);
}
