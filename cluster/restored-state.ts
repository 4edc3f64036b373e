import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { type LedgerEntry, readLedger } from '../chaos/snapshot/ledger.ts';
import { readTemporaryStackConfig } from '../config/sandbox.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { createDatabase } from '../prisma/connection/client.ts';
import { DIST_DIR } from '../sandbox/stack/project.ts';
import type { Stack } from '../sandbox/stack/stack.ts';
import { SEARCH_ATTRIBUTES } from '../protocol/search-attributes.ts';

export interface MadePayment {
  readonly scenario: string;
  readonly id: string;
}

/** A payment after a restore, as the engine, Temporal and the providers have it. */
export interface RestoredPayment extends MadePayment {
  /** The status of its row; `no row` where there is none. */
  readonly row: string;
  readonly workflow: string;
  readonly provider: string;
  /** Whether the row has the money that the providers have, in minor units held and taken. */
  readonly agrees: boolean;
  /** How often the providers charged it. */
  readonly charges: number;
}

const run = promisify(execFile);

/** Reads all three sides of each payment. */
export async function readRestored(
  payments: readonly MadePayment[],
  { sandbox }: Stack,
  temporal: Client,
): Promise<readonly RestoredPayment[]> {
  const database = createDatabase({ url: sandbox.databaseUrl, poolSize: 1 });
  try {
    const rows = await database.paymentIntent.findMany({ where: { id: { in: payments.map(({ id }) => id) } } });
    const ledger = await readLedger(sandbox.simulators);
    return await Promise.all(
      payments.map(async (payment) => {
        const row = rows.find(({ id }) => id === payment.id);
        const entries = ledger.filter(({ paymentIntentId }) => paymentIntentId === payment.id);
        const taken = row === undefined ? 0 : Number(row.amountCapturedMinor - row.amountRefundedMinor);
        const isHeld = row?.status === 'requires_capture';
        return {
          ...payment,
          row: row?.status ?? 'no row',
          workflow: await workflowOf(temporal, payment.id),
          provider: entries.map(describeEntry).join(' and ') || 'nothing',
          agrees: taken === takenOf(entries) && isHeld === entries.some(({ status }) => status === 'authorized'),
          charges: entries.filter((entry) => capturedOf([entry]) > 0).length,
        };
      }),
    );
  } finally {
    await database.$disconnect();
  }
}

function describeEntry(entry: LedgerEntry): string {
  return takenOf([entry]) === 0 && capturedOf([entry]) > 0 ? 'refunded' : (entry.status ?? 'nothing');
}

/** What the providers have captured and not refunded. */
function takenOf(entries: readonly LedgerEntry[]): number {
  const refunded = entries.flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'succeeded'));
  return capturedOf(entries) - refunded.reduce((total, { amount }) => total + amount, 0);
}

function capturedOf(entries: readonly LedgerEntry[]): number {
  return entries
    .flatMap(({ charges }) => charges)
    .reduce((total, charge) => total + (charge.type === 'capture' ? charge.amount : 0), 0);
}

async function workflowOf(temporal: Client, id: string): Promise<string> {
  try {
    const { status, typedSearchAttributes } = await temporal.workflow.getHandle(id).describe();
    const code = typedSearchAttributes.get(SEARCH_ATTRIBUTES.errorCode);
    return code === 'DATABASE_BEHIND_HISTORY' ? 'halted' : status.name.toLowerCase();
  } catch {
    return 'none';
  }
}

const reportSchema = z.array(
  z.object({
    differences: z.array(
      z.object({
        kind: z.string(),
        action: z.string(),
        attemptId: z.string().nullable(),
        paymentIntentId: z.string().nullable(),
      }),
    ),
  }),
);
export type FoundDifference = z.infer<typeof reportSchema>[number]['differences'][number];

/** Runs `npm run reconcile` for everything since a moment. */
export async function reconcileSince(from: Date, dataDir: string): Promise<readonly FoundDifference[]> {
  const { settings } = readTemporaryStackConfig();
  const args = ['--from', from.toISOString(), '--to', new Date().toISOString(), '--json'];
  const command = [path.join(DIST_DIR, 'scripts', 'reconcile.js'), ...args];
  const options = { env: { ...settings, DATA_DIR: dataDir }, timeout: 3 * MINUTE_MS, maxBuffer: 2 ** 26 };
  // Its exit code is 1 where it reports a difference.
  const { stdout } = await run(process.execPath, command, options).catch((error: unknown) =>
    z.object({ stdout: z.string() }).parse(error),
  );
  return reportSchema.parse(JSON.parse(stdout)).flatMap(({ differences }) => differences);
}
