import type { Stack } from '../sandbox/stack/stack.ts';

/** The process ids of the engine, by their names in tables. */
export function enginePids(stack: Stack, loadPid: number): Readonly<Record<string, number>> {
  return {
    API: stack.pidOf('api') ?? 0,
    worker: stack.pidOf('worker') ?? 0,
    Temporal: stack.pidOf('temporal') ?? 0,
    simulator: stack.pidOf('simulator-alpha') ?? 0,
    PostgreSQL: stack.pidOf('postgres') ?? 0,
    'load generator': loadPid,
  };
}
