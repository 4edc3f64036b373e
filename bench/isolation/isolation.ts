import type { Bench, Benchmark, Figure } from '../benchmark.ts';
import { benchmarkBulkIsolation } from './bulk.ts';
import { benchmarkSweepIsolation } from './due.ts';
import { benchmarkProviderIsolation } from './hanging-provider.ts';
import { benchmarkWebhookIsolation } from './webhooks.ts';

/** What one merchant's trouble costs another: each row runs by itself, on an engine of its own. */
export const ISOLATION_BENCHMARKS = {
  'isolation-webhooks': benchmarkWebhookIsolation,
  'isolation-sweeps': benchmarkSweepIsolation,
  'isolation-provider': benchmarkProviderIsolation,
  'isolation-bulk': benchmarkBulkIsolation,
} satisfies Readonly<Record<string, Benchmark>>;

/** All of them, one after the other; it takes about ten minutes. */
export async function benchmarkIsolation(bench: Bench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const benchmark of Object.values(ISOLATION_BENCHMARKS)) figures.push(...(await benchmark(bench)));
  return figures;
}
