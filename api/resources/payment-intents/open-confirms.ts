import type { ErrorCode } from '../../../domain/error-catalogue.ts';
import { resultOf } from '../../../domain/operation.ts';
import type { OperationResult } from '../../../domain/payment.ts';
import { DAY_MS, SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { selectOperationResults } from '../../../prisma/queries/payment.ts';
import { type CountedConfirm, isDecline } from '../../checkout-limits/decline-limits.ts';

/** Counted confirms whose outcome is open after their response: the customer has to act, or the provider takes long. */
export interface OpenConfirms {
  /** Counts a confirm as not declined while it is open, and as declined if it ends so. */
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
/** By then the payment has expired. */
const KEPT_MS = DAY_MS;

/**
 * Keeps open confirms in memory, and reads every few seconds what became of them: who tries stolen cards leaves 3-D Secure undone.
 * Those that are open as the process stops, and the oldest beyond 10,000, are forgotten, and never count as declined.
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
      if (isDeclinedOrAbandoned(result)) await confirm.counted.declineLater();
    }
  };

  const readAll = async (): Promise<void> => {
    const keptSinceMs = Date.now() - KEPT_MS;
    for (const [id, { sinceMs }] of open) if (sinceMs < keptSinceMs) open.delete(id);
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
      // A repeat of the request was counted once more.
      if (open.has(operationId)) return void counted.undo();
      void counted.undoDecline();
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

function isDeclinedOrAbandoned({ error }: OperationResult): boolean {
  return error !== null && (isDecline(error) || ABANDONED.has(error.code));
}
