import { ApplicationFailure } from '@temporalio/activity';
import type { RefundRows } from '../../activities/refund-payment.ts';
import { attemptIdOfStrayCharge } from '../../domain/ids.ts';
import type { FinalRefundOutcome } from '../../domain/provider-outcome.ts';
import type { RefundResolution } from '../../domain/refund.ts';
import type { RefundInput } from '../../protocol/messages.ts';
import type { RefundAtProvider } from '../../protocol/refund-activities.ts';
import type { SimulatedRows } from './simulated-rows.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The row of a refund. */
export interface RefundRow {
  readonly input: RefundInput;
  readonly createdAtMs: number;
  requestedAtMs: number | null;
  /** Null while it is pending. */
  end: RefundResolution | null;
}

/** The rows of refunds, behind the connection of the other rows. */
export class SimulatedRefunds implements RefundRows {
  readonly rows = new Map<string, RefundRow>();
  readonly #time: VirtualTime;
  readonly #database: SimulatedRows;

  constructor(time: VirtualTime, database: SimulatedRows) {
    this.#time = time;
    this.#database = database;
  }

  /**
   * Reserves money for a refund and writes its row, as the API's statement does.
   * @param amountMinor null for all that is left
   * @returns null where the payment has captured nothing, or not that much is left
   */
  reserve(
    base: Pick<RefundInput, 'refundId' | 'paymentIntentId' | 'merchantAccountId' | 'environment'>,
    amountMinor: number | null,
  ): Promise<RefundRow | null> {
    return this.#database.execute(async () => {
      const known = this.rows.get(base.refundId);
      if (known !== undefined) return known;
      const stored = await this.#database.memory.read({ paymentIntentId: base.paymentIntentId });
      const charged = stored?.record.attempts.find(({ outcome }) => outcome === 'approved');
      if (stored?.record.columns.status !== 'succeeded' || charged === undefined) return null;
      const left = stored.record.columns.amountCapturedMinor - this.#takenMinor();
      const wanted = amountMinor ?? left;
      if (wanted <= 0 || wanted > left) return null;
      const { id: attemptId, provider, currency } = charged;
      const money = {
        provider,
        attemptId,
        providerPaymentId: `${provider}_${attemptId}`,
        amountMinor: wanted,
        currency,
      };
      const row: RefundRow = {
        input: { ...base, ...money },
        createdAtMs: this.#time.nowMs,
        requestedAtMs: null,
        end: null,
      };
      this.rows.set(base.refundId, row);
      return row;
    });
  }

  /** What is refunded or reserved, in minor units. */
  #takenMinor(): number {
    const amounts = [...this.rows.values()].filter(({ end }) => end?.status !== 'failed');
    return amounts.reduce((sum, { input }) => sum + input.amountMinor, 0);
  }

  readonly requireRow = ({ refundId, attemptId }: RefundAtProvider): Promise<void> =>
    this.#database.execute(() => {
      const isReversal = attemptIdOfStrayCharge(refundId) === attemptId;
      const isKnown = isReversal
        ? this.#database.memory.strayChargeStatuses.has(attemptId)
        : this.rows.get(refundId)?.input.attemptId === attemptId;
      if (isKnown) return Promise.resolve();
      throw ApplicationFailure.nonRetryable(`${refundId}: there is no such refund`, 'REFUND_UNKNOWN');
    });

  readonly recordedOutcome = ({
    refundId,
    attemptId,
    ...asked
  }: RefundAtProvider): Promise<FinalRefundOutcome | null> =>
    this.#database.execute(() => {
      const { amountMinor, currency } = asked;
      const stray = this.#database.memory.strayChargeStatuses.get(attemptId);
      const isReversal = attemptIdOfStrayCharge(refundId) === attemptId;
      const ended = isReversal ? STATUS_OF_REVERSAL.get(stray ?? '') : this.rows.get(refundId)?.end?.status;
      return Promise.resolve(ended === undefined ? null : OUTCOME_OF[ended]({ amountMinor, currency }));
    });

  readonly begin = (refundId: string): Promise<Date | undefined> =>
    this.#database.execute(() => {
      const row = this.rows.get(refundId);
      if (row === undefined || row.end !== null) return Promise.resolve(undefined);
      row.requestedAtMs ??= this.#time.nowMs;
      return Promise.resolve(new Date(row.requestedAtMs));
    });

  readonly accept = (): Promise<void> => this.#database.execute(() => Promise.resolve());

  /** Writes the end of a pending refund; a repeat changes nothing. */
  readonly record = (resolution: RefundResolution): Promise<void> =>
    this.#database.execute(() => {
      const row = this.rows.get(resolution.refundId);
      if (row === undefined) throw new Error(`${resolution.refundId}: there is no refund to record the end of`);
      row.end ??= resolution;
      return Promise.resolve();
    });

  readonly readEnd = (refundId: string): Promise<RefundResolution | null> =>
    this.#database.execute(() => Promise.resolve(this.rows.get(refundId)?.end ?? null));
}

const STATUS_OF_REVERSAL: ReadonlyMap<string, 'succeeded' | 'failed'> = new Map([
  ['reversed', 'succeeded'],
  ['failed', 'failed'],
]);

const OUTCOME_OF = {
  succeeded: (money: Pick<RefundAtProvider, 'amountMinor' | 'currency'>): FinalRefundOutcome => ({
    kind: 'refunded',
    providerRefundId: '',
    ...money,
  }),
  failed: (): FinalRefundOutcome => ({ kind: 'refused', providerRefundId: null, details: {} }),
} as const;
