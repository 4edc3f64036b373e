import { TemporalUnavailableError } from '../../workflow-client/temporal-errors.ts';

export interface RowsOptions<Row> {
  /** Handles one row. */
  readonly handle: (row: Row) => Promise<void>;
  /** Rows that are handled at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

export interface SweepOptions<Row> extends RowsOptions<Row> {
  /** Reads the rows after the given one, oldest first, at most a page of them. */
  readonly readPage: (after: Row | undefined) => Promise<Row[]>;
  readonly pageSize: number;
}

/**
 * Handles all rows once, page by page. A row that fails does not stop the sweep.
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer: it would affect every row
 * @throws Error at the end, with the number of rows that failed
 */
export async function sweep<Row>(options: SweepOptions<Row>): Promise<void> {
  const failures: unknown[] = [];
  let last: Row | undefined;
  while (!options.signal.aborted) {
    const page = await options.readPage(last);
    failures.push(...(await handlePage(page, options)));
    last = page.at(-1);
    if (page.length < options.pageSize) break;
  }
  throwCounted(failures);
}

/**
 * Handles rows that were read before.
 * @throws as `sweep` does
 */
export async function sweepRows<Row>(rows: readonly Row[], options: RowsOptions<Row>): Promise<void> {
  throwCounted(await handlePage(rows, options));
}

function throwCounted(failures: readonly unknown[]): void {
  if (failures.length > 0) throw new Error(`${failures.length} rows could not be handled`, { cause: failures[0] });
}

async function handlePage<Row>(page: readonly Row[], options: RowsOptions<Row>): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let start = 0; start < page.length && !options.signal.aborted; start += options.concurrency) {
    const results = await Promise.allSettled(page.slice(start, start + options.concurrency).map(options.handle));
    const reasons = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
    const outage = reasons.find((reason) => reason instanceof TemporalUnavailableError);
    if (outage !== undefined) throw outage;
    failures.push(...reasons);
  }
  return failures;
}
