import { execFile } from 'node:child_process';
import path from 'node:path';
import type { ReconciliationProgress } from '../../domain/reconciliation.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { createReconciliations } from '../../workflow-client/reconciliations.ts';
import { withTemporal } from './temporal-view.ts';

/** Has the running engine compare what a provider lists from that time until now. */
export function reconcileNow(provider: string, from: Date): Promise<ReconciliationProgress> {
  const window = { from: from.toISOString(), to: new Date().toISOString() };
  return withTemporal(async (client) => {
    const { result } = await createReconciliations(client).start({ provider, ...window });
    return result();
  });
}

/** Runs `npm run reconcile` on the engine of a data folder; `stdout` is its report as JSON. */
export function runReconcile(
  dataDir: string,
  args: readonly string[],
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const program = path.join(DIST_DIR, 'scripts', 'reconcile.js');
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args, '--json'], { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number' && stdout !== '') resolve({ exitCode: code, stdout, stderr });
      else reject(new Error(`${String(code)}: ${stderr}`));
    });
  });
}
