import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/client.ts';

/** How long what is needed may take to answer a probe. */
export const READINESS_TIMEOUT_MS = 2 * SECOND_MS;

/** Rejects when the database does not answer in time, or was never migrated: such a one answers, but serves no request. */
export async function checkDatabase(database: Database): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), READINESS_TIMEOUT_MS);
  });
  try {
    await Promise.race([database.direct.query`SELECT 1 FROM event_counter LIMIT 1`, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
