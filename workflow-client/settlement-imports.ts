import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { SettlementImportProgress } from '../domain/settlement.ts';
import { PAYMENTS_TASK_QUEUE, SETTLEMENT_IMPORT_WORKFLOW, type SettlementImportInput } from '../protocol/messages.ts';
import { reconciliationSearchAttributes } from '../protocol/search-attributes.ts';
import { createProviderSchedules, priorityOf, type ProviderSchedules } from './provider-schedules.ts';
import { callTemporal } from './temporal-errors.ts';

/** Schedules imports of settlements, and starts them. */
export interface SettlementImports extends ProviderSchedules {
  /**
   * Starts an import now, or finds one that was started in this way and still runs.
   * @returns what waits for its end
   * @throws TemporalUnavailableError
   */
  start(provider: string): Promise<{ result(): Promise<SettlementImportProgress> }>;
}

const PREFIX = 'settlements-';

export function createSettlementImports(client: Client): SettlementImports {
  const summaryOf = (provider: string): string => `Import of settlements of ${provider}`;
  return {
    ...createProviderSchedules(client, { prefix: PREFIX, workflowType: SETTLEMENT_IMPORT_WORKFLOW, summaryOf }),
    start: (provider) =>
      callTemporal(client, async () => {
        const handle = await client.workflow.start(SETTLEMENT_IMPORT_WORKFLOW, {
          workflowId: `${PREFIX}${provider}-by-hand`,
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
          taskQueue: PAYMENTS_TASK_QUEUE,
          args: [{ provider } satisfies SettlementImportInput],
          ...priorityOf(provider),
          typedSearchAttributes: reconciliationSearchAttributes({ provider }),
          staticSummary: `${summaryOf(provider)}, by hand`,
        });
        return { result: (): Promise<SettlementImportProgress> => handle.result() };
      }),
  };
}
