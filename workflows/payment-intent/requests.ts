import type { CancellationReason, OperationResult } from '../../domain/payment.ts';
import {
  isFinal,
  type Approved,
  type FinalOutcome,
  type NotCharged,
  type Pending as PendingOutcome,
  type ProviderEvent,
} from '../../domain/provider-outcome.ts';
import type { CaptureRequest, ConfirmRequest } from '../messages.ts';

/** A request that is being worked on. */
export interface Pending<Request> {
  readonly request: Request;
  result: OperationResult | null;
}

/** How money that was only held came to an end at the provider. */
export type HoldEnd = Approved | NotCharged;

/** What has come in from outside and waits to be taken up by the payment's course. */
export class PaymentRequests {
  confirm: Pending<ConfirmRequest> | null = null;
  capture: Pending<CaptureRequest> | null = null;
  /** Set once; a payment is canceled for the first reason given. */
  cancellation: CancellationReason | null = null;
  amending = false;
  expired = false;
  readonly #finalOutcomes = new Map<string, FinalOutcome>();
  readonly #holdEnds = new Map<string, HoldEnd>();
  readonly #acceptances = new Map<string, PendingOutcome>();

  /**
   * Keeps what a provider reported. The first final word about an attempt counts; that held money was taken or let go
   * may follow it.
   */
  keepProviderEvent({ attemptId, outcome }: ProviderEvent): void {
    if (outcome.kind === 'pending') this.#acceptances.set(attemptId, outcome);
    if (!isFinal(outcome)) return;
    if (!this.#finalOutcomes.has(attemptId)) this.#finalOutcomes.set(attemptId, outcome);
    if (isHoldEnd(outcome) && !this.#holdEnds.has(attemptId)) this.#holdEnds.set(attemptId, outcome);
  }

  finalOutcomeOf(attemptId: string): FinalOutcome | null {
    return this.#finalOutcomes.get(attemptId) ?? null;
  }

  /** What became of money that was held; null while it is held. */
  holdEndOf(attemptId: string): HoldEnd | null {
    return this.#holdEnds.get(attemptId) ?? null;
  }

  /** The provider's word that the customer has acted and that it works on the payment; null before. */
  acceptanceOf(attemptId: string): PendingOutcome | null {
    return this.#acceptances.get(attemptId) ?? null;
  }

  answerConfirm(result: OperationResult): void {
    if (this.confirm !== null) this.confirm.result = result;
    this.confirm = null;
  }

  answerCapture(result: OperationResult): void {
    if (this.capture !== null) this.capture.result = result;
    this.capture = null;
  }
}

function isHoldEnd(outcome: FinalOutcome): outcome is HoldEnd {
  return outcome.kind === 'not_charged' || (outcome.kind === 'approved' && outcome.captured);
}
