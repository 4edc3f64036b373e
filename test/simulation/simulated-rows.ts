import { Context } from '@temporalio/activity';
import type { Random } from '../../chaos/random.ts';
import type { AttemptOpening, OpeningRefusal } from '../../domain/attempt-opening.ts';
import type { PaymentTerms } from '../../domain/payment.ts';
import type { PaymentStore, StoredPayment } from '../../prisma/stores/payment-store.ts';
import type { PaymentQuery, PaymentUpdateWrite } from '../../prisma/queries/payment.ts';
import type { StepWrite } from '../../prisma/queries/payment-step.ts';
import type { StrayChargeReference } from '../../prisma/queries/stray-charge.ts';
import { MemoryPaymentStore } from '../support/memory-payment-store.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The probabilities of what goes wrong between the engine and its database. */
export interface DatabaseFaults {
  /** A statement fails, and has changed nothing. */
  readonly lostStatement: number;
  /** A statement is committed, and its answer is lost. */
  readonly lostAnswer: number;
}

/** A step as it was committed. */
export interface CommittedStep extends StepWrite {
  readonly committedAtMs: number;
}

interface Options {
  readonly time: VirtualTime;
  readonly random: Random;
  /** Whether an attempt may not begin by its route. */
  readonly isClosed: (opening: AttemptOpening) => boolean;
  readonly onCommit: (step: CommittedStep) => void;
  readonly trace: (line: string) => void;
}

/** Rows in memory behind a connection that takes time and fails. */
export class SimulatedRows implements PaymentStore {
  faults: DatabaseFaults = { lostStatement: 0, lostAnswer: 0 };
  isAway = false;
  readonly memory = new MemoryPaymentStore();
  readonly committed: CommittedStep[] = [];
  /** When each try of an activity last looked whether its attempt may begin. */
  readonly checkedAtMs = new WeakMap<Context, number>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    this.memory.clock = () => options.time.nowMs;
    this.memory.isClosed = options.isClosed;
  }

  read(query: PaymentQuery): Promise<StoredPayment | null> {
    return this.execute(() => this.memory.read(query));
  }

  write(write: StepWrite): Promise<boolean> {
    return this.execute(async () => {
      const { time, onCommit, trace } = this.#options;
      const isWritten = await this.memory.write(write);
      if (isWritten && write.opens !== undefined) this.checkedAtMs.set(Context.current(), time.nowMs);
      if (isWritten) {
        const step = { ...write, committedAtMs: time.nowMs };
        this.committed.push(step);
        onCommit(step);
        trace(
          `row ${write.after.version} ${write.after.columns.status}: ${write.step.timeline.map(({ summary }) => summary).join('; ')}`,
        );
      }
      return isWritten;
    });
  }

  openingRefusal(paymentIntentId: string, opening: AttemptOpening): Promise<OpeningRefusal | null> {
    return this.execute(() => {
      this.checkedAtMs.set(Context.current(), this.#options.time.nowMs);
      return this.memory.openingRefusal(paymentIntentId, opening);
    });
  }

  hasLapsed(paymentIntentId: string): Promise<boolean> {
    return this.execute(() => this.memory.hasLapsed(paymentIntentId));
  }

  applyUpdate(write: PaymentUpdateWrite): Promise<PaymentTerms | null> {
    return this.execute(() => this.memory.applyUpdate(write));
  }

  noteStrayCharge(charge: StrayChargeReference): Promise<void> {
    return this.execute(() => this.memory.noteStrayCharge(charge));
  }

  testClockLag(paymentIntentId: string): Promise<number> {
    return this.execute(() => this.memory.testClockLag(paymentIntentId));
  }

  /** Executes a statement: it takes effect at one moment, or fails before or after it. */
  async execute<Result>(statement: () => Promise<Result>): Promise<Result> {
    const { time, random } = this.#options;
    await time.sleep(random.between(0, 2));
    if (this.isAway || random.chance(this.faults.lostStatement)) throw new Error('the database does not answer');
    const result = await statement();
    const isLost = random.chance(this.faults.lostAnswer);
    await time.sleep(random.between(0, 2));
    if (isLost) throw new Error('the connection to the database was lost');
    return result;
  }
}
