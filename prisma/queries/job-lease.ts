// Raw, because whether the lease is free is decided by the statement that takes it, at the time of the database.
import { Prisma } from '../generated/client.ts';
import { returning, text } from '../statement.ts';

export interface JobLeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly durationMs: number;
}

/** Takes a lease that is free, or extends one's own; no row where somebody else holds it. */
export function takeJobLease({ name, holder, durationMs }: JobLeaseRequest) {
  return returning({ holder: text })`
    INSERT INTO job_lease AS held (name, holder, expires_at)
    VALUES (${name}, ${holder}, clock_timestamp() + ${durationMs}::float8 * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE held.holder = excluded.holder OR held.expires_at <= clock_timestamp()
    RETURNING held.holder`;
}

/** Gives a lease back, if it is one's own. */
export function releaseJobLease({ name, holder }: Pick<JobLeaseRequest, 'name' | 'holder'>): Prisma.Sql {
  return Prisma.sql`DELETE FROM job_lease WHERE name = ${name} AND holder = ${holder}`;
}
