import { strayChargeIdOf } from '../../domain/ids.ts';
import type { ProviderEvent, RefundProviderEvent } from '../../domain/provider-outcome.ts';
import type { StrayChargeStatus } from '../../domain/stray-charge.ts';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import {
  type PaymentIntentInput,
  REFUND_WORKFLOW,
  refundEventSignal,
  type ResolveRefundRequest,
  resolveRefundUpdate,
  type ResolveStrayChargeRequest,
  resolveStrayChargeUpdate,
  STRAY_CHARGE_WORKFLOW,
} from '../../protocol/messages.ts';
import { findingOf } from '../../worker/jobs/due-workflows.ts';
import { strayChargeInputOf } from '../../workflow-client/workflow-inputs.ts';
import type { LedgerEntry, SimulatedProvider } from './simulated-provider.ts';
import type { RefundRow, SimulatedRefunds } from './simulated-refunds.ts';
import type { SimulatedRows } from './simulated-rows.ts';
import type { TemporalModel, UpdateOutcome } from './temporal-model.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Options {
  readonly input: PaymentIntentInput;
  readonly time: VirtualTime;
  readonly rows: SimulatedRows;
  readonly refunds: SimulatedRefunds;
  readonly temporal: TemporalModel;
  readonly providers: readonly SimulatedProvider[];
  readonly note: (line: string) => void;
}

/** A workflow that returns money: of a refund or a stray charge. */
interface Returning {
  readonly workflowId: string;
  readonly type: string;
  readonly input: object;
  readonly hasEnded: boolean;
}

const CHECK_EVERY_MS = 15 * SECOND_MS;
const CLIENT_REPEATS_AFTER_MS = 2 * SECOND_MS;
const SECOND_PERSON_AFTER_MS = 20 * SECOND_MS;

/** What the API, the sweepers, operators and support staff do with refunds and stray charges. */
export class MoneyBack {
  /** The attempts whose money people have returned by hand. */
  readonly returnedByHand = new Set<string>();
  /** The refunds of which people have said how they ended. */
  readonly resolvedByHand = new Set<string>();
  readonly #options: Options;
  #isChecking = false;
  #pauseMs = CHECK_EVERY_MS;

  constructor(options: Options) {
    this.#options = options;
  }

  /** POST /refunds: the row first, then the workflow. A client repeats what got no answer. */
  async request(refundId: string, amountMinor: number | null): Promise<void> {
    const { refunds, input, time, note, temporal } = this.#options;
    const { paymentIntentId, merchantAccountId, environment } = input;
    try {
      const row = await refunds.reserve({ refundId, paymentIntentId, merchantAccountId, environment }, amountMinor);
      note(`${refundId} ${row === null ? 'is refused' : `of ${row.input.amountMinor} is reserved`}`);
      if (row !== null) temporal.start({ workflowId: refundId, type: REFUND_WORKFLOW, input: row.input }, 'once');
    } catch {
      time.outside(CLIENT_REPEATS_AFTER_MS, () => void this.request(refundId, amountMinor));
    }
  }

  /** A provider's webhook about a refund. */
  onReport({ provider, eventId, refundId }: RefundProviderEvent): void {
    this.#options.temporal.signal(refundId, refundEventSignal.name, [{ provider, eventId }]);
  }

