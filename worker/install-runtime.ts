import { createServer } from 'node:net';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { SECOND_MS } from '../domain/time.ts';

const READ_WITHIN_MS = 2 * SECOND_MS;
type ReadMetrics = () => Promise<string>;

/** Another process may take the port between the search for a free one and the installation. */
const INSTALL_TRIES = 3;

/**
 * Installs Temporal's runtime, whose warnings and errors go to the log. It is native code, and exports its metrics itself, on a
 * free port of this machine.
 * @returns a function that reads the metrics, in the text format of Prometheus
 */
export async function installRuntime(
  logger: Logger,
  { isMeasured }: { readonly isMeasured: boolean },
): Promise<ReadMetrics> {
  const options = { shutdownSignals: [], logger: temporalLogger(logger) };
  if (!isMeasured) {
    Runtime.install(options);
    return () => Promise.resolve('');
  }
  for (let tries = 1; ; tries += 1) {
    const bindAddress = `127.0.0.1:${await findFreePort()}`;
    const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
    const metrics = { attachServiceName: false, prometheus: { bindAddress, ...names } };
    try {
      Runtime.install({ ...options, telemetryOptions: { metrics } });
      return () => readFrom(bindAddress);
    } catch (error) {
      if (tries === INSTALL_TRIES) throw error;
    }
  }
}

async function readFrom(address: string): Promise<string> {
  const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(READ_WITHIN_MS) });
  return response.text();
}

/** Logs errors of Temporal's SDK under `err`, the only name under which pino writes the message of an error. */
export function temporalLogger(logger: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    const write = level === 'ERROR' ? logger.error : logger.warn;
    const { error, ...fields } = meta ?? {};
    write.call(logger, error === undefined ? fields : { ...fields, err: error as unknown }, message);
  });
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
