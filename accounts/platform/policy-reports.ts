import type { z } from 'zod';
import type { platformPolicyReportResource } from '../../contract/schemas/platform.ts';
import { isSerious } from '../../domain/policy-report.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { sumPolicyReports } from '../../prisma/queries/policy-report.ts';
import { type CountedPage, type PageRequest, slicePage } from '../lists.ts';

/** More than the processes keep apart of some days. */
const MAXIMUM_SHOWN = 1_000;

type Resource = z.infer<typeof platformPolicyReportResource>;

/** One page of what browsers have reported, the latest first. */
export async function listPolicyReports(database: Database, page: PageRequest): Promise<CountedPage<Resource>> {
  const rows = await database.direct.rows(sumPolicyReports(MAXIMUM_SHOWN));
  const reports = rows.map(({ lastAt, ...row }): Resource => ({
    id: `${row.page}:${row.directive}:${row.blocked}`,
    object: 'platform_policy_report',
    isSerious: isSerious(row),
    ...row,
    lastAt: lastAt.toISOString(),
  }));
  return slicePage(reports, page, ({ id }) => id);
}
