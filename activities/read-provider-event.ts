import {
  isProviderEvent,
  isRefundEvent,
  type ProviderEvent,
  type ProviderEventReference,
  type RefundProviderEvent,
} from '../domain/provider-outcome.ts';
import type { Database } from '../prisma/connection/client.ts';
import { type EventSubject, selectProviderEvent } from '../prisma/queries/provider-event.ts';
import type { ReadProviderEventRequest } from '../protocol/payment-activities.ts';
import type { ReadRefundEventRequest } from '../protocol/refund-activities.ts';

/** The stored event of a verified webhook about a payment; null where there is none. Only reads. */
export async function readProviderEvent(
  database: Database,
  { paymentIntentId, ...reference }: ReadProviderEventRequest,
): Promise<ProviderEvent | null> {
  const event = await read(database, reference, { paymentIntentId, refundId: null });
  return isProviderEvent(event) ? event : null;
}

/** The stored event of a verified webhook about a refund; null where there is none. Only reads. */
export async function readRefundEvent(
  database: Database,
  { paymentIntentId, refundId, ...reference }: ReadRefundEventRequest,
): Promise<RefundProviderEvent | null> {
  const event = await read(database, reference, { paymentIntentId, refundId });
  return isRefundEvent(event) ? event : null;
}

async function read(database: Database, reference: ProviderEventReference, subject: EventSubject): Promise<unknown> {
  return (await database.direct.row(selectProviderEvent(reference, subject)))?.event;
}
