import { ATTEMPTS_THAT_BLOCK } from '../../domain/webhook.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { EventRow, IntentRow, RefundRow, StrayChargeRow, Snapshot } from './snapshot.ts';

/** The part of a snapshot that comes from the database. */
export type Rows = Pick<Snapshot, 'intents' | 'refunds' | 'strayCharges' | 'events' | 'unorderedIntents'>;

export async function readRows(database: Database, merchantAccountId: string): Promise<Rows> {
  return {
    intents: await readIntents(database),
    refunds: await readRefunds(database),
    strayCharges: await readStrayCharges(database),
    events: await readEvents(database, merchantAccountId),
    unorderedIntents: await readUnorderedIntents(database),
  };
}

async function readIntents(database: Database): Promise<readonly IntentRow[]> {
  const rows = await database.paymentIntent.findMany({
    include: {
      attempts: true,
      transactions: true,
      timeline: { orderBy: [{ version: 'asc' }, { ordinal: 'asc' }] },
    },
  });
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    provider: row.provider,
    amount: Number(row.amountMinor),
    amountCapturable: Number(row.amountCapturableMinor),
    amountCaptured: Number(row.amountCapturedMinor),
    amountRefunded: Number(row.amountRefundedMinor),
    amountRefunding: Number(row.amountRefundingMinor),
    captureMethod: row.captureMethod,
    cancellationReason: row.cancellationReason,
    expiresAtMs: row.expiresAt.getTime(),
    attempts: row.attempts.map(({ id, routeId, provider, outcome, code, startedAt, operationId }) => ({
      id,
      routeId,
      provider,
      outcome,
      code,
      startedAtMs: startedAt.getTime(),
      operationId,
    })),
    transactions: row.transactions.map(({ attemptId, type, amountMinor, refundId }) => ({
      attemptId,
      type,
      amount: Number(amountMinor),
      refundId,
    })),
    timeline: row.timeline.map(({ version, at, kind, summary }) => ({ version, at: at.toISOString(), kind, summary })),
  }));
}

async function readRefunds(database: Database): Promise<readonly RefundRow[]> {
  const rows = await database.refund.findMany();
  return rows.map(({ id, paymentIntentId, status, amountMinor, provider }) => ({
    id,
    paymentIntentId,
    status,
    amount: Number(amountMinor),
    provider,
  }));
}

export function readStrayCharges(database: Database): Promise<readonly StrayChargeRow[]> {
  return database.strayCharge.findMany({ select: { attemptId: true, paymentIntentId: true, status: true } });
}

async function readEvents(database: Database, merchantAccountId: string): Promise<readonly EventRow[]> {
  const rows = await database.event.findMany({
    where: { merchantAccountId },
    select: { id: true, type: true, sequence: true, paymentIntentId: true },
    orderBy: { sequence: 'asc' },
  });
  return rows.map((row) => ({ ...row, sequence: row.sequence === null ? null : Number(row.sequence) }));
}

async function readUnorderedIntents(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.webhookDelivery.findMany({
    where: { attemptCount: { gt: ATTEMPTS_THAT_BLOCK } },
    select: { paymentIntentId: true },
  });
  return new Set(rows.flatMap(({ paymentIntentId }) => paymentIntentId ?? []));
}