  /** Delivers a report of a charge until nobody needs it: its attempt has ended, and a charge that is a stray one is recorded. */
  deliver(event: ProviderEvent): void {
    const { time, temporal, input } = this.#options;
    const { provider, eventId } = event;
    temporal.signal(input.paymentIntentId, 'providerEvent', [{ provider, eventId }]);
    time.outside(CHECK_EVERY_MS, () => {
      void this.#settles(event).then((isSettled) => {
        if (!isSettled) this.deliver(event);
      });
    });
  }

  async #settles({ attemptId, outcome }: ProviderEvent): Promise<boolean> {
    const { rows, input } = this.#options;
    const { paymentIntentId } = input;
    const stored = await rows.memory.read({ paymentIntentId });
    const attempt = stored?.record.attempts.find(({ id }) => id === attemptId);
    if (rows.isAway || attempt === undefined || attempt.outcome === null) return false;
    if (outcome.kind === 'approved' && attempt.outcome !== 'approved')
      await rows.memory.noteStrayCharge({ attemptId, paymentIntentId });
    return true;
  }

  /** Begins to compare rows and workflows as the sweepers do, with growing pauses. */
  sweep(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#options.time.outside(this.#pauseMs, () => {
      this.#isChecking = false;
      if (!this.#options.rows.isAway) for (const each of this.#returning()) this.#check(each);
      const isIdle = this.hasEnded;
      this.#pauseMs = isIdle ? Math.min(this.#pauseMs * 2, DAY_MS) : CHECK_EVERY_MS;
      this.sweep();
    });
  }

  #check({ workflowId, type, input, hasEnded }: Returning): void {
    const { temporal } = this.#options;
    const row = { hasEnded, mayEndAsFailed: false, isStarted: false, runId: null, isOverdue: false, isQuiet: false };
    const finding = findingOf(row, temporal.stateOf(workflowId));
    if (finding.kind === 'start') temporal.start({ workflowId, type, input }, 'once');
    if (finding.kind === 'take_over')
      temporal.start({ workflowId, type, input: { ...input, takeOverAfter: finding.endedAs } }, 'again');
  }

  #returning(): readonly Returning[] {
    const refunds = [...this.#options.refunds.rows.values()].map(({ input, end }) => ({
      workflowId: input.refundId,
      type: REFUND_WORKFLOW,
      input,
      hasEnded: end !== null,
    }));
    const strayCharges = [...this.#options.rows.memory.strayChargeStatuses].map(([attemptId, status]) => ({
      workflowId: strayChargeIdOf(attemptId),
      type: STRAY_CHARGE_WORKFLOW,
      input: this.#strayChargeInput(attemptId),
      hasEnded: isReturned(status),
    }));
    return [...refunds, ...strayCharges];
  }

  #strayChargeInput(attemptId: string): object {
    const { rows, input } = this.#options;
    const attempt = rows.committed.at(-1)?.after.attempts.find(({ id }) => id === attemptId);
    if (attempt === undefined) throw new Error(`${attemptId} has a stray charge and no row`);
    const row = {
      attempt_id: attemptId,
      payment_intent_id: input.paymentIntentId,
      merchant_account_id: input.merchantAccountId,
      environment: input.environment,
      provider: attempt.provider,
    };
    return strayChargeInputOf(row, attempt);
  }

  /** Whether all money is where its rows say, and no workflow is left. */
  get hasEnded(): boolean {
    return this.#returning().every(
      ({ workflowId, hasEnded }) => hasEnded && this.#options.temporal.stateOf(workflowId).kind === 'completed',
    );
  }

  /** How each refund and stray charge stands. */
  get ends(): readonly string[] {
    const refunds = [...this.#options.refunds.rows.values()].map(({ end }) => `refund ${end?.status ?? 'pending'}`);
    return [
      ...refunds,
      ...[...this.#options.rows.memory.strayChargeStatuses.values()].map((status) => `stray charge ${status}`),
    ];
  }

  /** What has not ended, for people. */
  describe(): string {
    const open = this.#returning().filter(
      ({ workflowId, hasEnded }) => !hasEnded || this.#options.temporal.stateOf(workflowId).kind !== 'completed',
    );
    const states = open.map(({ workflowId, hasEnded }) => {
      const state = JSON.stringify(this.#options.temporal.stateOf(workflowId));
      return `${workflowId} ${hasEnded ? 'ended' : 'open'} ${state}`;
    });
    return states.join(', ');
  }

  /** An operator does something to every workflow that returns money. */
  disturb(how: 'terminate' | 'cancel' | 'reset', place: number): void {
    const { temporal } = this.#options;
    for (const { workflowId } of this.#returning()) {
      if (how === 'reset') temporal.reset(workflowId, place);
      else temporal[how](workflowId);
    }
  }

  /** Two people look at the books, one after the other, and end what still waits as they find it. */
  resolveByHand(): void {
    this.#ask('ada');
    this.#options.time.outside(SECOND_PERSON_AFTER_MS, () => this.#ask('bob'));
  }

  #ask(by: string): void {
    const { refunds, rows } = this.#options;
    for (const row of refunds.rows.values()) if (row.end === null) this.#resolveRefund(by, row);
    for (const [attemptId, status] of rows.memory.strayChargeStatuses)
      if (!isReturned(status)) this.#resolveStrayCharge(by, attemptId);
  }

  #resolveRefund(by: string, { input }: RefundRow): void {
    const { refundId, attemptId, provider } = input;
    const booked = this.#entryOf(attemptId)?.refunds.get(refundId);
    if (booked?.status === 'pending') return;
    const request: ResolveRefundRequest = {
      by,
      note: 'looked at the books',
      ...(booked?.status === 'refunded'
        ? { outcome: 'refunded', providerRefundId: `${provider}_${refundId}` }
        : { outcome: 'not_refunded' }),
    };
    void this.#send(by, refundId, resolveRefundUpdate.name, request).then((isResolved) => {
      if (isResolved) this.resolvedByHand.add(refundId);
    });
  }

  #resolveStrayCharge(by: string, attemptId: string): void {
    const strayChargeId = strayChargeIdOf(attemptId);
    const entry = this.#entryOf(attemptId);
    const refund = entry?.refunds.get(strayChargeId)?.status;
    const isMoving = entry?.status === 'pending' || entry?.status === 'requires_action' || refund === 'pending';
    if (isMoving) return;
    const isTaken = entry?.status === 'captured' || entry?.status === 'authorized';
    const request: ResolveStrayChargeRequest = {
      by,
      note: 'looked at the books',
      outcome: isTaken ? 'returned' : 'not_charged',
    };
    void this.#send(by, strayChargeId, resolveStrayChargeUpdate.name, request).then((isResolved) => {
      if (isResolved && isTaken && refund !== 'refunded') this.returnedByHand.add(attemptId);
    });
  }

  /** @returns whether the request has ended the wait */
  async #send(by: string, workflowId: string, name: string, request: object): Promise<boolean> {
    const { temporal, time, note } = this.#options;
    const id = `${by}_${time.nowMs}`;
    const outcome = await temporal.update(workflowId, id, name, request);
    note(`answer to ${by} about ${workflowId}: ${outcome.kind}`);
    return isResolved(outcome);
  }

  #entryOf(attemptId: string): LedgerEntry | undefined {
    return this.#options.providers.map(({ ledger }) => ledger.get(attemptId)).find((entry) => entry !== undefined);
  }
}

function isReturned(status: StrayChargeStatus): boolean {
  return status === 'reversed' || status === 'unfounded';
}

function isResolved(outcome: UpdateOutcome): boolean {
  return outcome.kind === 'completed' && (outcome.result as { readonly isResolved?: boolean }).isResolved === true;
}
