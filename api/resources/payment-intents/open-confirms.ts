import type { ErrorCode } from '../../../domain/error-catalogue.ts';
import { resultOf } from '../../../domain/operation.ts';
import type { OperationResult } from '../../../domain/payment.ts';
import { HOUR_MS, SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/client.ts';
import { selectOperationResults } from '../../../prisma/queries/payment.ts';
import { type CountedConfirm, isDecline } from '../../middleware/rate-limits/decline-limits.ts';

/** Counted confirms whose outcome is open after their response: the customer has to act, or the provider takes long. */
export interface OpenConfirms {
  /** Corrects the count once the outcome of the operation is known. */
  add(operationId: string, counted: CountedConfirm): void;
}

interface OpenConfirm {
  readonly counted: CountedConfirm;
  /** In ms since the epoch. */
  readonly sinceMs: number;
}

const READ_EVERY_MS = 5 * SECOND_MS;
const READ_AT_ONCE = 1_000;
/** They take a few MB. */
const MAXIMUM_OPEN = 10_000;

/**
 * Keeps open confirms in memory, and reads every few seconds what became of them. They count as declined until they are approved,
 * because who tries stolen cards leaves 3-D Secure undone. The count of a confirm that is forgotten stays until its hour ends: of
 * those that are open as the process stops, and of the oldest beyond 10,000.
 */
export function createOpenConfirms({ direct }: Pick<Database, 'direct'>, readEveryMs = READ_EVERY_MS): OpenConfirms {
  /** By the id of the operation, oldest first. */
  const open = new Map<string, OpenConfirm>();
  let isWaiting = false;

  const readResults = async (operationIds: readonly string[]): Promise<void> => {
    for (const { id, status, ...operation } of await direct.rows(selectOperationResults(operationIds))) {
      const result = resultOf(operation, status);
      const confirm = open.get(id);
      if (result === null || isOpen(result) || confirm === undefined) continue;
      open.delete(id);
      await correct(result, confirm.counted);
    }
  };

  const readAll = async (): Promise<void> => {
    const countedSinceMs = Date.now() - HOUR_MS;
    for (const [id, { sinceMs }] of open) if (sinceMs < countedSinceMs) open.delete(id);
    const ids = [...open.keys()];
    for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
      await readResults(ids.slice(start, start + READ_AT_ONCE));
    }
  };

  const readLater = (): void => {
    if (isWaiting || open.size === 0) return;
    isWaiting = true;
    const readAndGoOn = async (): Promise<void> => {
      // While the database does not answer, the confirms stay open.
      await readAll().catch(() => undefined);
      isWaiting = false;
      readLater();
    };
    setTimeout(() => void readAndGoOn(), readEveryMs).unref();
  };

  return {
    add(operationId, counted) {
      const [oldest] = open.keys();
      if (open.size >= MAXIMUM_OPEN && oldest !== undefined) open.delete(oldest);
      open.set(operationId, { counted, sinceMs: Date.now() });
      readLater();
    },
  };
}

/** Whether a confirm that was answered still waits for its outcome. */
export function isOpen({ status, error }: OperationResult): boolean {
  return error === null && (status === 'requires_action' || status === 'processing');
}

/** The errors of a confirm whose payment has expired, or was canceled, before the customer had acted. */
const ABANDONED: ReadonlySet<ErrorCode> = new Set(['PAYMENT_EXPIRED', 'STATE_CONFLICT']);

async function correct({ error }: OperationResult, counted: CountedConfirm): Promise<void> {
  if (error === null) await counted.undoDecline();
  else if (!isDecline(error) && !ABANDONED.has(error.code)) await counted.undo();
}
