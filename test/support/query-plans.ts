import type pg from 'pg';
import { z } from 'zod';
import type { Database } from '../../prisma/connection/client.ts';
import type { DirectStatements } from '../../prisma/connection/direct-statements.ts';
import { Prisma } from '../../prisma/generated/client.ts';

/** A step of a plan as PostgreSQL explains it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  /** Which entries of the index are read; absent where all of them are. */
  readonly 'Index Cond'?: string | undefined;
  /** Rows that each execution of the step gives; these and the next are there only if the statement was executed. */
  readonly 'Actual Rows'?: number | undefined;
  readonly 'Actual Loops'?: number | undefined;
  readonly 'Rows Removed by Filter'?: number | undefined;
  readonly 'Rows Removed by Join Filter'?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Index Cond': z.string().optional(),
    'Actual Rows': z.number().optional(),
    'Actual Loops': z.number().optional(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Join Filter': z.number().optional(),
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
async function planOf(database: Pick<Database, '$queryRaw'>, statement: Prisma.Sql): Promise<PlanNode[]> {
  const [row] = explained.parse(await database.$queryRaw(Prisma.sql`EXPLAIN (FORMAT JSON) ${statement}`));
  return stepsOf(row['QUERY PLAN'][0].Plan);
}

/** Executes a statement, to be rolled back. @returns the plan nodes with the rows that they gave */
export async function executedPlanOf(client: pg.Client, { text, values }: Prisma.Sql): Promise<PlanNode[]> {
  const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING off, FORMAT JSON) ${text}`, values);
  const [row] = explained.parse(rows);
  return stepsOf(row['QUERY PLAN'][0].Plan);
}

/** The rows that a step of an executed plan has read; PostgreSQL does not tell those that the condition of an index passes over. */
export function rowsReadBy(node: PlanNode): number {
  const { 'Actual Rows': given = 0, 'Rows Removed by Filter': filtered = 0 } = node;
  const { 'Rows Removed by Join Filter': unmatched = 0, 'Actual Loops': loops = 1 } = node;
  return (given + filtered + unmatched) * loops;
}

function stepsOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(stepsOf)];
}
