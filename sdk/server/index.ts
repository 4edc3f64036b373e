export { type Client, type ClientOptions, createClient } from './client.ts';
export { PaymentEngineConnectionError, PaymentEngineError } from './errors.ts';
export type * from './generated/schemas.ts';
export { iterate } from './iterate.ts';
export type * from './named-types.ts';
export type { CallOptions, Page } from './operation-types.ts';
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.ts';
export type { components } from './generated/api.ts';
