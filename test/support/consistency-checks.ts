import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { isTerminal, PAYMENT_STATUSES, type PaymentStatus, TERMINAL_STATUSES } from '../../domain/payment-state.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Sandbox } from '../../sandbox/stack/data-folder.ts';
import { eventually } from './eventually.ts';

const ledgerSchema = z.object({
  data: z.array(
    z.object({
      idempotencyKey: z.string(),
      paymentIntentId: z.string().nullable(),
      payment: z.looseObject({ id: z.string(), status: z.string() }).nullable(),
      charges: z.array(z.object({ type: z.string(), amount: z.number() })),
    }),
  ),
  pagination: z.object({ totalPages: z.number() }),
});
type LedgerEntry = z.infer<typeof ledgerSchema>['data'][number] & { readonly provider: string };

const statusSchema = z.enum(PAYMENT_STATUSES);
const snapshotSchema = z.object({ intent: z.object({ status: statusSchema }) });

/** Every entry in the ledgers of all simulators. */
export async function readAllLedgers({ simulators }: Pick<Sandbox, 'simulators'>): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (const { name, url } of simulators) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const response = await fetch(new URL(`/ledger?limit=100&page=${page}`, url));
      const { data, pagination } = ledgerSchema.parse(await response.json());
      entries.push(...data.map((entry) => ({ ...entry, provider: name })));
      pages = pagination.totalPages;
    }
  }
  return entries;
}

const chargesIn = (entries: readonly LedgerEntry[], chargeType: string): number[] =>
  ascending(
    entries.flatMap(({ charges }) => charges.flatMap(({ type, amount }) => (type === chargeType ? [amount] : []))),
  );

/**
 * Each `succeeded` intent is in the providers' ledgers exactly once, with its captured amount, and so is each succeeded
 * refund; the ledgers contain nothing else.
 */
export async function assertChargedOnce(database: Database, ledgers: readonly LedgerEntry[]): Promise<void> {
  const intents = await database.paymentIntent.findMany({ include: { transactions: true, refunds: true } });
  const wrong = intents.flatMap(({ id, status, captureMethod, refunds, transactions, ...intent }) => {
    const own = ledgers.filter((entry) => entry.paymentIntentId === id);
    const recorded = (type: string): number[] =>
      ascending(transactions.flatMap((row) => (row.type === type ? [Number(row.amountMinor)] : [])));
    const amount = Number(captureMethod === 'manual' ? intent.amountCapturedMinor : intent.amountMinor);
    const charged = status === 'succeeded' ? [amount] : [];
    const returned = ascending(refunds.flatMap((row) => (row.status === 'succeeded' ? [Number(row.amountMinor)] : [])));
    const pending = refunds.flatMap((row) => (row.status === 'pending' ? [Number(row.amountMinor)] : []));
    const money = {
      captures: [chargesIn(own, 'capture'), recorded('capture')],
      refunds: [chargesIn(own, 'refund'), recorded('refund')],
      sums: [intent.amountCapturedMinor, intent.amountRefundedMinor, intent.amountRefundingMinor].map(Number),
    };
    const expected = {
      captures: [charged, charged],
      refunds: [returned, returned],
      sums: [charged, returned, pending].map((amounts) => amounts.reduce((sum, each) => sum + each, 0)),
    };
    return isDeepStrictEqual(money, expected) ? [] : [{ id, status, money, expected }];
  });
  assert.deepEqual(wrong, [], 'the ledgers and the intents differ');

  const known = new Set(intents.map(({ id }) => id));
  const unknown = ledgers.filter(({ paymentIntentId }) => paymentIntentId !== null && !known.has(paymentIntentId));
  assert.deepEqual(unknown, [], 'charges of no known intent');
}

const TAKEN = ['authorized', 'captured'];

/** Each attempt's provider payment id is that of the payment under the attempt's key at the provider. */
export async function assertAttemptsMatch(database: Database, ledgers: readonly LedgerEntry[]): Promise<void> {
  const attempts = await database.paymentAttempt.findMany();
  const paymentsByKey = new Map(ledgers.map((entry) => [`${entry.provider} ${entry.idempotencyKey}`, entry.payment]));
  const wrong = attempts.flatMap(({ id, provider, providerPaymentId, outcome }) => {
    const payment = paymentsByKey.get(`${provider} ${id}`) ?? null;
    const isKnownBoth = providerPaymentId === null || payment?.id === providerPaymentId;
    const isApproved = outcome === 'approved';
    // In the ledger, a voided authorization looks like one that never existed.
    const isApprovedBoth = payment?.status === 'voided' || TAKEN.includes(payment?.status ?? '') === isApproved;
    return isKnownBoth && isApprovedBoth ? [] : [{ id, provider, providerPaymentId, outcome, payment }];
  });
  assert.deepEqual(wrong, [], 'attempts and ledger entries differ');
  const known = new Set(attempts.map(({ id }) => id));
  const unknown = ledgers.filter(({ idempotencyKey, payment }) => payment !== null && !known.has(idempotencyKey));
  assert.deepEqual(unknown, [], 'ledger entries of no known attempt');
}

/** Each intent and refund has a workflow, which has ended exactly if the row has; each workflow has one row. */
export async function assertWorkflowsMatch(database: Database, temporal: Client): Promise<void> {
  // A row is final a moment before its workflow ends.
  await eventually(async () =>
    assert.deepEqual(await findDifferences(database, temporal), [], 'intents and workflows disagree'),
  );
}

