import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { createConnectionCount } from '../../http/connection-count.ts';
import { createTurns, type TurnLimits, type Turns, workInTurn } from '../../http/turns.ts';
import type { ShareUsage } from '../../metrics/server-metrics.ts';
import type { CsvColumns } from '../../contract/presenters/csv-columns.ts';
import type { AccountScope } from '../../prisma/fragments/conditions.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { countRows, type ListedRows, selectAfter } from '../../prisma/queries/list.ts';
import type { Statement } from '../../prisma/connection/statement.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { ApiRequest, ApiResponse } from '../../http/request-context.ts';
import type { Principal } from '../../domain/principal.ts';
import type { FieldError } from '../../contract/validation.ts';
import { listBeyond } from '../../accounts/lists.ts';

export const CSV_TYPE = 'text/csv';

export interface CsvLimits {
  readonly rows: number;
  /** Rows that are read, and in memory, at once. */
  readonly batchRows: number;
  /** Batches that are read at once, of all merchants and of one. */
  readonly batches: TurnLimits;
  /** How long the turn of a batch lasts at least, so that long exports of one merchant leave time to the others. */
  readonly batchTurnMs: number;
  /** Exports of one merchant that this process makes at once. */
  readonly perMerchant: number;
  /** All exports that this process makes at once. */
  readonly inAll: number;
  /** How long an export may take; a client that reads too slowly is cut off. */
  readonly durationMs: number;
}

export const CSV_LIMITS: CsvLimits = {
  rows: 100_000,
  batchRows: 500,
  batches: { atOnce: 4, ofOne: 1 },
  batchTurnMs: 150,
  perMerchant: 2,
  inAll: 20,
  durationMs: 10 * MINUTE_MS,
};

/** Rows that are written before other work gets the processor: a row may have 50 kB of metadata. */
const ROWS_AT_ONCE = 50;

/** Of a query that the list's own schema has validated. */
const placeOfQuery = z.looseObject({ startingAfter: z.string().optional() });

/** The exports that a process makes. */
export interface CsvExports {
  readonly limits: CsvLimits;
  /** @throws ApiError `RATE_LIMIT_EXCEEDED` */
  readonly acquire: (merchantId: string) => () => void;
  readonly usage: () => ShareUsage;
  /** The turns in which merchants get batches of rows. */
  readonly batches: Turns;
}

export function createCsvExports(limits: CsvLimits = CSV_LIMITS): CsvExports {
  const count = createConnectionCount(limits.inAll, limits.perMerchant);
  return {
    limits,
    acquire: (merchantId) => {
      const release = count.acquire(merchantId);
      if (release === null) throw tooManyExports(limits);
      return release;
    },
    usage: count.usage,
    batches: createTurns(limits.batches),
  };
}

const RETRY_AFTER_SECONDS = 10;

