import type { Event, PaymentIntent, Refund } from './generated/schemas.ts';

export type PaymentIntentStatus = PaymentIntent['status'];
export type RefundStatus = Refund['status'];
export type EventType = Event['type'];
