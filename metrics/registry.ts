import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { PoolState } from '../prisma/connection/client.ts';

/** Longer than the default of 10 ms, which wakes an idle process a hundred times a second. */
const EVENT_LOOP_SAMPLE_MS = 100;

/**
 * The metrics of one process: those of Node.js and of its pools of database connections.
 * @param pools the state of each pool, by the pool's name
 */
export function createMetricsRegistry(pools: Readonly<Record<string, () => PoolState>>): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  for (const [name, help, read] of POOL_GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, stateOf] of Object.entries(pools)) this.set({ pool }, read(stateOf()));
      },
    });
  }
  return registry;
}

const POOL_GAUGES: readonly (readonly [name: string, help: string, read: (state: PoolState) => number])[] = [
  ['payment_engine_database_connections', 'Open connections to PostgreSQL', ({ open }) => open],
  ['payment_engine_database_connections_idle', 'Open connections that nothing uses', ({ idle }) => idle],
  ['payment_engine_database_connections_max', 'Connections that the pool may open', ({ limit }) => limit],
  ['payment_engine_database_waiting', 'Statements that wait for a connection', ({ waiting }) => waiting],
];

/** Seconds. From a read of one row to the longest wait for an outcome. */
export const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
