import type { Bench, Benchmark, Figure } from '../benchmark.ts';
import { benchmarkExportIsolation, benchmarkReplayIsolation } from './bulk.ts';
import { benchmarkDeadEndpoints } from './dead-endpoints.ts';
import { benchmarkSweepIsolation } from './due.ts';
import { benchmarkProviderIsolation } from './hanging-provider.ts';
import { benchmarkWebhookIsolation } from './webhooks.ts';

/** What one merchant's trouble costs another: `isolation CASE` runs one by itself, each on an engine of its own. */
export const ISOLATION_CASES = {
  webhooks: benchmarkWebhookIsolation,
  'dead-endpoints': benchmarkDeadEndpoints,
  sweeps: benchmarkSweepIsolation,
  provider: benchmarkProviderIsolation,
  exports: benchmarkExportIsolation,
  replays: benchmarkReplayIsolation,
} satisfies Readonly<Record<string, Benchmark>>;

/** All of them, one after the other; it takes about fifteen minutes. */
export async function benchmarkIsolation(bench: Bench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const benchmark of Object.values(ISOLATION_CASES)) figures.push(...(await benchmark(bench)));
  return figures;
}
