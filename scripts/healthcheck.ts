import { SECOND_MS } from '../domain/time.ts';

const ANSWERS_WITHIN_MS = 5 * SECOND_MS;
const API_PORT = '3000';

/**
 * `node dist/scripts/healthcheck.js [PORT] [PATH]`: whether the process that listens there is ready. The exit code says it; an
 * image has no other program that could ask.
 */
const [port = API_PORT, path = '/readyz'] = process.argv.slice(2);
try {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  if (!response.ok) throw new Error(`it answers ${response.status}`);
} catch (error) {
  console.error(`Port ${port}, ${path}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
