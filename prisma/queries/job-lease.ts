import { Prisma } from '../generated/client.ts';
import { returning, text } from '../connection/statement.ts';

export interface JobLeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly durationMs: number;
}

/** Takes a free lease, or extends the holder's own; returns no row if another worker holds it. */
export function takeJobLease({ name, holder, durationMs }: JobLeaseRequest) {
  return returning({ holder: text })`
    INSERT INTO job_lease AS held (name, holder, expires_at)
    VALUES (${name}, ${holder}, clock_timestamp() + ${durationMs}::float8 * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE held.holder = excluded.holder OR held.expires_at <= clock_timestamp()
    RETURNING held.holder`;
}

/** Releases a lease, if this worker holds it. */
export function releaseJobLease({ name, holder }: Pick<JobLeaseRequest, 'name' | 'holder'>): Prisma.Sql {
  return Prisma.sql`DELETE FROM job_lease WHERE name = ${name} AND holder = ${holder}`;
}
