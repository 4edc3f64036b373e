import type { z } from 'zod';
import { HOUR_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { ProviderHealth } from '../../prisma/generated/client.ts';
import { HEALTH_HOURS, selectAttemptsByHour, selectAttemptTimesByHour } from '../../prisma/queries/provider-health.ts';
import type { RowOf } from '../../prisma/connection/statement.ts';
import { ApiError } from '../../domain/api-error.ts';
import { platformProviderHealthResource } from '../../contract/schemas/platform.ts';

export type PlatformProviderHealth = z.infer<typeof platformProviderHealthResource>;
type Counts = RowOf<ReturnType<typeof selectAttemptsByHour>>;
type Times = RowOf<ReturnType<typeof selectAttemptTimesByHour>>;

const { environment: environments } = platformProviderHealthResource.shape;

interface Found {
  readonly circuit: ProviderHealth | undefined;
  readonly counts: readonly Counts[];
  readonly times: readonly Times[];
}

/**
 * The health of every provider over all merchants: of those that got attempts within the last 24 hours, and those that ever failed.
 * First those that give no answer now, the longest first, then those with the most attempts.
 */
export async function readHealthOfAll(database: Database): Promise<readonly PlatformProviderHealth[]> {
  const [circuits, counts, times] = await Promise.all([
    database.providerHealth.findMany(),
    database.direct.rows(selectAttemptsByHour()),
    database.direct.rows(selectAttemptTimesByHour()),
  ]);
  const now = new Date();
  const places = new Map([...circuits, ...counts, ...times].map((row) => [idOf(row), row]));
  return [...places.entries()]
    .map(([id, { environment, provider }]) => {
      const isHere = (row: { readonly environment: string; readonly provider: string }) => idOf(row) === id;
      const found = { circuit: circuits.find(isHere), counts: counts.filter(isHere), times: times.filter(isHere) };
      return present({ id, environment: environments.parse(environment), provider }, found, now);
    })
    .toSorted(compareHealth);
}

/** @param id environment and provider @throws ApiError `RESOURCE_NOT_FOUND` */
export async function readHealthOfOne(database: Database, id: string): Promise<PlatformProviderHealth> {
  const found = (await readHealthOfAll(database)).find((each) => each.id === id);
  if (found === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
  return found;
}

function idOf({ environment, provider }: { readonly environment: string; readonly provider: string }): string {
  return `${environment}:${provider}`;
}

function compareHealth(one: PlatformProviderHealth, other: PlatformProviderHealth): number {
  const sinceOf = ({ failingSince }: PlatformProviderHealth) => failingSince ?? '~';
  if (sinceOf(one) !== sinceOf(other)) return sinceOf(one) < sinceOf(other) ? -1 : 1;
  return other.attempts - one.attempts || (one.id < other.id ? -1 : 1);
}

function present(
  place: Pick<PlatformProviderHealth, 'id' | 'environment' | 'provider'>,
  { circuit, counts, times }: Found,
  now: Date,
): PlatformProviderHealth {
  const { consecutiveFailures = 0, openUntil = null, failingSince = null } = circuit ?? {};
  return {
    object: 'platform_provider_health',
    ...place,
    ...countsIn(counts),
    latency: latencyIn(times.find(({ startsAt }) => startsAt === null)),
    consecutiveFailures,
    openUntil: openUntil !== null && openUntil > now ? openUntil.toISOString() : null,
    failingSince: failingSince?.toISOString() ?? null,
    hours: hoursUntil(now).map((startsAt) => ({
      startsAt: startsAt.toISOString(),
      ...countsIn(counts.filter((row) => row.startsAt.getTime() === startsAt.getTime())),
      latency: latencyIn(times.find((row) => row.startsAt?.getTime() === startsAt.getTime())),
    })),
  };
}

/** The beginnings of the hours, the latest first. */
function hoursUntil(now: Date): readonly Date[] {
  const present = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HEALTH_HOURS }, (_, index) => new Date(present - index * HOUR_MS));
}

function countsIn(counts: readonly Counts[]) {
  const sum = (name: 'attempts' | 'approved' | 'unanswered') =>
    counts.reduce((total, row) => total + Number(row[name]), 0);
  return { attempts: sum('attempts'), approved: sum('approved'), unanswered: sum('unanswered') };
}

function latencyIn(times: Times | undefined): PlatformProviderHealth['latency'] {
  return times === undefined ? null : { medianMs: Math.round(times.medianMs), p95Ms: Math.round(times.p95Ms) };
}
