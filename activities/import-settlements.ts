import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import { isId, settlementIdOf } from '../domain/ids.ts';
import { newId } from '../domain/new-id.ts';
import { ENVIRONMENTS } from '../domain/payment.ts';
import {
  type ReportedSettlement,
  type ReportedSettlementEntry,
  SETTLEMENT_IMPORT_STATUSES,
  SETTLEMENT_SOURCES,
  type SettlementImportProgress,
} from '../domain/settlement.ts';
import { matchEntries } from '../domain/settlement-match.ts';
import { reconciliationFailureCodeOf } from '../domain/reconciliation.ts';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import type { Database } from '../prisma/connection/client.ts';
import type { AccountScope } from '../prisma/fragments/conditions.ts';
import type { SettlementImport } from '../prisma/generated/client.ts';
import {
  closeUnseenEntries,
  expectAgain,
  expectTransactions,
  markMissing,
  type NewEntry,
  recountSettlement,
  selectExpectingAccounts,
  selectSettledTransactions,
  selectSettlementIds,
  selectSettlementsToRecount,
  type SettledSubjects,
  writeSettlementPage,
} from '../prisma/queries/settlement-import.ts';
import { canListSettlements, type ListedPage, type SettlementLister } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import type {
  BeginSettlementImportRequest,
  ExpectSettlementsRequest,
  FailSettlementImportRequest,
  FinishSettlementRequest,
  ImportEntriesRequest,
  ListedSettlements,
  ListSettlementsRequest,
  SettlementActivities,
} from '../protocol/settlement-activities.ts';
import { withHeartbeat } from './provider-calls.ts';
import { disputeIdFor } from './record-dispute.ts';

export interface SettlementDependencies {
  readonly database: Database;
  readonly registry: Pick<ProviderRegistry, 'find'>;
}

/** An import without a change for this long has lost its workflow. */
const ABANDONED_AFTER_MS = 2 * HOUR_MS;
/** How far back the first import of a provider reads, and how long before the last one each reads again: banks return money late. */
const FIRST_READ_MS = 60 * DAY_MS;
const READ_AGAIN_MS = 14 * DAY_MS;
/** A settlement that was paid and has not changed for so long is not read again. */
const FINAL_AFTER_MS = 7 * DAY_MS;
const ACCOUNTS_PER_ACTIVITY = 20;
const TRANSACTIONS_PER_STATEMENT = 1_000;
const EVENTS_PER_STATEMENT = 100;

/** The activities of imports of settlements, bound to their dependencies. */
export function createSettlementActivities(dependencies: SettlementDependencies): SettlementActivities {
  const { database } = dependencies;
  return {
    beginSettlementImport: (request) => begin(dependencies, request),
    listSettlements: (request) => list(dependencies, request),
    importEntries: (request) => importEntries(dependencies, request),
    finishSettlement: (request) => finishSettlement(database, request),
    expectSettlements: (request) => expectSettlements(database, request),
    finishSettlementImport: ({ importId }) => finishImport(database, importId),
    failSettlementImport: (request) => fail(database, request),
  };
}

async function begin(
  dependencies: SettlementDependencies,
  { importId, provider }: BeginSettlementImportRequest,
): Promise<SettlementImportProgress> {
  const { database } = dependencies;
  await requireLister(dependencies, provider);
  const now = new Date();
  await database.settlementImport.updateMany({
    where: { provider, status: 'running', source: 'api', updatedAt: { lt: before(now, ABANDONED_AFTER_MS) } },
    data: { status: 'failed', error: 'Its workflow ended before it did.', failureCode: 'INTERRUPTED', finishedAt: now },
  });
  const owner = await database.providerAccount.findUnique({
    where: { id: provider },
    select: { merchantAccountId: true, environment: true },
  });
  const earlier = await database.settlementImport.findFirst({
    where: { provider, status: 'completed', source: 'api' },
    orderBy: { startedAt: 'desc' },
  });
  const since = earlier === null ? before(now, FIRST_READ_MS) : before(earlier.startedAt, READ_AGAIN_MS);
  const data = { id: importId, provider, ...owner, source: 'api', since, startedAt: now, updatedAt: now };
  await database.settlementImport.createMany({ data, skipDuplicates: true });
  return progressOf(await readImport(database, importId));
}

function before(time: Date, ms: number): Date {
  return new Date(time.getTime() - ms);
}

async function list(
  dependencies: SettlementDependencies,
  { importId, cursor }: ListSettlementsRequest,
): Promise<ListedSettlements> {
  const { database } = dependencies;
  const { provider: name, since } = await readImport(database, importId);
  const provider = await requireLister(dependencies, name);
  const { items, nextCursor } = await withHeartbeat((signal) =>
    provider.listSettlements({ since: since ?? new Date(0), cursor }, signal),
  );
  const finished = await finishedOf(database, name, items);
  return { settlements: items.filter((each) => !finished.has(keyOf(each))), nextCursor };
}

