import type { Environment, MaskedCard } from '../../domain/payment.ts';
import type {
  Consent,
  CredentialStatus,
  FutureUsage,
  SavedMethodReason,
  SavedMethodStatus,
} from '../../domain/saved-payment-method.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_EVENT } from './insert-event.ts';

/** A saved payment method as JSON: what is read for responses, and the snapshot that events store. Without secrets. */
export interface SavedMethodRow {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly environment: Environment;
  readonly customer_id: string;
  readonly status: SavedMethodStatus;
  readonly status_reason: SavedMethodReason | null;
  readonly masked: MaskedCard;
  readonly usage: FutureUsage;
  readonly consent: Consent | null;
  readonly initial_payment_intent_id: string | null;
  readonly is_default: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly has_card_number: boolean;
  readonly last_used_at: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SavedCredentialRow {
  readonly provider: string;
  readonly status: CredentialStatus;
  readonly hasNetworkTransactionId: boolean;
}

/** @param row the name of the row in the statement, never from a client */
export function savedMethodJson(row: string): Prisma.Sql {
  const name = Prisma.raw(row);
  return Prisma.sql`(to_jsonb(${name}) - '{card_groups,card_fingerprint,key_id,ciphertext,card_expires_at,next_due_at}'::text[]
    || jsonb_build_object('has_card_number', ${name}.ciphertext IS NOT NULL))`;
}

/** The credentials of a saved payment method as one JSON list of `SavedCredentialRow`. @param id its id, as SQL */
export function savedCredentialsJson(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT COALESCE(jsonb_agg(jsonb_build_object('provider', c.provider, 'status', c.status,
      'hasNetworkTransactionId', c.has_network_transaction_id) ORDER BY c.provider), '[]'::jsonb)
    FROM saved_payment_method_credential c WHERE c.saved_payment_method_id = ${id})`;
}

/**
 * Writes an event for each row of a table expression with saved payment methods.
 * @param rows the name of the table expression, never from a client
 * @param credentials the credentials after the statement, as SQL; by default those before it
 */
export function insertSavedMethodEvents(
  rows: string,
  type: string,
  credentials = savedCredentialsJson(Prisma.sql`${Prisma.raw(rows)}.id`),
): Prisma.Sql {
  const name = Prisma.raw(rows);
  return Prisma.sql`
    ${INSERT_EVENT}
    SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), ${name}.merchant_account_id, ${name}.environment, ${type}, ${name}.id, NULL, ${name}.version, NULL::jsonb,
      jsonb_build_object('savedPaymentMethod', ${savedMethodJson(rows)}, 'credentials', ${credentials}), ${name}.updated_at
    FROM ${name}`;
}
