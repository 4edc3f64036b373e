import { z } from 'zod';
import type { Database } from '../../prisma/client.ts';
import type { DirectStatements } from '../../prisma/direct-statements.ts';
import { Prisma } from '../../prisma/generated/client.ts';

/** A step of a plan as PostgreSQL explains it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  /** Which entries of the index are read; absent where all of them are. */
  readonly 'Index Cond'?: string | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Index Cond': z.string().optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: planNode })]) })]);

/** Runs the work. @returns the plan nodes of each SELECT that it executed */
export async function queryPlansOf(
  database: Database,
  work: (database: Database) => Promise<unknown>,
): Promise<PlanNode[]> {
  const selects: Prisma.Sql[] = [];
  const note = (statement: Prisma.Sql): void => {
    if (!statement.sql.trimStart().startsWith('EXPLAIN')) selects.push(statement);
  };
  const direct: DirectStatements = {
    ...database.direct,
    rows(statement) {
      note(statement.sql);
      return database.direct.rows(statement);
    },
    row(statement) {
      note(statement.sql);
      return database.direct.row(statement);
    },
  };
  await work(new Proxy(database, { get: (target, name) => (name === 'direct' ? direct : Reflect.get(target, name)) }));
  const plans = await Promise.all(selects.map((select) => planOf(database, select)));
  return plans.flat();
}

/** @returns the plan nodes of a statement, which is not executed */
export async function planOf(database: Pick<Database, '$queryRaw'>, statement: Prisma.Sql): Promise<PlanNode[]> {
  const [row] = explained.parse(await database.$queryRaw(Prisma.sql`EXPLAIN (FORMAT JSON) ${statement}`));
  return stepsOf(row['QUERY PLAN'][0].Plan);
}

function stepsOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(stepsOf)];
}
