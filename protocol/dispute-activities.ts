import type { DisputeState, ReminderHours } from '../domain/dispute-plan.ts';

/** The activities of a dispute's workflow. A provider outage is a retryable failure whose type is the `OutageCode`. */
export interface DisputeActivities {
  /** The dispute as it is recorded; null where it was deleted. */
  readDispute(disputeId: string): Promise<DisputeState | null>;
  /** Tells the merchant, once, that the time to answer ends soon, unless the dispute has been answered. */
  remindOfDispute(reminder: DisputeReminder): Promise<void>;
  /**
   * Has the provider do what the merchant has requested, and records what came of it. After a call whose outcome is unknown, the
   * provider is asked first.
   */
  answerDispute(answer: DisputeAnswerRequest): Promise<void>;
  /** Asks the provider how the dispute stands, and records what is new. */
  inquireDispute(disputeId: string): Promise<void>;
}

export interface DisputeReminder {
  readonly disputeId: string;
  /** The end of the time to answer to which it refers, ISO 8601 UTC. */
  readonly respondBy: string;
  readonly hours: ReminderHours;
}

export interface DisputeAnswerRequest {
  readonly disputeId: string;
  readonly operationId: string;
}
