import { mustAuthenticate } from '../../domain/decline-retries.ts';
import { mayBecome } from '../../chaos/checks/answers-consistent.ts';
import type { Attempt } from '../../domain/payment.ts';
import { strayChargeIdOf } from '../../domain/ids.ts';
import { INITIAL_STATUS, isTerminal, type PaymentStatus } from '../../domain/payment-state.ts';
import type { PaymentIntentInput } from '../../protocol/messages.ts';
import type { Answer, SimulatedApi } from './simulated-api.ts';
import type { MoneyBack } from './money-back.ts';
import type { LedgerEntry, RefundEntry, SimulatedProvider } from './simulated-provider.ts';
import type { RefundRow, SimulatedRefunds } from './simulated-refunds.ts';
import type { CommittedStep, SimulatedRows } from './simulated-rows.ts';
import { BEGIN_WITHIN_MS, FAIL_OVER_WITHIN_MS } from './schedule.ts';
import type { TemporalModel } from './temporal-model.ts';

/** An authorization as an adapter sends it. */
export interface Authorization {
  readonly key: string;
  readonly provider: string;
  readonly isFirstTry: boolean;
  /** When this try has looked whether the attempt may begin; null if it has not. */
  readonly checkedAtMs: number | null;
}

/** An attempt, and when its intention was committed. */
export interface Opening {
  readonly attempt: Attempt;
  readonly atMs: number;
}

/** What of a simulation the invariants read. */
export interface CheckedSimulation {
  readonly input: PaymentIntentInput;
  readonly rows: SimulatedRows;
  readonly providers: readonly SimulatedProvider[];
  readonly temporal: TemporalModel;
  readonly api: SimulatedApi;
  readonly refunds: SimulatedRefunds;
  readonly moneyBack: MoneyBack;
  readonly authorizations: readonly Authorization[];
  /** The attempts in the order in which their intentions were committed. */
  openings(): readonly Opening[];
  /** Whether a route or the merchant was switched off at a time. */
  isOff(what: string, atMs: number): boolean;
  /** Records that something is wrong. */
  violate(what: string): void;
}

/** Checks of the promise that the engine makes, made from the provider's books, the rows, the answers and Temporal alone. */

function isRun(writer: string): boolean {
  return writer.startsWith('run-');
}

/** Each step is written by an activity that a history has scheduled before. */
export function checkCommit(simulation: CheckedSimulation, { stepId, step }: CommittedStep): void {
  const [writer = '', activityId = ''] = stepId.split(':');
  if (!isRun(writer) || simulation.temporal.hasScheduled(writer, activityId)) return;
  simulation.violate(`no history has scheduled the activity that wrote "${step.timeline[0].summary}"`);
}

/** What a client is told has been written before, and leads to the row's present state. */
export function checkAnswer(
  simulation: CheckedSimulation,
  { operation, operationId, status, kind, code, version }: Answer,
): void {
  if (kind !== 'done' || status === null) return;
  const { committed } = simulation.rows;
  const isWritten = committed.some(({ after }) => after.version <= version && after.columns.status === status);
  if (status !== INITIAL_STATUS && !isWritten)
    simulation.violate(`${operationId} was answered with ${status} before any row had it`);
  const captured = status === 'succeeded' && code === null;
  if (operation !== 'update' && captured && committed.at(-1)?.after.columns.status !== 'succeeded') {
    simulation.violate(`${operationId} was answered with succeeded, which the row is not`);
  }
}

/** What must hold once nothing is left to do. */
export async function checkEnd(simulation: CheckedSimulation): Promise<void> {
  const { input, rows, providers, temporal } = simulation;
  const stored = await rows.memory.read({ paymentIntentId: input.paymentIntentId });
  if (stored === null) return simulation.violate('the row is gone');
  const { columns, attempts } = stored.record;
  const entries = providers.flatMap(({ ledger }) => [...ledger.values()]);
  checkMoney(
    simulation,
    { status: columns.status, amountCapturedMinor: columns.amountCapturedMinor, attempts },
    entries,
  );
  checkRefunds(simulation, entries);
  checkStrayCharges(simulation, entries);
  checkAttempts(simulation, entries);
  checkAuthorizations(simulation, attempts);
  checkAuthentications(simulation, attempts);
  checkWorkflow(simulation, columns.status);
  checkAnswers(simulation, columns.status, attempts);
  if (temporal.isBusy(input.paymentIntentId)) simulation.violate('the workflow still has something under way');
}

interface Row {
  readonly status: PaymentStatus;
  readonly amountCapturedMinor: number;
  readonly attempts: readonly Attempt[];
}