function tooManyExports({ perMerchant, inAll }: CsvLimits): ApiError {
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    message:
      `Too many CSV exports at once: expected at most ${perMerchant} of a merchant, and ${inAll} of all merchants. ` +
      'Repeat the request when another has ended.',
    details: {
      reason: 'too_many_exports',
      limit: perMerchant,
      remaining: 0,
      resetAt: new Date(Date.now() + RETRY_AFTER_SECONDS * SECOND_MS).toISOString(),
    },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

export interface ExportDependencies {
  readonly csvExports: CsvExports;
}

interface ExportCall<Query> {
  readonly principal: Principal;
  readonly query: Query;
}

/** How a whole list becomes a CSV file. */
export interface CsvExport<Query> {
  readonly columnNames: readonly string[];
  readonly send: (call: ExportCall<Query>, request: ApiRequest, response: ApiResponse) => Promise<void>;
}

interface CsvExportOptions<Query, Row extends object, Resource> {
  readonly database: Database;
  readonly exports: CsvExports;
  /** The beginning of the file's name. */
  readonly name: string;
  readonly columns: CsvColumns<Resource>;
  readonly listed: (scope: AccountScope, filter: Query) => ListedRows;
  readonly selected: Statement<Row>;
  readonly present: (row: Row) => Resource;
}

/**
 * Sends all rows of a list, newest first, as they are read: a batch is read when the client has taken the one before. What is made
 * meanwhile is not in it.
 */
export function createCsvExport<
  Query,
  Row extends object,
  Resource extends { readonly id: string; readonly createdAt: string },
>(options: CsvExportOptions<Query, Row, Resource>): CsvExport<Query> {
  const { database, exports, name, columns, selected, present } = options;
  const { rows: maximum, batchRows, batchTurnMs, durationMs } = exports.limits;

  type ReadBatch = (after: Resource | null, limit: number) => Promise<readonly Resource[]>;

  const readInTurns =
    (merchant: string, listed: ListedRows): ReadBatch =>
    async (after, limit) => {
      const statement = selectAfter(listed, selected, { after, limit: Math.min(limit, batchRows) });
      const turn = { merchant, atLeastMs: batchTurnMs };
      return (await workInTurn(exports.batches, turn, () => database.direct.rows(statement))).map(present);
    };

  async function* textOf(readBatch: ReadBatch, first: readonly Resource[]): AsyncGenerator<string> {
    yield textOfRows([Object.keys(columns)]);
    let left = maximum;
    for (let batch = first; batch.length > 0;) {
      for (let written = 0; written < batch.length; written += ROWS_AT_ONCE) {
        const rows = batch.slice(written, written + ROWS_AT_ONCE);
        yield textOfRows(rows.map((resource) => cellsOf(columns, resource)));
        await yieldToEventLoop();
      }
      left -= batch.length;
      const isLast = batch.length < batchRows || left <= 0;
      batch = isLast ? [] : await readBatch(batch.at(-1) ?? null, left);
    }
  }

  return {
    columnNames: Object.keys(columns),
    send: async (call, request, response) => {
      const { merchantId } = call.principal;
      const release = exports.acquire(merchantId);
      // It takes minutes, and has a limit of its own.
      response.locals.endReadTurn?.();
      try {
        const { startingAfter } = placeOfQuery.parse(call.query);
        const all = options.listed(call.principal, call.query);
        const listed = startingAfter === undefined ? all : await listBeyond(database, all, startingAfter);
        const counted = await database.direct.row(countRows(listed, maximum + 1));
        const readBatch = readInTurns(merchantId, listed);
        const first = await readBatch(null, maximum);
        setHeaders(response, { name, call, maximum, isTruncated: (counted?.total ?? 0) > maximum });
        if (request.method === 'HEAD') return void response.end();
        await sendText(textOf(readBatch, first), response, durationMs);
      } finally {
        release();
      }
    },
  };
}

interface FileDescription {
  readonly name: string;
  readonly call: ExportCall<unknown>;
  readonly maximum: number;
  readonly isTruncated: boolean;
}

/** The headers must say whether rows are missing, because nothing in a CSV file can. */
function setHeaders(response: ApiResponse, { name, call, maximum, isTruncated }: FileDescription): void {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const rows = isTruncated ? `-first-${maximum}` : '';
  response.statusCode = 200;
  response.setHeader('Content-Type', `${CSV_TYPE}; charset=utf-8; header=present`);
  response.setHeader(
    'Content-Disposition',
    `attachment; filename="${name}-${call.principal.environment}-${time}${rows}.csv"`,
  );
  response.setHeader('X-Row-Limit', String(maximum));
  response.setHeader('X-Rows-Truncated', String(isTruncated));
}

/** Ends quietly where the client has left: there is nobody to be answered. */
async function sendText(text: AsyncGenerator<string>, response: ApiResponse, durationMs: number): Promise<void> {
  const signal = AbortSignal.timeout(durationMs);
  try {
    await pipeline(Readable.from(text, { objectMode: false }), response, { signal });
    if (!response.writableFinished) await once(response, 'close');
  } catch (error) {
    if (signal.aborted || isPrematureClose(error)) return;
    throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

type Cell = string | number | null | undefined;

function cellsOf<Resource>(columns: CsvColumns<Resource>, resource: Resource): readonly Cell[] {
  return Object.values(columns).map((cell) => cell(resource));
}

/** Lines as RFC 4180 describes them. A spreadsheet shows a cell that it would take for a formula with an apostrophe before it. */
function textOfRows(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? withoutFormulas(cell) : cell)));
  return stringify(cells, { escape_formulas: true, record_delimiter: 'windows', quote_record_delimiter: true });
}

/**
 * Matches what may stand before a formula in the middle of a text: spreadsheets of many countries read a file as if semicolons or
 * tabs separated its cells. To them a quote after another character is part of the text, so that a line in a quoted cell ends the
 * row. It also matches where no formula follows: a lookahead would search a long run of blanks again from each of its characters.
 */
const SEPARATOR_WITHIN = /(?:;|(?<!^)[\t\r\n])["\s]*/g;
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** The package puts an apostrophe before the other characters with which a formula may begin. */
function withoutFormulas(text: string): string {
  const safe = text.replaceAll(SEPARATOR_WITHIN, (found, offset: number) =>
    FORMULA.test(text.charAt(offset + found.length)) ? `${found}'` : found,
  );
  return safe.startsWith('\n') ? `'${safe}` : safe;
}

/** A list is read by pages, or on from an element. */
export function cursorProblems(query: object): readonly FieldError[] {
  if (!('page' in query && 'startingAfter' in query)) return [];
  const message = 'Expected page or startingAfter, not both. Leave page out.';
  return [{ field: 'startingAfter', code: 'invalid', message }];
}

/** A file has all rows, so the query's page does not apply. */
export function pageProblems(query: object): readonly FieldError[] {
  return ['page', 'limit']
    .filter((field) => field in query)
    .map((field) => ({
      field,
      code: 'unknown',
      message: `Expected no ${field}, because a CSV file has all rows; got one. Leave it out.`,
    }));
}
