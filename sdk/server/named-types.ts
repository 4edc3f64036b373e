import type { CreatePaymentIntentRequest, Event, PaymentIntent, Refund } from './generated/schemas.ts';

/** What a payment is made with, as a request has it. */
export type PaymentMethod = NonNullable<CreatePaymentIntentRequest['paymentMethod']>;
export type PaymentIntentStatus = PaymentIntent['status'];
export type RefundStatus = Refund['status'];
export type EventType = Event['type'];
