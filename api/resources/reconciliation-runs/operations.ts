import { RECONCILIATION_FAILURES, reconciliationFailureCodeOf } from '../../../domain/reconciliation.ts';
import { presentDifference } from '../../../contract/presenters/reconciliation.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import {
  ACCOUNT_RUN,
  type AccountRun,
  accountRuns,
  selectAccountRun,
  selectDifferences,
} from '../../../prisma/queries/reconciliation.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import {
  listReconciliationRunsQuery,
  reconciliationReportResource,
  type ReconciliationRunResource,
  reconciliationRunResource,
} from '../../../contract/schemas/reconciliation.ts';
import { type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import { readPage } from '../../../accounts/lists.ts';
import { requireId } from '../../../accounts/row-scope.ts';

const resource = 'reconciliation-runs';

/** Everything below /reconciliation-runs. */
export function reconciliationRunOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/reconciliation-runs',
      operationId: 'listReconciliationRuns',
      summary: "List the comparisons with providers' lists of payments, newest first",
      description:
        'The engine compares the list of payments of each provider with its own, several times a day. Where a provider is ' +
        "shared by several accounts, a run shows and counts the merchant account's own payments only, and runs that found none " +
        'of them are not listed. Of its own accounts at providers every run is listed whole.',
      resource,
      query: listReconciliationRunsQuery,
      responseData: reconciliationRunResource,
      errors: [],
      handle: async ({ principal, query: { page, limit, startingAfter, ...filter } }) => {
        const listed = accountRuns(principal, filter);
        return pageResponse(
          { page, limit },
          await readPage(database, listed, ACCOUNT_RUN, { page, limit, startingAfter }),
          presentRun,
        );
      },
    }),
    readOperation({
      path: '/reconciliation-runs/{id}',
      operationId: 'getReconciliationRun',
      summary: 'Retrieve a comparison, with what differs',
      description:
        "Differences about the merchant account's own payments only and, at its own account at a provider, about payments that the " +
        'engine does not know. Those that are `reported` also arrive as the event `reconciliation.difference_found`, unless an ' +
        'earlier run has found the same.',
      resource,
      responseData: reconciliationReportResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => {
        const run = await database.direct.row(selectAccountRun(requireId('reconciliationRun', id), principal));
        if (run === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
        const rows = await database.direct.rows(selectDifferences(id, principal));
        const differences = rows.map(({ row }) => presentDifference({ ...row, provider: run.provider }));
        return jsonResponse(200, { ...presentRun(run), differences });
      },
    }),
  ];
}

/** A run as clients see it. */
function presentRun(row: AccountRun): ReconciliationRunResource {
  const { id, merchantAccountId, environment, provider, status, compared, repaired, reported, finishedAt } = row;
  return {
    id,
    object: 'reconciliation_run',
    merchantId: merchantAccountId,
    environment,
    provider,
    status,
    failure: presentFailure(row),
    from: row.windowFrom.toISOString(),
    to: row.windowTo.toISOString(),
    compared,
    repaired,
    reported,
    startedAt: row.startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

function presentFailure({ status, failureCode }: AccountRun): ReconciliationRunResource['failure'] {
  if (status !== 'failed') return null;
  const code = reconciliationFailureCodeOf(failureCode ?? undefined);
  return { code, message: RECONCILIATION_FAILURES[code] };
}
