import {
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setHandler,
  uuid4,
} from '@temporalio/workflow';
import { settlementImportIdOf } from '../../domain/ids.ts';
import type { ReconciliationFailureCode } from '../../domain/reconciliation.ts';
import type { SettlementImportProgress } from '../../domain/settlement.ts';
import {
  type SettlementImportInput,
  type SettlementImportPlace,
  settlementImportProgressQuery,
} from '../../protocol/messages.ts';
import { causeOf } from '../shared/activity-failure.ts';
import { detailsText } from '../shared/details.ts';
import { pages, records, sums } from './activity-proxies.ts';

/** Each page adds a few events, and a history must not grow without limit. */
const PAGES_OF_A_RUN = 500;

/**
 * Imports the settlements of a provider, page by page, and then notes what is still expected. Ends as failed if the provider gives no
 * usable answer for long; the next import reads the same settlements too.
 */
export async function settlementImportWorkflow(input: SettlementImportInput): Promise<SettlementImportProgress> {
  const { provider } = input;
  let progress: SettlementImportProgress | null = null;
  const show = (next: SettlementImportProgress): SettlementImportProgress => {
    progress = next;
    setCurrentDetails(describe(next));
    return next;
  };
  setHandler(settlementImportProgressQuery, () => progress);
  let next: SettlementImportPlace | null = null;
  const importId = input.continued?.importId ?? settlementImportIdOf(uuid4());
  try {
    if (input.continued === undefined) {
      const summary = `Begin to import settlements of ${provider}`;
      show(await records.beginSettlementImport.executeWithOptions({ summary }, [{ importId, provider }]));
    }
    next = await importPages(input.continued ?? { importId, page: 0, cursor: null, rest: null }, show);
    if (next === null) {
      await expectSettlements(importId);
      return show(await records.finishSettlementImport({ importId }));
    }
  } catch (error) {
    if (progress === null && input.continued === undefined) throw error;
    return CancellationScope.nonCancellable(async () => show(await fail(importId, error)));
  }
  return continueAsNew<typeof settlementImportWorkflow>({ provider, continued: next });
}

/** Imports as many pages as a history takes. @returns where the next run goes on; null after the last page */
async function importPages(
  from: SettlementImportPlace,
  show: (progress: SettlementImportProgress) => void,
): Promise<SettlementImportPlace | null> {
  const { importId } = from;
  const lastPage = from.page + PAGES_OF_A_RUN;
  let place = from;
  while (place.page < lastPage) {
    const { rest, cursor, page } = place;
    if (rest === null) {
      const { settlements, nextCursor } = await pages.listSettlements({ importId, cursor });
      place = { importId, page, cursor: nextCursor, rest: settlements };
      continue;
    }
    const [settlement, ...others] = rest;
    if (settlement === undefined) {
      if (cursor === null) return null;
      place = { importId, page, cursor, rest: null };
      continue;
    }
    const isFirstOfSettlement = place.isWithinSettlement !== true;
    const summary = `Import a page of ${settlement.providerReference}`;
    const { progress, isLast } = await pages.importEntries.executeWithOptions({ summary }, [
      { importId, settlement, page, isFirstOfSettlement },
    ]);
    show(progress);
    if (isLast) await sums.finishSettlement({ importId, settlement });
    place = { importId, page: page + 1, cursor, rest: isLast ? others : rest, isWithinSettlement: !isLast };
  }
  return place;
}

async function expectSettlements(importId: string): Promise<void> {
  let after: string | null = '';
  while (after !== null) ({ after } = await pages.expectSettlements({ importId, after }));
}

function fail(importId: string, error: unknown): Promise<SettlementImportProgress> {
  const cause = causeOf(error);
  const reason = cause instanceof Error ? cause.message : 'unknown';
  const type = typeOf(error);
  return records.failSettlementImport({ importId, error: reason, ...(type === undefined ? {} : { type }) });
}

function typeOf(error: unknown): string | undefined {
  if (isCancellation(error)) return 'INTERRUPTED' satisfies ReconciliationFailureCode;
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure ? (cause.type ?? undefined) : undefined;
}

function describe({
  provider,
  status,
  pages: read,
  settlements,
  entries,
  exceptions,
  error,
}: SettlementImportProgress) {
  return detailsText([
    `The settlements of ${provider} are imported.`,
    '',
    `- ${status}, ${read} pages.`,
    `- Settlements: ${settlements}. Lines: ${entries}; new ones that do not match: ${exceptions}.`,
    ...(error === null ? [] : [`- Failed: ${error}`]),
  ]);
}
