type Write = (...given: never[]) => Promise<unknown>;

/** The calls that change something. */
interface Writes {
  readonly create: Write;
  readonly update: Write;
  readonly delete: Write;
  readonly act: Write;
  readonly put: Write;
}

/**
 * The same calls, after whose writes everything of the account is read again: what is shown at once, the rest when it is next shown. A
 * write that failed may have been made all the same.
 */
export function readingAfterWrites<Data extends Writes>(
  data: Data,
  queries: { readonly invalidateQueries: () => Promise<void> },
): Data {
  const readAgain =
    <Given extends unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> =>
      write(...given).finally(() => void queries.invalidateQueries());
  const { create, update, delete: remove, act, put } = data;
  return {
    ...data,
    create: readAgain(create),
    update: readAgain(update),
    delete: readAgain(remove),
    act: readAgain(act),
    put: readAgain(put),
  };
}
