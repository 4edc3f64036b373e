import { setImmediate as endOfTurn } from 'node:timers/promises';

/** The result that several callers share, and the caller's place among them. */
export interface SharedResult<Result> {
  readonly result: Result;
  /** From 0, in the order of the calls. */
  readonly place: number;
  /** How many callers share the result. */
  readonly callers: number;
}

/** The work itself, done once for that many callers. */
type Work<Result> = (callers: number) => Promise<Result>;

/**
 * Coalesces calls that have the same key.
 * @param run only that of the first caller is called for all callers that share a flight, so all must do the same work
 */
export type SingleFlight<Result> = (key: string, run: Work<Result>) => Promise<SharedResult<Result>>;

interface Flight<Result> {
  callers: number;
  hasBegun: boolean;
  readonly outcome: Promise<Result>;
}

/**
 * Coalesces calls with the same key (single flight). A flight starts when the flight before it has ended, and not before this
 * turn of the event loop ends, so all calls of one turn share a flight. No caller gets the result of a flight that started before
 * the call: results are never stale, and many calls at once cost little more than one.
 *
 * `dataloader` would not replace this: it joins the calls of one turn, but lets no flight wait for the one before it and does not
 * number the callers, and the code around it would be as long.
 */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const latest = new Map<string, Flight<Result>>();

  const open = (key: string, run: Work<Result>): Flight<Result> => {
    const before = latest.get(key)?.outcome;
    const state = { callers: 0, hasBegun: false };
    const execute = async (): Promise<Result> => {
      await before?.catch(ignore);
      await endOfTurn();
      state.hasBegun = true;
      try {
        return await run(state.callers);
      } finally {
        if (latest.get(key) === state) latest.delete(key);
      }
    };
    const flight = Object.assign(state, { outcome: execute() });
    latest.set(key, flight);
    return flight;
  };

  return async (key, run) => {
    const last = latest.get(key);
    const flight = last === undefined || last.hasBegun ? open(key, run) : last;
    const place = flight.callers;
    flight.callers += 1;
    const result = await flight.outcome;
    return { result, place, callers: flight.callers };
  };
}

const ignore = (): void => undefined;
