import { DefaultLogger, type LogEntry, Runtime } from '@temporalio/worker';

let isInstalled = false;

/** Makes the workers of this process log only errors; they share one runtime, which can be installed once. */
export function silenceRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  const logging = { filter: { core: 'ERROR' as const, other: 'ERROR' as const }, forward: {} };
  Runtime.install({ logger: new DefaultLogger('ERROR', print), telemetryOptions: { logging } });
}

/** Alerts are what tests send. */
function print({ message, meta }: LogEntry): void {
  if (meta?.alert === undefined) console.error(message, meta);
}
