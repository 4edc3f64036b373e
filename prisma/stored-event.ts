import { EVENT_TYPES, type EventType } from '../domain/events.ts';
import { type Environment, ENVIRONMENTS, type MaskedPaymentMethod, type Transaction } from '../domain/payment.ts';
import type { ReversedStrayCharge } from '../domain/stray-charge.ts';
import type { WEBHOOK_DISABLED_REASONS, WEBHOOK_ENDPOINT_STATUSES } from '../domain/webhook.ts';
import { Prisma, type WebhookEndpoint } from './generated/client.ts';
import type { JsonRow, Narrowed } from './json-row.ts';
import { type AttemptRow, attemptsJson } from './payment-json.ts';
import type { IntentRow } from './queries/payment-intent.ts';
import type { RefundRow } from './queries/refund.ts';
import { double, json, nullable, oneOf, returning, text, timestamp } from './statement.ts';

type Secret = 'secret_key_id' | 'secret_ciphertext' | 'previous_secret_key_id' | 'previous_secret_ciphertext';

/** A webhook endpoint as JSON, without its secrets. */
export type WebhookEndpointRow = Narrowed<
  Omit<JsonRow<WebhookEndpoint>, Secret>,
  {
    readonly environment: Environment;
    readonly enabled_events: ('*' | EventType)[];
    readonly status: (typeof WEBHOOK_ENDPOINT_STATUSES)[number];
    readonly disabled_reason: (typeof WEBHOOK_DISABLED_REASONS)[number] | null;
  }
>;

/** A transaction as the step that led to it wrote it; those of refunds name theirs. */
export type NewTransaction = Transaction & { readonly refundId?: string | null };

/** The rows as they were when the event was written. Which of them are there depends on what the event is about. */
interface EventSnapshot {
  readonly intent?: IntentRow;
  /** Those attempts that the event's step wrote. */
  readonly attempts?: readonly AttemptRow[];
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
  readonly attempts: readonly AttemptRow[];
  /** The masked payment method that the intent had then. */
  readonly maskedPaymentMethod: MaskedPaymentMethod | null;
}

/** An event as it is read for a response, from a row that is called `r`. */
export const STORED_EVENT = returning<StoredEvent>({
  id: text,
  type: oneOf(EVENT_TYPES),
  resourceId: text,
  paymentIntentId: nullable(text),
  merchantAccountId: text,
  environment: oneOf(ENVIRONMENTS),
  sequence: double,
  snapshot: json<EventSnapshot>(),
  createdAt: timestamp,
  attempts: json<readonly AttemptRow[]>(),
  maskedPaymentMethod: nullable(json<MaskedPaymentMethod>()),
})`
  r.id, r.type, r.resource_id AS "resourceId", r.payment_intent_id AS "paymentIntentId",
  r.merchant_account_id AS "merchantAccountId", r.environment, r.sequence::float8 AS sequence, r.snapshot,
  r.created_at AS "createdAt",
  CASE WHEN r.snapshot->'intent' IS NOT NULL THEN ${attemptsJson(Prisma.sql`r.payment_intent_id`)} ELSE '[]'::jsonb END
    AS attempts,
  (SELECT m.masked FROM payment_method m WHERE m.id = r.snapshot->'intent'->>'payment_method_id')
    AS "maskedPaymentMethod"`;
