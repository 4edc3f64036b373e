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
  /** Final when the endpoint was disabled by it, or no attempt is left. */
  | { readonly kind: 'failed'; readonly summary: string; readonly isFinal: boolean }
  /** Not made: the endpoint is deleted or disabled, or the event is purged. */
  | { readonly kind: 'canceled'; readonly reason: WebhookCancellationReason };

/** The activities of a delivery's workflow. */
export interface WebhookActivities {
  /** Posts an event to its endpoint once and records the result. An attempt that was made already returns its recorded result. */
  attemptWebhook(request: WebhookAttemptRequest): Promise<WebhookAttemptResult>;
}
