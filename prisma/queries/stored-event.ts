import type { EventType } from '../../domain/events.ts';
import {
  type Environment,
  ENVIRONMENTS,
  type MaskedPaymentMethod,
  type PaymentError,
  type Transaction,
} from '../../domain/payment.ts';
import { SAVED_METHOD_USES, type SavedMethodUse } from '../../domain/saved-payment-method.ts';
import type { FraudWarning } from '../../domain/provider-outcome.ts';
import type { ReversedStrayCharge } from '../../domain/stray-charge.ts';
import { type AccountScope, isOwned } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { type AttemptRow, attemptsJson } from '../fragments/payment-json.ts';
import type { SavedCredentialRow, SavedMethodRow } from '../fragments/saved-payment-method-json.ts';
import type { ProviderAccountRow } from '../fragments/provider-account-json.ts';
import type { DisputeRow } from './dispute.ts';
import type { IntentRow } from './payment-intent.ts';
import type { DifferenceRow } from './reconciliation.ts';
import type { SettlementEntryRow, SettlementRow } from './settlement.ts';
import type { RefundRow } from './refund.ts';
import {
  double,
  json,
  nullable,
  oneOf,
  returning,
  type Statement,
  text,
  timestamp,
  uncheckedText,
} from '../connection/statement.ts';
import type { WebhookEndpointRow } from '../fragments/webhook-endpoint-json.ts';

/** A transaction as its step wrote it; one of a refund has the refund's id. */
export type NewTransaction = Transaction & { readonly refundId?: string | null };

/** The rows as they were when the event was written. Which rows there are depends on the type of the event. */
/** Declines that exceed a limit against card testing. */
export interface SuspectedCardTesting {
  readonly limit: 'bin' | 'account';
  readonly declines: number;
  readonly confirms: number;
  readonly limitPerHour: number;
}

interface EventSnapshot {
  readonly intent?: IntentRow;
  /** The attempts that the event's step wrote. */
  readonly attempts?: readonly AttemptRow[];
  readonly transactions?: readonly NewTransaction[];
  readonly refund?: RefundRow;
  readonly webhookEndpoint?: WebhookEndpointRow;
  readonly providerAccount?: ProviderAccountRow;
  /** With the name of the provider, which the difference's run has. */
  readonly reconciliationDifference?: DifferenceRow & { readonly provider: string };
  readonly savedPaymentMethod?: SavedMethodRow;
  /** Those of the saved payment method. */
  readonly credentials?: readonly SavedCredentialRow[];
  /** What looks like card testing. */
  readonly cardTesting?: SuspectedCardTesting;
  /** Beside the intent, where a stray charge of it was reversed. */
  readonly strayCharge?: ReversedStrayCharge;
  /** Beside the intent, where a provider warns of fraud. */
  readonly fraudWarning?: FraudWarning & { readonly provider: string };
  readonly settlement?: SettlementRow;
  readonly settlementEntry?: SettlementEntryRow;
  /** Beside the intent, where the step has changed it. */
  readonly dispute?: DisputeRow;
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
  /** Null on events that are about no failure. */
  readonly failure: PaymentError | null;
  readonly snapshot: EventSnapshot;
  /** All attempts of the intent as they are now. */
  readonly attempts: readonly AttemptRow[];
  /** The masked payment method that the intent had then. */
  readonly maskedPaymentMethod: MaskedPaymentMethod | null;
  /** What that payment method was saved as, or refers to. */
  readonly savedPaymentMethodId: string | null;
  /** How the payment used what it refers to. */
  readonly savedUse: SavedMethodUse | null;
}

/** An event as it is read for a response, from a row that is called `r`. */
export const STORED_EVENT = returning<StoredEvent>({
  id: text,
  type: uncheckedText<EventType>(),
  resourceId: text,
  paymentIntentId: nullable(text),
  merchantAccountId: text,
  environment: oneOf(ENVIRONMENTS),
  sequence: double,
  failure: nullable(json<PaymentError>()),
  snapshot: json<EventSnapshot>(),
  createdAt: timestamp,
  attempts: json<readonly AttemptRow[]>(),
  maskedPaymentMethod: nullable(json<MaskedPaymentMethod>()),
  savedPaymentMethodId: nullable(text),
  savedUse: nullable(oneOf(SAVED_METHOD_USES)),
})`
  r.id, r.type, r.resource_id AS "resourceId", r.payment_intent_id AS "paymentIntentId",
  r.merchant_account_id AS "merchantAccountId", r.environment, r.sequence::float8 AS sequence, r.failure, r.snapshot,
  r.created_at AS "createdAt",
  CASE WHEN r.snapshot->'intent' IS NOT NULL THEN ${attemptsJson(Prisma.sql`r.payment_intent_id`)} ELSE '[]'::jsonb END
    AS attempts,
  (SELECT m.masked FROM payment_method m
    WHERE m.id = r.snapshot->'intent'->>'payment_method_id' AND m.payment_intent_id = r.payment_intent_id)
    AS "maskedPaymentMethod",
  (SELECT m.saved_payment_method_id FROM payment_method m
    WHERE m.id = r.snapshot->'intent'->>'payment_method_id' AND m.payment_intent_id = r.payment_intent_id)
    AS "savedPaymentMethodId",
  (SELECT m.saved_use FROM payment_method m
    WHERE m.id = r.snapshot->'intent'->>'payment_method_id' AND m.payment_intent_id = r.payment_intent_id)
    AS "savedUse"`;

/** An event of any account. */
export function selectEvent(id: string): Statement<StoredEvent> {
  return returning(STORED_EVENT.columns)`SELECT ${STORED_EVENT.sql} FROM event r WHERE r.id = ${id}`;
}

/** A numbered event of an account: one without a number may still be ordered before another. */
export function selectAccountEvent(id: string, account: AccountScope): Statement<StoredEvent> {
  return returning(STORED_EVENT.columns)`
    SELECT ${STORED_EVENT.sql} FROM event r
    WHERE ${isOwned(id, account)} AND sequence IS NOT NULL`;
}