/** The settlements, as `keyOf` names them, that are stored as they are reported, and old enough not to change any more. */
async function finishedOf(
  database: Database,
  provider: string,
  items: readonly ReportedSettlement[],
): Promise<ReadonlySet<string>> {
  const stored = await database.settlement.findMany({
    where: {
      provider,
      providerReference: { in: items.map(({ providerReference }) => providerReference) },
      status: 'paid',
      entriesExceptions: 0,
      importedAt: { not: null },
      settledAt: { lt: before(new Date(), FINAL_AFTER_MS) },
    },
  });
  return new Set(
    stored
      .filter(({ netAmountMinor, entriesNetMinor }) => netAmountMinor === entriesNetMinor)
      .map((each) => keyOf({ ...each, netAmountMinor: Number(each.netAmountMinor), status: 'paid' })),
  );
}

function keyOf({
  providerReference,
  status,
  netAmountMinor,
}: Pick<ReportedSettlement, 'providerReference' | 'status' | 'netAmountMinor'>): string {
  return `${providerReference} ${status} ${netAmountMinor}`;
}

async function importEntries(
  dependencies: SettlementDependencies,
  { importId, settlement, page, isFirstOfSettlement }: ImportEntriesRequest,
): ReturnType<SettlementActivities['importEntries']> {
  const { database } = dependencies;
  const run = await readImport(database, importId);
  if (run.pages === page && run.status === 'running') {
    const provider = await requireLister(dependencies, run.provider);
    const { providerReference: settlementReference } = settlement;
    const listed = await withHeartbeat((signal) =>
      provider.listSettlementEntries({ settlementReference, cursor: run.cursor }, signal),
    );
    await writePage(database, { run, settlement, isFirstOfSettlement, listed });
  }
  const written = await readImport(database, importId);
  if (written.status !== 'running' || written.pages !== page + 1) {
    throw ApplicationFailure.nonRetryable(`The import ${importId} is not at page ${page}.`, 'IMPORT_MOVED_ON');
  }
  return { progress: progressOf(written), isLast: written.cursor === null };
}

/** A page of a settlement that was read. */
interface ReadEntries {
  readonly run: SettlementImport;
  readonly settlement: ReportedSettlement;
  readonly isFirstOfSettlement: boolean;
  readonly listed: ListedPage<ReportedSettlementEntry>;
}

/** Where nobody shares the provider, all lines are its owner's; else each belongs to the account whose transaction it settles. */
async function writePage(
  database: Database,
  { run, settlement, isFirstOfSettlement, listed: { items, nextCursor } }: ReadEntries,
): Promise<void> {
  const { id: importId, provider, pages: page } = run;
  const transactions = await database.direct.rows(selectSettledTransactions(provider, subjectsOf(provider, items)));
  const owner = ownerOf(run);
  const own = owner === null ? transactions : transactions.filter((each) => isSameAccount(each, owner));
  const entries = matchEntries(items, own).flatMap((matched): NewEntry[] => {
    const account = owner ?? matched.transaction;
    if (account === null) return [];
    const { merchantAccountId, environment } = account;
    const ids = { id: newId('settlementEntry'), eventId: newId('event') };
    return [{ ...matched, ...ids, account: { merchantAccountId, environment } }];
  });
  const accounts = owner === null ? entries.map(({ account }) => account) : [owner];
  const byId = new Map(accounts.map((account) => [account.merchantAccountId, account]));
  const settlements = [...byId.values()].map((account) => ({
    id: settlementIdFor(provider, settlement.providerReference, account),
    account,
  }));
  const isShared = owner === null;
  const source = SETTLEMENT_SOURCES.find((each) => each === run.source) ?? 'api';
  await database.direct.row(
    writeSettlementPage({
      importId,
      page,
      isFirstOfSettlement,
      nextCursor,
      provider,
      source,
      settlement,
      lines: items.length,
      isShared,
      settlements,
      entries,
    }),
  );
}

function isSameAccount(one: AccountScope, other: AccountScope): boolean {
  return one.merchantAccountId === other.merchantAccountId && one.environment === other.environment;
}

function subjectsOf(provider: string, entries: readonly ReportedSettlementEntry[]): SettledSubjects {
  const named = entries.map(({ matches }) => matches);
  return {
    attemptIds: named.flatMap(({ attemptId }) => attemptId ?? []),
    refundIds: named.flatMap(({ refundId }) => refundId ?? []),
    disputeIds: named.flatMap(({ disputeReference }) =>
      disputeReference === undefined ? [] : [disputeIdFor(provider, disputeReference)],
    ),
    providerPaymentIds: named.flatMap(({ providerPaymentReference }) => providerPaymentReference ?? []),
  };
}

const DIGEST_LENGTH = 32;

