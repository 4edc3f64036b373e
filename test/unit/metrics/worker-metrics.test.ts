import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { Registry } from 'prom-client';
import { PROVIDER_KIND_NAMES } from '../../../domain/provider-account.ts';
import { createAlertMetrics, createReconciliationMetrics } from '../../../metrics/worker-metrics.ts';

/** The values of a label in the series of a counter that are there before anything is counted. */
async function valuesAtStart(registry: Registry, name: string, label: string): Promise<readonly string[]> {
  const series = (await registry.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));
  for (const line of series) assert.match(line, / 0$/, line);
  const values = series.flatMap((line) => new RegExp(`${label}="(\\w+)"`).exec(line)?.[1] ?? []);
  return [...new Set(values)].sort();
}

/** A counter that begins at 1 has no increase that a rule could see. */
describe('the counters of a worker that rules watch begin at 0', () => {
  it('for every alert that the manual names', async () => {
    const [, section = ''] = readFileSync('docs/operations/monitoring.md', 'utf8').split('## Alerts\n');
    const [table = ''] = section.split('\n## ');
    const named = [...table.matchAll(/^\| `([A-Z_]+)`/gm)].flatMap(([, alert]) => alert ?? []);
    const registry = new Registry();
    createAlertMetrics(registry);
    assert.deepEqual(await valuesAtStart(registry, 'payment_engine_alerts_total', 'alert'), named.sort());
  });

  it('for the reconciliations of every provider of the settings, and of every kind that merchants have accounts at', async () => {
    const registry = new Registry();
    createReconciliationMetrics(registry, [{ name: 'alpha' }]);
    for (const name of ['differences', 'runs']) {
      const counter = `payment_engine_reconciliation_${name}_total`;
      assert.deepEqual(await valuesAtStart(registry, counter, 'provider'), ['alpha', ...PROVIDER_KIND_NAMES].sort());
    }
  });
});
