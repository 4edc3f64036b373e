import { AsyncLocalStorage } from 'node:async_hooks';

/** Whatever runs in a process that may be stopped for a while, or killed. */
export interface Process {
  readonly isAlive: boolean;
  readonly isPaused: boolean;
  /** Runs work once the process goes on; never if it is killed before. */
  whenResumed(work: () => void): void;
}

/** The process in which the present code runs; none for the model's own code. */
export const runningIn = new AsyncLocalStorage<Process>();

interface Appointment {
  readonly atMs: number;
  readonly order: number;
  readonly work: () => void;
  isCanceled: boolean;
}

/** Real clock functions, which a simulation replaces while it runs. */
const real = { Date, setTimeout, clearTimeout, setInterval, clearInterval };

/**
 * A clock that goes on only from one appointment to the next. Code of the engine sees it as `Date`, `setTimeout` and `setInterval`. All
 * that one appointment leads to has happened before the next one, so a run depends on nothing but the appointments' times.
 */
export class VirtualTime {
  #nowMs: number;
  #order = 0;
  /** Latest first. */
  readonly #appointments: Appointment[] = [];
  #activations = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** ISO 8601 UTC. */
  get now(): string {
    return new real.Date(this.#nowMs).toISOString();
  }

  /** Runs work of the present process after a time. @returns what cancels it */
  after(ms: number, work: () => void): () => void {
    const owner = runningIn.getStore();
    return this.outside(ms, owner === undefined ? work : () => deliverTo(owner, work));
  }

  /** Runs work after a time, whatever becomes of the present process. @returns what cancels it */
  outside(ms: number, work: () => void): () => void {
    const appointment = { atMs: this.#nowMs + Math.max(0, ms), order: (this.#order += 1), work, isCanceled: false };
    this.#appointments.splice(this.#placeOf(appointment), 0, appointment);
    return () => {
      appointment.isCanceled = true;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Work that needs turns of the real event loop: the clock stands still until it is done. */
  async whileStanding<Result>(work: Promise<Result>): Promise<Result> {
    this.#activations += 1;
    try {
      return await work;
    } finally {
      this.#activations -= 1;
    }
  }

  /**
   * Lets time go on until a condition holds, nothing is left to do, or a time has come.
   * @returns whether the condition holds
   */
  async runUntil(isDone: () => boolean, limitMs: number): Promise<boolean> {
    await this.#settle();
    for (let next = this.#appointments.at(-1); !isDone(); next = this.#appointments.at(-1)) {
      if (next === undefined || next.atMs > limitMs) return false;
      this.#appointments.pop();
      if (next.isCanceled) continue;
      this.#nowMs = next.atMs;
      next.work();
      await this.#settle();
    }
    return true;
  }

  /** Lets time go on by that much. */
  async runFor(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await this.runUntil(() => false, untilMs);
    this.#nowMs = untilMs;
  }

  async #settle(): Promise<void> {
    do await new Promise(setImmediate);
    while (this.#activations > 0);
  }

  #placeOf({ atMs, order }: Appointment): number {
    let low = 0;
    let high = this.#appointments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#appointments[middle] as Appointment;
      if (other.atMs > atMs || (other.atMs === atMs && other.order > order)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Runs what arrives at a process: later if it is paused, never if it is dead. */
export function deliverTo(process: Process | undefined, work: () => void): void {
  if (process?.isAlive === false) return;
  if (process?.isPaused === true) process.whenResumed(work);
  else work();
}

/** Replaces the clock of this Node process while work runs. */
export async function withClock<Result>(time: VirtualTime, work: () => Promise<Result>): Promise<Result> {
  class SimulatedDate extends real.Date {
    constructor(...args: readonly unknown[]) {
      super(...((args.length === 0 ? [time.nowMs] : args) as [number]));
    }

    static override now(): number {
      return time.nowMs;
    }
  }
  const later = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    time.after(ms, () => callback(...args));
  const every = (callback: () => void, ms = 0) => {
    const inContext = AsyncLocalStorage.snapshot();
    let cancel = (): void => undefined;
    const again = (): void => {
      cancel = time.after(Math.max(1, ms), () => {
        inContext(() => {
          again();
          callback();
        });
      });
    };
    again();
    return () => cancel();
  };
  const stop = (cancel: unknown): void => {
    if (typeof cancel === 'function') cancel();
  };
  Object.assign(globalThis, {
    Date: SimulatedDate,
    setTimeout: later,
    setInterval: every,
    clearTimeout: stop,
    clearInterval: stop,
  });
  try {
    return await work();
  } finally {
    Object.assign(globalThis, real);
  }
}
