import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';

/** Notes which intents' workflows are known to run, so that nobody has to look after them. */
export interface StartMarks {
  /** Notes one; it is written soon, with others. Where that fails, the sweeper starts the workflow again, which changes nothing. */
  note(paymentIntentId: string): void;
  /** Writes what is left. The database is not to be closed before. */
  close(): Promise<void>;
}

/** Well before the sweeper looks after intents without a mark. */
const WRITE_AFTER_MS = 200;
/** More than come together in that time; those beyond are left to the sweeper. */
const MAXIMUM_WAITING = 1_000;

/** Writes the marks of many intents in one statement: each alone would cost as much as a step of its payment. */
export function createStartMarks(database: Database, logger: Logger): StartMarks {
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let lastWrite = Promise.resolve();

  const write = async (): Promise<void> => {
    timer = undefined;
    const ids = waiting;
    waiting = [];
    if (ids.length === 0) return;
    try {
      await database.direct.execute`
        UPDATE payment_intent SET workflow_started_at = now()
        WHERE id = ANY(${ids}::text[]) AND workflow_started_at IS NULL`;
    } catch (err) {
      logger.warn({ err, intents: ids.length }, 'could not note that workflows were started');
    }
  };

  return {
    note(paymentIntentId) {
      if (waiting.length >= MAXIMUM_WAITING) return;
      waiting.push(paymentIntentId);
      timer ??= setTimeout(() => {
        lastWrite = write();
      }, WRITE_AFTER_MS);
    },
    async close() {
      clearTimeout(timer);
      await Promise.all([lastWrite, write()]);
    },
  };
}