/** The books and the row agree, and at most one attempt has been charged. */
function checkMoney(
  simulation: CheckedSimulation,
  { status, amountCapturedMinor, attempts }: Row,
  entries: readonly LedgerEntry[],
): void {
  const { returnedByHand } = simulation.moneyBack;
  const captured = entries.filter(
    (entry) => !returnedByHand.has(entry.key) && entry.capturedMinor > reversedMinor(entry),
  );
  if (captured.length > 1)
    simulation.violate(
      `the customer was charged ${captured.length} times: ${captured.map(({ key }) => key).join(', ')}`,
    );
  const [charge] = captured;
  if (charge !== undefined && status !== 'succeeded')
    simulation.violate(`${charge.provider} has charged ${charge.key}, and the payment is ${status}`);
  if (charge === undefined && status === 'succeeded')
    simulation.violate('the payment has succeeded, and no provider has charged');
  if (charge !== undefined && charge.capturedMinor !== amountCapturedMinor) {
    simulation.violate(
      `${charge.provider} has captured ${charge.capturedMinor}, and the row says ${amountCapturedMinor}`,
    );
  }
  const charged = attempts.filter(({ outcome }) => outcome === 'approved');
  if (charge !== undefined && charged.every(({ id }) => id !== charge.key))
    simulation.violate(`${charge.key} was charged, and its attempt is not approved`);
  for (const { status: held, key, provider } of entries) {
    if (returnedByHand.has(key)) continue;
    if (held === 'authorized' && status !== 'requires_capture')
      simulation.violate(`${provider} still holds the money of ${key}, and the payment is ${status}`);
  }
}

/** What the books say was returned as a stray charge. */
function reversedMinor({ key, refunds }: LedgerEntry): number {
  return refundedMinor([...refunds].filter(([refundId]) => refundId === strayChargeIdOf(key)));
}

function refundedMinor(refunds: readonly (readonly [string, RefundEntry])[]): number {
  return refunds.reduce((sum, [, { amountMinor, status }]) => sum + (status === 'refunded' ? amountMinor : 0), 0);
}

/** Books and rows agree on every refund, each was asked for, and no more was refunded than was captured. */
function checkRefunds(simulation: CheckedSimulation, entries: readonly LedgerEntry[]): void {
  const { rows } = simulation.refunds;
  for (const row of rows.values()) checkRefund(simulation, row, entries);
  for (const { key, provider, capturedMinor, refunds } of entries) {
    const returnedMinor = refundedMinor([...refunds]);
    if (returnedMinor > capturedMinor)
      simulation.violate(`${provider} has captured ${capturedMinor} of ${key} and refunded ${returnedMinor}`);
    for (const refundId of refunds.keys()) {
      if (refundId !== strayChargeIdOf(key) && !rows.has(refundId))
        simulation.violate(`${provider} was asked for the refund ${refundId}, which nobody has requested`);
    }
  }
}

function checkRefund(
  simulation: CheckedSimulation,
  { input: { refundId, attemptId, provider, amountMinor }, end }: RefundRow,
  entries: readonly LedgerEntry[],
): void {
  const booked = entries.find(({ key }) => key === attemptId)?.refunds.get(refundId);
  const bookedMinor = booked?.status === 'refunded' ? booked.amountMinor : 0;
  const recordedMinor = end?.status === 'succeeded' ? amountMinor : 0;
  if (bookedMinor !== recordedMinor)
    simulation.violate(`${provider} has refunded ${bookedMinor} for ${refundId}, and the row says ${recordedMinor}`);
  const state = simulation.temporal.stateOf(refundId);
  if (end === null || state.kind !== 'completed')
    simulation.violate(`${refundId} is ${end?.status ?? 'pending'}, and its workflow is ${JSON.stringify(state)}`);
}

/** A stray charge is returned once: by the provider or by hand, and not both. */
function checkStrayCharges(simulation: CheckedSimulation, entries: readonly LedgerEntry[]): void {
  const { rows, moneyBack } = simulation;
  for (const [attemptId, status] of rows.memory.strayChargeStatuses) {
    const entry = entries.find(({ key }) => key === attemptId);
    const reversals = entry === undefined ? 0 : reversedMinor(entry);
    const isReturnedByHand = moneyBack.returnedByHand.has(attemptId);
    if (isReturnedByHand && reversals > 0)
      simulation.violate(`the stray charge of ${attemptId} was returned by its provider and by hand`);
    const isTaken = entry?.status === 'authorized' || (entry !== undefined && entry.capturedMinor > reversals);
    if (status === 'reversed' && isTaken && !isReturnedByHand)
      simulation.violate(`the stray charge of ${attemptId} is reversed, and ${entry.provider} has the money`);
    const ends = rows.committed.filter(({ step }) =>
      step.events?.some((event) => 'strayCharge' in event && event.strayCharge?.attemptId === attemptId),
    );
    if (ends.length > 1) simulation.violate(`the stray charge of ${attemptId} was returned ${ends.length} times`);
  }
}

