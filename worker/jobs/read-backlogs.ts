import { ENVIRONMENTS } from '../../domain/payment.ts';
import type { Database } from '../../prisma/connection/client.ts';
import {
  ANY_ENVIRONMENT,
  type Backlog,
  BACKLOG_NAMES,
  type BacklogName,
  hasEnvironment,
  selectBacklog,
} from '../../prisma/queries/backlog.ts';

/** Reads all backlogs, one after the other: the numbers are for people, who can wait. Empty ones have a count of 0. */
export async function readBacklogs(database: Pick<Database, 'direct'>): Promise<readonly Backlog[]> {
  const backlogs: Backlog[] = [];
  for (const backlog of BACKLOG_NAMES) backlogs.push(...(await readBacklog(database, backlog)));
  return backlogs;
}

async function readBacklog({ direct }: Pick<Database, 'direct'>, backlog: BacklogName): Promise<readonly Backlog[]> {
  const rows = await direct.rows(selectBacklog(backlog));
  const found = new Map(rows.map((row) => [row.environment, row]));
  const environments = hasEnvironment(backlog) ? ENVIRONMENTS : [ANY_ENVIRONMENT];
  return environments.map((environment) => ({
    backlog,
    environment,
    count: found.get(environment)?.count ?? 0,
    oldestSeconds: found.get(environment)?.oldestSeconds ?? 0,
  }));
}
