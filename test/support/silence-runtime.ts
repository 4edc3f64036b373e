import { DefaultLogger, Runtime } from '@temporalio/worker';

let isInstalled = false;

/** Has the workers of this process log errors only; they share one runtime, which can be installed once. */
export function silenceRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  const logging = { filter: { core: 'ERROR' as const, other: 'ERROR' as const }, forward: {} };
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
}
