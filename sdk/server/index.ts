export { type Client, type ClientOptions, createClient } from './client.ts';
export {
  type ErrorCode,
  type ErrorDetails,
  type ErrorType,
  PaymentEngineConnectionError,
  PaymentEngineError,
} from './errors.ts';
export { iterate } from './iterate.ts';
export type { CallOptions, Page } from './operation-types.ts';
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.ts';
export type { components } from './generated/api.ts';
