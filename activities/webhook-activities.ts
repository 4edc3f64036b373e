import type { WebhookCancellationReason } from '../domain/webhook.ts';

/** One attempt of a delivery. */
export interface WebhookAttemptRequest {
  readonly deliveryId: string;
  readonly webhookEndpointId: string;
  /** From 1. */
  readonly number: number;
  /** What follows if it fails: a pause before the next attempt, or null when there is no next one. */
  readonly retryPauseMs: number | null;
}

/** What came of an attempt. */
export type WebhookAttemptResult =
  | { readonly kind: 'delivered'; readonly words: string }
  /** Final when the endpoint was disabled by it, or no attempt is left. */
  | { readonly kind: 'failed'; readonly words: string; readonly isFinal: boolean }
  /** Not made: there is nobody to deliver to, or nothing to deliver any more. */
  | { readonly kind: 'canceled'; readonly reason: WebhookCancellationReason };

/** What a delivery's workflow has done for it. */
export interface WebhookActivities {
  /** Posts an event to its endpoint once and records what came of it; made already, it answers what was recorded. */
  attemptWebhook(request: WebhookAttemptRequest): Promise<WebhookAttemptResult>;
}
