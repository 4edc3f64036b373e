import type { Database } from '../client.ts';

/** Whether the stray charge of an attempt has not ended yet. */
export async function isStrayChargePending(database: Database, attemptId: string): Promise<boolean> {
  const [row] = await database.direct.query<{ isPending: boolean }[]>`
    SELECT EXISTS (SELECT FROM stray_charge WHERE attempt_id = ${attemptId} AND status = 'pending') AS "isPending"`;
  return row?.isPending ?? false;
}
