import type { WebhookCancellationReason } from '../domain/webhook.ts';

/** One attempt of a delivery. */
export interface WebhookAttemptRequest {
  readonly deliveryId: string;
  readonly webhookEndpointId: string;
  /** From 1. */
  readonly number: number;
  /** The pause after this attempt if it fails, in milliseconds; null when it is the last one. */
  readonly retryPauseMs: number | null;
}

/** The result of an attempt. */
export type WebhookAttemptResult =
  | { readonly kind: 'delivered'; readonly summary: string }
  /**
   * Final when the endpoint was disabled by it, or no attempt is left. Held when the endpoint counts as failing since: then the
   * delivery waits as a row, and its workflow ends.
   */
  | { readonly kind: 'failed'; readonly summary: string; readonly isFinal: boolean; readonly isHeld: boolean }
  /** Not made, because the endpoint counts as failing: the delivery waits as a row. */
  | { readonly kind: 'held' }
  /** Not made: the endpoint is deleted or disabled, or the event is purged. */
  | { readonly kind: 'canceled'; readonly reason: WebhookCancellationReason };

/** The endpoint whose recovery workflow calls. */
export interface RecoveryRequest {
  readonly webhookEndpointId: string;
}

/** What a probe of a failing endpoint came to. */
export type ProbeResult =
  /** The endpoint takes events again, or did so before the probe. */
  | { readonly kind: 'answers' }
  | { readonly kind: 'failing'; readonly summary: string }
  /** Not made: no delivery is due. */
  | { readonly kind: 'nothing_due' }
  /** The endpoint is deleted or disabled. */
  | { readonly kind: 'over' };

export interface DeliverHeldRequest extends RecoveryRequest {
  /** Whether other endpoints get their turn after this batch, if it does not empty the queue. */
  readonly isLast: boolean;
}

/** A batch of held deliveries. */
export interface HeldBatchResult {
  /** `stopped`: the endpoint fails again, or is deleted or disabled. */
  readonly kind: 'more' | 'emptied' | 'stopped';
  readonly delivered: number;
  readonly failed: number;
}

/** The activities of webhooks. */
export interface WebhookActivities {
  /** Posts an event to its endpoint once and records the result. An attempt that was made already returns its recorded result. */
  attemptWebhook(request: WebhookAttemptRequest): Promise<WebhookAttemptResult>;
  /** Sends one of the deliveries that a failing endpoint waits for, and records whether the endpoint has recovered. */
  probeEndpoint(request: RecoveryRequest): Promise<ProbeResult>;
  /** Sends some of the deliveries that were held while the endpoint failed, in their order. */
  deliverHeld(request: DeliverHeldRequest): Promise<HeldBatchResult>;
}
