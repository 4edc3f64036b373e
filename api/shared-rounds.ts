/** What a round has brought, and which of those who waited for it one is. */
export interface Shared<Result> {
  readonly result: Result;
  /** From 0, in the order in which they came. */
  readonly place: number;
  /** How many they were. */
  readonly callers: number;
}

/** Does the work of a round, for so many. */
type Run<Result> = (callers: number) => Promise<Result>;

/**
 * Answers whoever asks for the same.
 * @param run that of the first of a round is called for all of them, so that all must mean the same
 */
export type SharedRounds<Result> = (key: string, run: Run<Result>) => Promise<Shared<Result>>;

interface Round<Result> {
  callers: number;
  readonly outcome: Promise<Result>;
}

/** The round of a key that is under way. */
interface Lane<Result> {
  readonly ended: Promise<void>;
  next: Round<Result> | null;
}

/**
 * Does work once for all who ask for the same while it is under way for others. Nobody is answered by work that began
 * before they came: they wait for the next round, which begins as the one before ends. So an answer is never older than
 * its question, and many questions at once cost little more than one.
 */
export function createSharedRounds<Result>(): SharedRounds<Result> {
  const lanes = new Map<string, Lane<Result>>();

  const begin = (key: string, run: Run<Result>, callers: number): Promise<Result> => {
    const outcome = run(callers);
    const lane: Lane<Result> = { ended: outcome.then(ignore, ignore), next: null };
    lanes.set(key, lane);
    void lane.ended.then(() => {
      if (lane.next === null) lanes.delete(key);
    });
    return outcome;
  };

  const follow = (key: string, run: Run<Result>, { ended }: Lane<Result>): Round<Result> => {
    const count = { callers: 0 };
    return Object.assign(count, { outcome: ended.then(() => begin(key, run, count.callers)) });
  };

  return async (key, run) => {
    const lane = lanes.get(key);
    if (lane === undefined) return { result: await begin(key, run, 1), place: 0, callers: 1 };
    const round = (lane.next ??= follow(key, run, lane));
    const place = round.callers;
    round.callers += 1;
    const result = await round.outcome;
    return { result, place, callers: round.callers };
  };
}

const ignore = (): void => undefined;
