import { attemptIdOfStrayCharge } from '../../domain/ids.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { makeDue } from '../../prisma/queries/due.ts';

/** Makes the sweepers check the rows of workflows now. Webhooks are found by their overdue attempt (`start-deliveries.ts`). */
export async function makeRowsDue({ direct }: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await direct.execute(makeDue('payment_intent', ids));
  await direct.execute(makeDue('refund', ids));
  await direct.execute(makeDue('dispute', ids));
  const strayAttempts = ids.flatMap((id) => attemptIdOfStrayCharge(id) ?? []);
  if (strayAttempts.length > 0) await direct.execute(makeDue('stray_charge', strayAttempts));
}
