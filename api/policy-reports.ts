import { Router } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ApiError } from '../domain/api-error.ts';
import {
  isSerious,
  POLICY_PAGES,
  type PolicyPage,
  type PolicyViolation,
  violationOf,
} from '../domain/policy-report.ts';
import { SECOND_MS } from '../domain/time.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { createPageLimit, type PageLimitDependencies } from '../http/rate-limits/page-limit.ts';
import { readBody } from '../http/request-body.ts';
import { type ApiHandler, rawBodyOf } from '../http/request-context.ts';
import type { Database } from '../prisma/connection/client.ts';
import { addPolicyReports } from '../prisma/queries/policy-report.ts';

/** Below which browsers report violations of the content security policies of the pages. */
export const POLICY_REPORTS_PATH = '/policy-reports';

const MAXIMUM_BODY_BYTES = 32_768;
const REPORTS_PER_BODY = 20;
/** Different reports that a process keeps apart in a day: anybody can make them up. */
const DIFFERENT_PER_DAY = 200;
const OTHERS: PolicyViolation = { directive: 'others', blocked: 'others' };
const SERIOUS_MESSAGE = 'the policy of a payment page refused what may be a script of somebody else';
const WRITE_AFTER_MS = 10 * SECOND_MS;

/** The members of a policy by which browsers report to us. Older ones know `report-uri` alone. */
export function reportingDirectives(page: PolicyPage): readonly string[] {
  return [`report-uri ${POLICY_REPORTS_PATH}/${page}`, 'report-to policy'];
}

/** The header that says what `report-to` means. */
export function reportingHeader(page: PolicyPage): Readonly<Record<string, string>> {
  return { 'Reporting-Endpoints': `policy="${POLICY_REPORTS_PATH}/${page}"` };
}

/** Counts what browsers report, and writes it some seconds later. */
export interface PolicyReports {
  add(page: PolicyPage, violation: PolicyViolation): void;
  close(): Promise<void>;
}

interface Counted extends PolicyViolation {
  readonly page: PolicyPage;
  reports: number;
  lastAt: string;
}

/** @param onReport called for each report, for the metrics */
export function createPolicyReports(
  database: Pick<Database, 'direct'>,
  logger: Pick<Logger, 'warn'>,
  onReport: (report: { readonly page: PolicyPage; readonly isSerious: boolean }) => void,
): PolicyReports {
  const waiting = new Map<string, Counted>();
  let [day, seen] = ['', new Set<string>()];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const reports = [...waiting.values()];
    waiting.clear();
    timer = undefined;
    for (const { page, directive, blocked, reports: count } of reports.filter(isSerious)) {
      logger.warn({ page, directive, blocked, reports: count }, SERIOUS_MESSAGE);
    }
    await database.direct.execute(addPolicyReports(reports)).catch((error: unknown) => {
      logger.warn({ err: error, reports: reports.length }, 'reports of policies could not be counted');
    });
  };
  /** The violation itself, or what stands for those beyond the limit of the day. */
  const limited = (page: PolicyPage, violation: PolicyViolation): PolicyViolation => {
    const today = new Date().toISOString().slice(0, 10);
    if (today !== day) [day, seen] = [today, new Set()];
    const name = JSON.stringify([page, violation]);
    if (!seen.has(name) && seen.size >= DIFFERENT_PER_DAY) return OTHERS;
    seen.add(name);
    return violation;
  };
  return {
    add(page, violation) {
      onReport({ page, isSerious: isSerious(violation) });
      const { directive, blocked } = limited(page, violation);
      const name = JSON.stringify([page, directive, blocked]);
      const counted = waiting.get(name) ?? { page, directive, blocked, reports: 0, lastAt: '' };
      counted.reports += 1;
      counted.lastAt = new Date().toISOString();
      waiting.set(name, counted);
      timer ??= setTimeout(() => {
        writing = write();
      }, WRITE_AFTER_MS);
    },
    async close() {
      clearTimeout(timer);
      await writing;
      if (waiting.size > 0) await write();
    },
  };
}

/** What `report-uri` sends. */
const oldReport = z.object({
  'csp-report': z.looseObject({
    'effective-directive': z.unknown().optional(),
    'violated-directive': z.unknown().optional(),
    'blocked-uri': z.unknown().optional(),
  }),
});
/** What `report-to` sends, beside reports of other kinds. */
const newReports = z.array(
  z.looseObject({
    type: z.string(),
    body: z.looseObject({ effectiveDirective: z.unknown().optional(), blockedURL: z.unknown().optional() }).nullish(),
  }),
);

export interface PolicyReportDependencies extends PageLimitDependencies {
  readonly policyReports: PolicyReports;
}

/** Takes reports of browsers. Everything in them may be made up. */
export function createPolicyReportRouter(dependencies: PolicyReportDependencies): Router {
  const router = Router({ caseSensitive: true });
  const limit = createPageLimit(dependencies);
  for (const page of POLICY_PAGES) {
    const take: ApiHandler = (_request, response) => {
      for (const violation of violationsIn(rawBodyOf(response))) dependencies.policyReports.add(page, violation);
      response.status(204).end();
    };
    router
      .route(`/${page}`)
      .post(limit, readBody, take)
      .all(readBody, methodNotAllowed(['POST']));
  }
  return router;
}

/** @throws ApiError `INVALID_REQUEST` */
function violationsIn(body: Buffer): readonly PolicyViolation[] {
  const value = body.length > MAXIMUM_BODY_BYTES ? undefined : parsed(body);
  const old = oldReport.safeParse(value).data?.['csp-report'];
  if (old !== undefined) {
    const directive = old['effective-directive'] ?? old['violated-directive'];
    return [violationOf(directive, old['blocked-uri'])];
  }
  const reports = newReports.safeParse(value).data;
  if (reports === undefined) {
    throw new ApiError('INVALID_REQUEST', {
      message: `Expected reports of a content security policy in JSON, of ${MAXIMUM_BODY_BYTES} bytes at most.`,
    });
  }
  return reports
    .slice(0, REPORTS_PER_BODY)
    .filter(({ type }) => type === 'csp-violation')
    .map(({ body: violation }) => violationOf(violation?.effectiveDirective, violation?.blockedURL));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
