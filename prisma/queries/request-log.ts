import {
  type AccountScope,
  createdBetween,
  type CreationTimes,
  isOfScope,
  ofAccount,
  withValues,
} from '../fragments/conditions.ts';
import { Prisma, type RequestLogEntry } from '../generated/client.ts';
import { integer, nullable, returning, type Statement, text, timestamp, unknownJson } from '../connection/statement.ts';
import { type ListedRows, NEWEST_FIRST } from './list.ts';

/** A request to log, with masked bodies. */
export interface LoggedRequest extends Omit<RequestLogEntry, 'createdAt' | 'requestBody' | 'responseBody'> {
  readonly requestBody: unknown;
  readonly responseBody: unknown;
  /** When it arrived, ISO 8601. */
  readonly createdAt: string;
}

/** Inserts requests in one statement, whose text is the same however many they are. */
export function insertRequests(requests: readonly LoggedRequest[]): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO request_log (id, request_id, merchant_account_id, environment, api_key_id, address, method, path, status, code,
      duration_ms, request_body, response_body, created_at)
    SELECT id, "requestId", "merchantAccountId", environment, "apiKeyId", address, method, path, status, code, "durationMs",
      "requestBody", "responseBody", "createdAt"
    FROM json_to_recordset(${JSON.stringify(requests)}::json) AS r(id text, "requestId" text, "merchantAccountId" text,
      environment text, "apiKeyId" text, address text, method text, path text, status int, code text, "durationMs" int,
      "requestBody" jsonb, "responseBody" jsonb, "createdAt" timestamptz)`;
}

/** A row as Prisma Client reads it; the reader checks the bodies. */
export type StoredRequest = Omit<RequestLogEntry, 'id' | 'requestBody' | 'responseBody'> & {
  readonly requestBody: unknown;
  readonly responseBody: unknown;
};

/** A logged request, from a row that is called `r`. */
export const STORED_REQUEST = returning<StoredRequest>({
  requestId: text,
  merchantAccountId: text,
  environment: text,
  apiKeyId: text,
  address: text,
  method: text,
  path: text,
  status: integer,
  code: nullable(text),
  durationMs: integer,
  requestBody: unknownJson,
  responseBody: unknownJson,
  createdAt: timestamp,
})`
  r.request_id AS "requestId", r.merchant_account_id AS "merchantAccountId", r.environment,
  r.api_key_id AS "apiKeyId", r.address, r.method, r.path, r.status, r.code, r.duration_ms AS "durationMs",
  r.request_body AS "requestBody", r.response_body AS "responseBody", r.created_at AS "createdAt"`;

export interface RequestFilter extends CreationTimes {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly path?: string | undefined;
}

/** The list of an account's logged requests. */
export function accountRequests(
  scope: Pick<AccountScope, 'merchantAccountId'>,
  { status, code, path, ...times }: RequestFilter,
): ListedRows {
  const account = ofAccount(scope);
  return {
    table: 'request_log',
    scope: [account],
    // Clients may choose ids, and use one again: a list goes on after the oldest of these requests, so that it ends.
    namedBy: 'request_id',
    conditions: [
      account,
      ...withValues({ code, path }),
      ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
      ...createdBetween(times),
    ],
    order: NEWEST_FIRST,
  };
}

/** The latest of an account's requests with an id of the client, who may use one again, or the one with an id of the engine. */
export function selectRequest(requestId: string, scope: AccountScope): Statement<StoredRequest> {
  return returning(STORED_REQUEST.columns)`
    SELECT ${STORED_REQUEST.sql} FROM (
      (SELECT * FROM request_log r WHERE id = ${requestId} AND ${isOfScope(scope, 'r')} LIMIT 1)
      UNION ALL
      (SELECT * FROM request_log r WHERE request_id = ${requestId} AND ${isOfScope(scope, 'r')}
        ORDER BY created_at DESC LIMIT 1)
    ) r LIMIT 1`;
}
