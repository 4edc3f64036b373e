import type { z } from 'zod';
import type { Database } from '../../prisma/client.ts';
import type { ProviderHealth } from '../../prisma/generated/client.ts';
import { platformCircuitResource } from '../../contract/schemas/platform.ts';
import { type CountedPage, type PageRequest, slicePage } from '../lists.ts';

const { environment: environments } = platformCircuitResource.shape;

/** One page of the circuit breakers, those that fail first, and how many there are: a few for each provider. */
export async function listCircuits(database: Database, page: PageRequest): Promise<CountedPage<ProviderHealth>> {
  const rows = await database.providerHealth.findMany({
    orderBy: [{ failingSince: { sort: 'asc', nulls: 'last' } }, { provider: 'asc' }, { environment: 'asc' }],
  });
  return slicePage(rows, page, idOf);
}

function idOf({ environment, provider }: Pick<ProviderHealth, 'environment' | 'provider'>): string {
  return `${environment}:${provider}`;
}

/** The circuit breaker as the console shows it. */
export function presentCircuit(row: ProviderHealth): z.infer<typeof platformCircuitResource> {
  const { provider, consecutiveFailures, openUntil, failingSince } = row;
  const environment = environments.parse(row.environment);
  return {
    id: idOf(row),
    object: 'platform_circuit',
    provider,
    environment,
    consecutiveFailures,
    openUntil: openUntil !== null && openUntil > new Date() ? openUntil.toISOString() : null,
    failingSince: failingSince?.toISOString() ?? null,
  };
}
