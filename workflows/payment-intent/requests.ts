import type { CancellationReason, OperationResult } from '../../domain/payment.ts';
import { isFinal, type FinalOutcome, type ProviderEvent } from '../../domain/provider-outcome.ts';
import type { ConfirmRequest } from '../messages.ts';

/** A confirm that is being worked on. */
export interface PendingConfirm {
  readonly request: ConfirmRequest;
  result: OperationResult | null;
}

/** What has come in from outside and waits to be taken up by the payment's course. */
export class PaymentRequests {
  confirm: PendingConfirm | null = null;
  /** Set once; a payment is canceled for the first reason given. */
  cancellation: CancellationReason | null = null;
  amending = false;
  expired = false;
  readonly #finalOutcomes = new Map<string, FinalOutcome>();

  /** Keeps what a provider reported, if it ends the attempt. The first final word counts. */
  keepProviderEvent({ attemptId, outcome }: ProviderEvent): void {
    if (isFinal(outcome) && !this.#finalOutcomes.has(attemptId)) this.#finalOutcomes.set(attemptId, outcome);
  }

  finalOutcomeOf(attemptId: string): FinalOutcome | null {
    return this.#finalOutcomes.get(attemptId) ?? null;
  }

  answerConfirm(result: OperationResult): void {
    if (this.confirm !== null) this.confirm.result = result;
    this.confirm = null;
  }
}
