import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { distOf } from '../sandbox/stack/project.ts';
import { DEPLOYMENT_NAME } from '../workflow-client/worker-versions.ts';

/** A run of a workflow, and the version of the workflow code that it is pinned to. */
export interface VersionedRun {
  readonly workflowId: string;
  readonly startedAtMs: number;
  readonly buildId: string;
}

/** Names the version of the workflow code of a built release. @param release its folder; this one's otherwise */
export function readBuildId(release?: string): Promise<string> {
  return readFile(path.join(distOf(release), 'workflow-build-id'), 'utf8');
}

/** The runs of some versions, from Temporal's list. */
export async function readVersionedRuns(
  temporal: Client,
  buildIds: readonly string[],
): Promise<readonly VersionedRun[]> {
  const runs: VersionedRun[] = [];
  for (const buildId of buildIds) {
    for await (const { workflowId, startTime } of temporal.workflow.list({ query: pinnedTo(buildId) })) {
      runs.push({ workflowId, startedAtMs: startTime.getTime(), buildId });
    }
  }
  return runs;
}

/** How many runs of a version have not ended. */
export async function countOpenRuns(temporal: Client, buildId: string): Promise<number> {
  return (await temporal.workflow.count(`${pinnedTo(buildId)} AND ExecutionStatus = 'Running'`)).count;
}

function pinnedTo(buildId: string): string {
  return `BuildIds IN ('pinned:${DEPLOYMENT_NAME}:${buildId}')`;
}
