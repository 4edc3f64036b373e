import type { CancellationReason, OperationResult } from '../../domain/payment.ts';
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

/** The requests that the workflow has received and not handled yet. */
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

  /** The operations that wait for their answer. */
  get operationIds(): readonly string[] {
    return [this.confirm, this.capture].flatMap((pending) => (pending === null ? [] : [pending.operationId]));
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
