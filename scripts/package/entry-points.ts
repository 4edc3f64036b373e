/** What an operator starts, and what these load by its path. */
export const ENTRY_POINTS: readonly string[] = [
  'api/main',
  'gateway/main',
  'worker/main',
  'worker/failure-converter',
  'dashboard/main',
  'sandbox/simulator/main',
  'scripts/card-key',
  'scripts/codec-server',
  'scripts/compose-databases',
  'scripts/compose-secrets',
  'scripts/doctor',
  'scripts/healthcheck',
  'scripts/merchant',
  'scripts/migrate',
  'scripts/reconcile',
  'scripts/rewrap',
];
