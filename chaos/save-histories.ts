import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Finding } from './report.ts';

/** Enough to find a cause; a failure may concern every payment. */
const HISTORIES_AT_MOST = 20;

/** Writes the histories of the payments with problems to a new folder, from where they can be replayed. Resolves with the folder. */
export async function saveHistories(temporal: Client, findings: readonly Finding[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chaos-histories-'));
  const ids = new Set(findings.flatMap(({ problems }) => problems.map(({ intentId }) => intentId)));
  const workflowIds = [...ids].filter((id) => id !== null).slice(0, HISTORIES_AT_MOST);
  for (const workflowId of workflowIds) {
    const history = await temporal.workflow.getHandle(workflowId).fetchHistory();
    await writeFile(path.join(folder, `${workflowId}.json`), historyToJSON(history));
  }
  return folder;
}
