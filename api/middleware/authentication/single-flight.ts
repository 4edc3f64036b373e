import { setImmediate as endOfTurn } from 'node:timers/promises';

/** What a round has brought, and which of those who waited for it one is. */
export interface SharedResult<Result> {
  readonly result: Result;
  /** From 0, in the order in which they came. */
  readonly place: number;
  /** How many they were. */
  readonly callers: number;
}

/** Does the work of a round, for so many. */
type Work<Result> = (callers: number) => Promise<Result>;

/**
 * Answers whoever asks for the same.
 * @param run that of the first of a round is called for all of them, so that all must mean the same
 */
export type SingleFlight<Result> = (key: string, run: Work<Result>) => Promise<SharedResult<Result>>;

interface Flight<Result> {
  callers: number;
  hasBegun: boolean;
  readonly outcome: Promise<Result>;
}

/**
 * Does work once for all who ask for the same, in rounds. One begins when the one before has ended, and never before this
 * turn of the event loop has: all that it brings in is in the same round. Nobody is answered by work that began before
 * they came, so an answer is never older than its question, and many questions at once cost little more than one.
 */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const latest = new Map<string, Flight<Result>>();

  const open = (key: string, run: Work<Result>): Flight<Result> => {
    const before = latest.get(key)?.outcome;
    const state = { callers: 0, hasBegun: false };
    const carryOut = async (): Promise<Result> => {
      await before?.catch(ignore);
      await endOfTurn();
      state.hasBegun = true;
      try {
        return await run(state.callers);
      } finally {
        if (latest.get(key) === state) latest.delete(key);
      }
    };
    const round = Object.assign(state, { outcome: carryOut() });
    latest.set(key, round);
    return round;
  };

  return async (key, run) => {
    const last = latest.get(key);
    const round = last === undefined || last.hasBegun ? open(key, run) : last;
    const place = round.callers;
    round.callers += 1;
    const result = await round.outcome;
    return { result, place, callers: round.callers };
  };
}

const ignore = (): void => undefined;
