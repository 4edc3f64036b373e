/**
 * Runs local activities one after the other. Replay answers those of a workflow task in the order in which they were scheduled. If
 * two ran at once and the later one ended first, replay would continue them the other way round, and fail.
 */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
