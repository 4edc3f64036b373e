import type { DirectStatements } from '../../prisma/connection/direct-statements.ts';

/** A statement that is about to be run. */
export interface NextStatement {
  /** From 0. */
  readonly number: number;
  readonly sql: string;
}

/**
 * The statements of a process that is stopped once, before one of them, and goes on when something else has happened.
 * @param isStop whether to stop before this statement
 */
export function stopBefore(
  direct: DirectStatements,
  isStop: (next: NextStatement) => boolean,
  meanwhile: () => Promise<void>,
): { readonly direct: DirectStatements; readonly hasStopped: () => boolean } {
  let made = 0;
  let hasStopped = false;
  const reach = async (sql: string): Promise<void> => {
    const number = made;
    made += 1;
    if (hasStopped || !isStop({ number, sql })) return;
    hasStopped = true;
    await meanwhile();
  };
  const stopped: DirectStatements = {
    async rows(statement) {
      await reach(statement.sql.sql);
      return await direct.rows(statement);
    },
    async row(statement) {
      await reach(statement.sql.sql);
      return await direct.row(statement);
    },
    async rowsLocked(lock, statement) {
      await reach(statement.sql.sql);
      return await direct.rowsLocked(lock, statement);
    },
    async execute(statement) {
      await reach(statement.sql);
      return await direct.execute(statement);
    },
  };
  return { direct: stopped, hasStopped: () => hasStopped };
}
