import { setTimeout as wait } from 'node:timers/promises';
import { isTerminal, type PaymentOperation, type PaymentStatus, refusalOf } from '../../../domain/payment-state.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import type { IntentRow } from '../../../prisma/queries/payment-intent.ts';
import type { PaymentWorkflows, UpdateAnswer } from '../../../workflow-client/payment-workflows.ts';
import { paymentInputOf } from '../../../workflow-client/workflow-inputs.ts';
import { readIntent } from './stored-intent.ts';

/** How often rows are read again while the workflow or an operation is waited for. */
export const POLL_EVERY_MS = 100;

/** The dependencies of sending an operation to a workflow. */
export interface UpdateDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'start' | 'takeOver'>;
}

/** An operation that the intent's workflow receives as an update. */
export interface OperationUpdate {
  readonly name: PaymentOperation;
  /** Whose payment it is. */
  readonly principal: AccountScope;
  readonly intent: IntentRow;
  /** Sends the update and waits for its result, `waitMs` at most. */
  readonly sendUpdate: (waitMs: number) => Promise<UpdateAnswer>;
  readonly respondAsync: boolean;
}

/** How many other runs one request starts or waits for at most. */
const RUNS_AT_MOST = 3;

/**
 * Sends the update again where the workflow refuses what the payment's row allows: clients see a step as soon as it is
 * committed, a moment before the workflow learns of it.
 */
export async function sendUpdateToWorkflow(
  dependencies: UpdateDependencies,
  operation: OperationUpdate,
  deadline: number,
): Promise<UpdateAnswer> {
  for (;;) {
    const update = await updateRunningWorkflow(dependencies, operation, deadline);
    if (update.kind !== 'refused' || !update.mayBeOutdated || Date.now() >= deadline) return update;
    const { intent } = await readIntent(dependencies.database, operation.principal, operation.intent.id);
    if (!isOutdated(update, operation.name, intent.status)) return update;
    await wait(POLL_EVERY_MS);
  }
}

type RefusedAnswer = Extract<UpdateAnswer, { kind: 'refused' }>;

/** Whether a workflow has refused an operation because of a state that the payment has left. */
export function isOutdated(
  { mayBeOutdated }: RefusedAnswer,
  operation: PaymentOperation,
  status: PaymentStatus,
): boolean {
  return mayBeOutdated && refusalOf(operation, status) === undefined;
}

/** Starts the workflow, or another run of it, where none runs. With `respondAsync` only acceptance is waited for. */
async function updateRunningWorkflow(
  dependencies: UpdateDependencies,
  operation: OperationUpdate,
  deadline: number,
): Promise<UpdateAnswer> {
  const { sendUpdate, respondAsync, intent } = operation;
  let update: UpdateAnswer = { kind: 'not_started' };
  for (let run = 0; run < RUNS_AT_MOST; run += 1) {
    update = await sendUpdate(respondAsync ? 0 : Math.max(1, deadline - Date.now()));
    if (update.kind === 'not_started') await dependencies.workflows.start(paymentInputOf(intent));
    else if (update.kind !== 'finished' || !(await takeOverEnded(dependencies, operation))) return update;
  }
  return update;
}

/** Starts another run for a payment that is open though its workflow has ended; false where the payment has ended. */
async function takeOverEnded(
  { database, workflows }: UpdateDependencies,
  operation: OperationUpdate,
): Promise<boolean> {
  const { intent } = await readIntent(database, operation.principal, operation.intent.id);
  if (isTerminal(intent.status)) return false;
  await workflows.takeOver(paymentInputOf(intent), 'ended');
  return true;
}
