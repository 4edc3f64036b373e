import type { EventType } from '../domain/events.ts';
import type { ReversedStrayCharge } from '../domain/stray-charge.ts';
import type { Attempt, Environment, Transaction } from '../domain/payment.ts';
import type { MaskedPaymentMethod } from '../vault/masking.ts';
import type { IntentRow } from './payment-intent.ts';
import type { RefundRow } from '../prisma/queries/refund.ts';
import type { WebhookEndpointRow } from '../prisma/webhook-endpoint-json.ts';

/** A transaction as its step wrote it; one of a refund has the refund's id. */
export type NewTransaction = Transaction & { readonly refundId?: string | null };

/** The rows as they were when the event was written. Which rows there are depends on the type of the event. */
interface EventSnapshot {
  readonly intent?: IntentRow;
  /** The attempts that the event's step wrote. */
  readonly attempts?: readonly Attempt[];
  readonly transactions?: readonly NewTransaction[];
  readonly refund?: RefundRow;
  readonly webhookEndpoint?: WebhookEndpointRow;
  /** Beside the intent, where a stray charge of it was reversed. */
  readonly strayCharge?: ReversedStrayCharge;
}

/** A numbered event as it is read for a response. */
export interface StoredEvent {
  readonly id: string;
  readonly type: EventType;
  readonly resourceId: string;
  /** Null on events about no payment. */
  readonly paymentIntentId: string | null;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly createdAt: Date;
  readonly snapshot: EventSnapshot;
  /** All attempts of the intent as they are now. */
  readonly attempts: readonly Attempt[];
  /** The masked payment method that the intent had then. */
  readonly maskedPaymentMethod: MaskedPaymentMethod | null;
}
