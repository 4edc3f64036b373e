import type { PaymentChange } from '../domain/payment-change.ts';
import type { Database } from '../prisma/client.ts';
import { changeStatement } from './change-statement.ts';
import { type KnownPayment, readRowAhead, requireLost } from './lost-steps.ts';

/**
 * Writes one step of a payment in one statement. Applies to `fromVersion` only, so that a repeat changes nothing.
 *
 * A worker may die after its steps were written and before the workflow's history knows of them. If the workflow then
 * takes another decision, because a request came in between, that later decision replaces the lost ones, unless they may
 * have had a provider called: then another run has to ask there first. The row's version only ever rises, so that whoever
 * follows it gets the decision that holds last.
 * @param runId the workflow's run, which may replace what it wrote itself
 * @returns the version that the step has given the row
 * @throws ApplicationFailure of the type `RECORD_OVERTAKEN` when another run has gone on with the payment, or has to
 */
export async function recordChange(database: Database, change: PaymentChange, runId: string): Promise<number> {
  const { fromVersion, paymentIntentId } = change;
  if ((await database.direct.execute(changeStatement(change, runId))) > 0) return fromVersion + 1;
  const known: KnownPayment = { ...change, summary: change.timeline.at(-1)?.summary ?? '' };
  const row = await readRowAhead(database, known, runId);
  if (row === undefined) throw new Error(`${paymentIntentId}: there is no row of version ${fromVersion}`);
  const isTold = row.toldAt !== null && (row.toldAt < row.version || row.matches);
  if (row.own && isTold && !row.contradicts) return row.toldAt;
  requireLost(known, row);
  const replaced = await database.direct.execute(changeStatement(change, runId, { known, row }));
  if (replaced === 0) throw new Error(`${paymentIntentId}: somebody else has written version ${row.version}`);
  return row.version + 1;
}
