import { Prisma } from '../generated/client.ts';
import { integer, returning, text, timestamp } from '../connection/statement.ts';

/** Equal reports of browsers. */
export interface CountedReport {
  readonly page: string;
  readonly directive: string;
  readonly blocked: string;
  readonly reports: number;
  /** ISO 8601. */
  readonly lastAt: string;
}

/** Adds reports to those of their day. */
export function addPolicyReports(reports: readonly CountedReport[]): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO policy_report AS p (day, page, directive, blocked, reports, last_at)
    SELECT ("lastAt" AT TIME ZONE 'UTC')::date, page, directive, blocked, reports, "lastAt"
    FROM json_to_recordset(${JSON.stringify(reports)}::json)
      AS r(page text, directive text, blocked text, reports int, "lastAt" timestamptz)
    ORDER BY page, directive, blocked
    ON CONFLICT (day, page, directive, blocked) DO UPDATE SET
      reports = p.reports + excluded.reports, last_at = GREATEST(p.last_at, excluded.last_at)`;
}

/** Rows in which reports are summed up. */
const MAXIMUM_READ = 3_000;

/** The reports of the days that are kept, or of the latest of them where there are very many, the latest first. */
export function sumPolicyReports(limit: number) {
  return returning({
    page: text,
    directive: text,
    blocked: text,
    reports: integer,
    firstDay: text,
    lastAt: timestamp,
  })`
    SELECT page, directive, blocked, LEAST(sum(reports), 2147483647)::int AS reports, min(day)::text AS "firstDay",
      max(last_at) AS "lastAt"
    FROM (SELECT * FROM policy_report ORDER BY policy_report.last_at DESC LIMIT ${MAXIMUM_READ}) AS latest
    GROUP BY page, directive, blocked
    ORDER BY "lastAt" DESC, page, directive, blocked LIMIT ${limit}`;
}
