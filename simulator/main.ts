import { readSimulatorConfig } from '../config.ts';
import { startSimulator } from './server.ts';

try {
  const config = readSimulatorConfig();
  const simulator = await startSimulator(config);
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
  if ('code' in error && error.code === 'EADDRINUSE') return `The port is in use: ${error.message}`;
  return error.message;
}