async function findDifferences(database: Database, temporal: Client): Promise<string[]> {
  const workflows = new Map<string, string>();
  for await (const { workflowId, status } of temporal.workflow.list()) {
    if (!workflows.has(workflowId)) workflows.set(workflowId, status.name);
  }
  const columns = { id: true, status: true };
  const intents = await database.paymentIntent.findMany({ select: columns });
  const refunds = await database.refund.findMany({ select: columns });
  const rows = [
    ...intents.map((row) => ({ ...row, expected: runsOf(statusSchema.parse(row.status)) })),
    ...refunds.map((row) => ({ ...row, expected: [row.status === 'pending' ? 'RUNNING' : 'COMPLETED'] })),
  ];
  const wrong = rows.flatMap(({ id, status, expected }) => {
    const found = workflows.get(id) ?? 'missing';
    return expected.includes(found) ? [] : [`${id} is ${status}, its workflow ${found}`];
  });
  const known = new Set(rows.map(({ id }) => id));
  const unknown = [...workflows.keys()].filter((id) => !known.has(id));
  return [...wrong, ...unknown.map((id) => `${id} has a workflow and no row`)];
}

/** The workflow of a failed payment fails; so does that of an expired or canceled one whose attempts have failed. */
function runsOf(status: PaymentStatus): readonly string[] {
  if (!isTerminal(status)) return ['RUNNING'];
  if (status === 'succeeded') return ['COMPLETED'];
  return status === 'failed' ? ['FAILED'] : ['COMPLETED', 'FAILED'];
}

/** All events are numbered without gaps, and each intent's events are in order, from its creation to its end. */
export async function assertEventsInOrder(database: Database): Promise<void> {
  await untilNumbered(database);
  const events = await database.event.findMany({ orderBy: { position: 'asc' } });
  assertGapless(
    events.map(({ position }) => position),
    'positions',
  );
  for (const account of new Set(events.map(({ merchantAccountId }) => merchantAccountId))) {
    const ofAccount = events.filter(({ merchantAccountId }) => merchantAccountId === account);
    assertGapless(
      ofAccount.map(({ sequence }) => sequence),
      `sequence of ${account}`,
    );
  }

  const intents = await database.paymentIntent.findMany({ include: { timeline: true } });
  for (const { id, status, version, timeline } of intents) {
    const own = events.filter(
      ({ paymentIntentId, snapshot }) => paymentIntentId === id && snapshotSchema.safeParse(snapshot).success,
    );
    const delivered = own.map((event) => ({ ...event, status: snapshotSchema.parse(event.snapshot).intent.status }));
    const summary = delivered.map((event) => `${event.version} ${event.type} ${event.status}`).join(', ');
    assert.equal(delivered[0]?.type, 'payment_intent.created', `${id}: ${summary}`);
    const versions = delivered.map((event) => event.version);
    assert.deepEqual(
      versions,
      versions.toSorted((a, b) => a - b),
      `${id}: ${summary}`,
    );
    assert.equal(delivered.at(-1)?.status, status, `${id}: ${summary}`);
    const ended = delivered.findIndex((event) => isTerminal(event.status));
    const endVersion = delivered[ended]?.version;
    const afterEnd = delivered.slice(ended).filter((event) => event.version !== endVersion);
    assert.deepEqual(ended < 0 ? [] : afterEnd, [], `${id} has events after its end: ${summary}`);
    const steps = [...new Set(timeline.map((entry) => entry.version))].sort((a, b) => a - b);
    assert.deepEqual(
      steps,
      Array.from({ length: version + 1 }, (_, step) => step),
      `${id}: steps without a line`,
    );
  }
}

/** Each refund has an event for its creation, and one for its end where it has ended. */
export async function assertRefundEventsMatch(database: Database): Promise<void> {
  await untilNumbered(database);
  const refunds = await database.refund.findMany({ select: { id: true, status: true } });
  for (const { id, status } of refunds) {
    const events = await database.event.findMany({ where: { resourceId: id }, orderBy: { position: 'asc' } });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['refund.created', ...(status === 'pending' ? [] : [`refund.${status}`])],
      id,
    );
  }
}

/** All provider events have been delivered, and no CVC outlives its payment. */
export async function assertNothingPending(database: Database): Promise<void> {
  await eventually(async () => {
    const undelivered = await database.providerEvent.findMany({ where: { deliveredAt: null } });
    assert.deepEqual(undelivered, [], 'provider events that nobody has');
  });
  const ended = await database.paymentIntent.findMany({
    where: { status: { in: TERMINAL_STATUSES } },
  });
  const kept = await database.paymentMethodCvc.count({
    where: { paymentIntentId: { in: ended.map(({ id }) => id) } },
  });
  assert.equal(kept, 0, 'CVCs of payments that have ended');
}

function untilNumbered(database: Database): Promise<void> {
  return eventually(async () =>
    assert.equal(await database.event.count({ where: { position: null } }), 0, 'events are not numbered'),
  );
}

function assertGapless(numbers: readonly (bigint | null)[], what: string): void {
  const sorted = numbers.map(Number).sort((a, b) => a - b);
  assert.deepEqual(
    sorted,
    Array.from(numbers, (_, index) => index + 1),
    `${what} are not 1, 2, 3 …`,
  );
}

function ascending(amounts: readonly number[]): number[] {
  return amounts.toSorted((a, b) => a - b);
}