/** The same for each report of the settlement. */
function settlementIdFor(provider: string, providerReference: string, { merchantAccountId }: AccountScope): string {
  const digest = createHash('sha256').update(`${provider} ${merchantAccountId} ${providerReference}`).digest('hex');
  return settlementIdOf(digest.slice(0, DIGEST_LENGTH));
}

async function finishSettlement(database: Database, { importId, settlement }: FinishSettlementRequest): Promise<void> {
  const { provider } = await readImport(database, importId);
  const found = await database.direct.rows(selectSettlementIds(provider, settlement.providerReference));
  for (const { id } of found) {
    await database.direct.rows(closeUnseenEntries(id, importId));
    await recount(database, id, settlement);
  }
}

async function recount(database: Database, id: string, reported: ReportedSettlement | null): Promise<void> {
  const eventIds = { created: newId('event'), paid: newId('event'), failed: newId('event') };
  await database.direct.row(recountSettlement(id, reported, eventIds));
}

async function expectSettlements(
  database: Database,
  { importId, after }: ExpectSettlementsRequest,
): Promise<{ readonly after: string | null }> {
  const { provider } = await readImport(database, importId);
  const accounts = await database.direct.rows(selectExpectingAccounts(provider, after, ACCOUNTS_PER_ACTIVITY));
  await withHeartbeat(async () => {
    for (const account of accounts) {
      while ((await expectNext(database, provider, account)) === TRANSACTIONS_PER_STATEMENT);
      while ((await markNextMissing(database, provider, account)) === EVENTS_PER_STATEMENT);
    }
  });
  const last = accounts.length < ACCOUNTS_PER_ACTIVITY ? undefined : accounts.at(-1);
  return { after: last?.merchantAccountId ?? null };
}

async function expectNext({ direct }: Database, provider: string, account: AccountScope): Promise<number> {
  const ids = Array.from({ length: TRANSACTIONS_PER_STATEMENT }, () => newId('settlementEntry'));
  return (await direct.row(expectTransactions(provider, account, ids)))?.looked ?? 0;
}

async function markNextMissing({ direct }: Database, provider: string, account: AccountScope): Promise<number> {
  const ids = Array.from({ length: EVENTS_PER_STATEMENT }, () => newId('event'));
  return (await direct.rows(markMissing(provider, account, ids))).length;
}

async function expectNextAgain({ direct }: Database, importId: string): Promise<number> {
  const ids = Array.from({ length: TRANSACTIONS_PER_STATEMENT }, () => newId('settlementEntry'));
  return (await direct.rows(expectAgain(importId, ids))).length;
}

async function finishImport(database: Database, importId: string): Promise<SettlementImportProgress> {
  for (const { id } of await database.direct.rows(selectSettlementsToRecount(importId))) {
    await recount(database, id, null);
  }
  while ((await expectNextAgain(database, importId)) === TRANSACTIONS_PER_STATEMENT);
  await database.settlementImport.updateMany({
    where: { id: importId, status: 'running' },
    data: { status: 'completed', finishedAt: new Date(), updatedAt: new Date() },
  });
  return progressOf(await readImport(database, importId));
}

async function fail(
  database: Database,
  { importId, error, type }: FailSettlementImportRequest,
): Promise<SettlementImportProgress> {
  const now = new Date();
  const failureCode = reconciliationFailureCodeOf(type);
  await database.settlementImport.updateMany({
    where: { id: importId, status: 'running' },
    data: { status: 'failed', error, failureCode, finishedAt: now, updatedAt: now },
  });
  return progressOf(await readImport(database, importId));
}

/** @throws ApplicationFailure where it has no list of settlements: no repeat can help */
async function requireLister({ registry }: SettlementDependencies, name: string): Promise<SettlementLister> {
  const provider = await registry.find(name);
  if (provider !== undefined && canListSettlements(provider)) return provider;
  const problem = provider === undefined ? 'is not configured' : 'has no list of settlements';
  throw ApplicationFailure.nonRetryable(`The provider ${name} ${problem}.`, 'CANNOT_LIST');
}

/** Whose account at the provider it is; null where accounts share the provider. */
function ownerOf({ merchantAccountId, environment }: SettlementImport): AccountScope | null {
  const known = ENVIRONMENTS.find((each) => each === environment);
  return merchantAccountId === null || known === undefined ? null : { merchantAccountId, environment: known };
}

async function readImport(database: Database, importId: string): Promise<SettlementImport> {
  const run = isId('settlementImport', importId)
    ? await database.settlementImport.findUnique({ where: { id: importId } })
    : null;
  if (run !== null) return run;
  throw ApplicationFailure.nonRetryable(`There is no import ${importId}.`, 'IMPORT_GONE');
}

function progressOf(run: SettlementImport): SettlementImportProgress {
  const { id: importId, provider, pages, settlements, entries, exceptions, error } = run;
  const status = SETTLEMENT_IMPORT_STATUSES.find((each) => each === run.status) ?? 'failed';
  return { importId, provider, status, pages, settlements, entries, exceptions, error };
}
