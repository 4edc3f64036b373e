import { z } from 'zod';
import { ERROR_CATALOGUE, type ErrorCode } from '../domain/error-catalogue.ts';
import type { IntentColumns } from '../domain/payment-change.ts';
import type {
  Advisory,
  Attempt,
  AttemptOutcome,
  CancellationReason,
  LastError,
  NextAction,
} from '../domain/payment.ts';
import { isTerminal, PAYMENT_STATUSES } from '../domain/payment-state.ts';
import type { Database } from '../prisma/client.ts';
import type { PaymentAttempt, PaymentIntent } from '../prisma/generated/client.ts';
import type { PaymentIntentInput } from '../workflows/messages.ts';
import { toWorkflowInput } from './workflow-input.ts';

const text = z.string().min(1);
const hasText = (value: unknown, ...names: readonly string[]): boolean =>
  z.looseObject(Object.fromEntries(names.map((name) => [name, text]))).safeParse(value).success;

/** The words and objects that only this engine writes. */
const statusSchema = z.enum(PAYMENT_STATUSES);
const outcomeSchema = z.enum(['approved', 'declined', 'failed', 'not_charged', 'canceled'] satisfies AttemptOutcome[]);
const codeSchema = z.custom<ErrorCode>((value) => typeof value === 'string' && value in ERROR_CATALOGUE);
const reasonSchema = z.custom<CancellationReason>((value) => typeof value === 'string');
const nextActionSchema = z.custom<NextAction>((value) => hasText(value, 'type'));
const lastErrorSchema = z.custom<LastError>((value) => hasText(value, 'code', 'message', 'at'));
const advisorySchema = z.custom<Advisory>((value) => hasText(value, 'code', 'since'));

/**
 * What a workflow needs that takes an open intent over, with all that is recorded of it.
 * @returns null when the intent has ended
 * @throws ZodError when a row holds what this version does not know
 */
export async function loadOpenPayment(database: Database, id: string): Promise<PaymentIntentInput | null> {
  const [intent, transactionCount] = await database.$transaction(
    [
      database.paymentIntent.findUniqueOrThrow({
        where: { id },
        include: { attempts: { orderBy: { number: 'asc' } } },
      }),
      database.transaction.count({ where: { paymentIntentId: id, refundId: null } }),
    ],
    { isolationLevel: 'RepeatableRead' },
  );
  const columns = columnsOf(intent);
  if (isTerminal(columns.status)) return null;
  const input = toWorkflowInput(intent);
  const attempts = intent.attempts.map(attemptOf);
  const { version } = intent;
  const { terms } = input;
  const statusSince = sinceOf(intent, columns, attempts);
  return {
    ...input,
    resumeFrom: { paymentIntentId: id, version, terms, columns, attempts, transactionCount, statusSince },
  };
}

function columnsOf(row: PaymentIntent): IntentColumns {
  return {
    status: statusSchema.parse(row.status),
    paymentMethodId: row.paymentMethodId,
    provider: row.provider,
    nextAction: nextActionSchema.nullable().parse(row.nextAction),
    lastError: lastErrorSchema.nullable().parse(row.lastError),
    advisory: advisorySchema.nullable().parse(row.advisory),
    cancellationReason: reasonSchema.nullable().parse(row.cancellationReason),
    amountCapturableMinor: Number(row.amountCapturableMinor),
    amountCapturedMinor: Number(row.amountCapturedMinor),
  };
}

function attemptOf({ paymentIntentId: _, ...row }: PaymentAttempt): Attempt {
  return {
    ...row,
    amountMinor: Number(row.amountMinor),
    outcome: outcomeSchema.nullable().parse(row.outcome),
    code: codeSchema.nullable().parse(row.code),
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** Held money lapses by the time of its authorisation; the other states go by the last step that is known. */
function sinceOf(row: PaymentIntent, { status, advisory }: IntentColumns, attempts: readonly Attempt[]): string {
  const held = status === 'requires_capture' ? attempts.at(-1)?.finishedAt : undefined;
  return held ?? advisory?.since ?? row.updatedAt.toISOString();
}