/** Each authorization was begun by a recorded attempt. */
function checkAttempts(simulation: CheckedSimulation, entries: readonly LedgerEntry[]): void {
  const openings = simulation.openings();
  for (const { key, authorizedAtMs, provider } of entries) {
    if (authorizedAtMs === null) continue;
    const opening = openings.find(({ attempt }) => attempt.id === key);
    if (opening === undefined)
      simulation.violate(`${provider} was asked to authorize ${key}, which no attempt has as its key`);
    else if (opening.atMs > authorizedAtMs)
      simulation.violate(`${provider} was asked to authorize ${key} before its intention was written`);
  }
}

/**
 * Each authorization is sent by a try that has looked whether it may be: before the expiry, soon enough after the confirm, and by a
 * route and for a merchant that take payments then.
 */
function checkAuthorizations(simulation: CheckedSimulation, attempts: readonly Attempt[]): void {
  for (const { key, provider, isFirstTry, checkedAtMs } of simulation.authorizations) {
    const attempt = attempts.find(({ id }) => id === key);
    if (checkedAtMs === null) simulation.violate(`${key} was sent to ${provider} without a look whether it may begin`);
    if (checkedAtMs === null || attempt === undefined) continue;
    const lateMs = checkedAtMs - Date.parse(simulation.input.expiresAt);
    if (lateMs >= 0) simulation.violate(`${key} was sent to ${provider} ${lateMs} ms after the expiry`);
    if (simulation.isOff(`route ${provider}`, checkedAtMs)) simulation.violate(`${key} went by a route that was off`);
    if (simulation.isOff('merchant', checkedAtMs)) simulation.violate(`${key} was sent for a suspended merchant`);
    const isFirst = isFirstTry && attempts.find(({ operationId }) => operationId === attempt.operationId) === attempt;
    const tooLateMs = checkedAtMs - latestBegin(simulation, attempt, checkedAtMs, isFirst);
    if (tooLateMs > 0) simulation.violate(`${key} was sent to ${provider} ${tooLateMs} ms too late after its confirm`);
  }
}

function latestBegin({ api }: CheckedSimulation, { operationId }: Attempt, atMs: number, isFirst: boolean): number {
  const asked = api.asked.filter((request) => request.operationId === operationId && request.atMs <= atMs);
  return Math.max(...asked.map((request) => request.atMs)) + (isFirst ? BEGIN_WITHIN_MS : FAIL_OVER_WITHIN_MS);
}

/** A confirm asks for 3-D Secure once at most. */
function checkAuthentications(simulation: CheckedSimulation, attempts: readonly Attempt[]): void {
  const asking = attempts.filter((attempt) => mustAuthenticate(attempts, attempt));
  for (const { id, operationId } of asking) {
    const others = asking.filter((other) => other.id !== id && other.operationId === operationId);
    if (others.length > 0) simulation.violate(`${id} and others of ${operationId} asked for authentication`);
  }
}

function checkWorkflow(simulation: CheckedSimulation, status: PaymentStatus): void {
  const { temporal, input } = simulation;
  const state = temporal.stateOf(input.paymentIntentId);
  const isRight = status === 'succeeded' ? state.kind === 'completed' : isTerminal(status) && state.kind !== 'running';
  if (!isRight) simulation.violate(`the payment is ${status}, and its workflow is ${JSON.stringify(state)}`);
  if (status === 'failed' && state.kind !== 'ended')
    simulation.violate('the payment has failed, and its workflow has completed');
  const shown = temporal.searchAttributesOf(input.paymentIntentId).get('PaymentStatus');
  if (shown !== undefined && shown !== status)
    simulation.violate(`the payment is ${status}, and Temporal shows ${String(shown)}`);
}

/** Nobody is charged who was told otherwise; equal requests get equal answers. */
function checkAnswers(simulation: CheckedSimulation, status: PaymentStatus, attempts: readonly Attempt[]): void {
  const definite = simulation.api.answers.filter(({ kind }) => kind !== 'unknown');
  for (const { operationId, kind, code, status: answered, operation } of definite) {
    const others = definite.filter((other) => other.operationId === operationId && other.code !== code);
    if (others.length > 0)
      simulation.violate(
        `${operationId} was answered with ${code ?? 'no error'} and with ${others[0]?.code ?? 'no error'}`,
      );
    if (kind === 'done' && answered !== null && !mayBecome(answered, status))
      simulation.violate(`${operationId} was answered with ${answered}, and the payment is ${status}`);
    if (code === 'PAYMENT_EXPIRED' && status === 'succeeded')
      simulation.violate(`${operationId} was answered with PAYMENT_EXPIRED, and the customer was charged`);
    if (code === 'CARD_DECLINED' && attempts.every((attempt) => attempt.code !== code))
      simulation.violate(`${operationId} was declined, and no attempt was`);
    if (operation === 'cancel' && kind === 'done' && code === null && status !== 'canceled')
      simulation.violate(`${operationId} was done, and the payment is ${status}`);
  }
}
