import { readSimulatorConfig } from '../../config/sandbox.ts';
import { warnOfReach } from '../warn-of-reach.ts';
import { startSimulator } from './server.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Its port is in use: stop what listens there or choose another SIMULATOR_PORT.',
  EACCES: 'It may not use its port or its data file: change SIMULATOR_PORT, SIMULATOR_DATA_FILE or the permissions.',
  EROFS: 'The disk is read-only: choose another SIMULATOR_DATA_FILE.',
  ENOSPC: 'The disk is full: make room or choose another SIMULATOR_DATA_FILE.',
};

try {
  const config = readSimulatorConfig();
  const simulator = await startSimulator(config);
  warnOfReach('SIMULATOR_HOST', config.host, 'whoever has the key of the simulator decides how its payments end');
  const drain = () => {
    void simulator.close().then(() => process.exit(0), fail);
  };
  process.once('SIGTERM', drain);
  process.once('SIGINT', drain);
  process.stdout.write(`simulator ${config.name} listening on ${simulator.url}\n`);
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const remedy = 'code' in error && typeof error.code === 'string' ? REMEDIES[error.code] : undefined;
  return remedy === undefined ? error.message : `The simulator cannot run. ${remedy} (${error.message})`;
}
