import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { isTerminal, PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/client.ts';
import type { Sandbox } from '../../scripts/data-folder.ts';

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

/** Every line in the books of all simulators. */
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

const capturedIn = (entries: readonly LedgerEntry[]) =>
  entries.flatMap(({ charges }) => charges).filter(({ type }) => type === 'capture');

/** Each `succeeded` intent is in the providers' books exactly once, with its amount; nothing else is. */
export async function assertChargedOnce(database: Database, ledgers: readonly LedgerEntry[]): Promise<void> {
  const intents = await database.paymentIntent.findMany({ include: { transactions: true } });
  const wrong = intents.flatMap(({ id, status, amountMinor, amountCapturedMinor, transactions }) => {
    const expected = status === 'succeeded' ? [Number(amountMinor)] : [];
    const charged = capturedIn(ledgers.filter((entry) => entry.paymentIntentId === id)).map(({ amount }) => amount);
    const recorded = transactions.filter(({ type }) => type === 'capture').map((row) => Number(row.amountMinor));
    const total = expected.reduce((sum, amount) => sum + amount, 0);
    const isRight = same(charged, expected) && same(recorded, expected) && total === Number(amountCapturedMinor);
    return isRight ? [] : [{ id, status, charged, recorded, amountCapturedMinor: Number(amountCapturedMinor) }];
  });
  assert.deepEqual(wrong, [], 'the books and the intents disagree');

  const known = new Set(intents.map(({ id }) => id));
  const strangers = ledgers.filter(({ paymentIntentId }) => paymentIntentId !== null && !known.has(paymentIntentId));
  assert.deepEqual(strangers, [], 'charges of no known intent');
}

/** What an attempt holds as the provider's id is the payment that the provider has under the attempt's key. */
export async function assertAttemptsMatch(database: Database, ledgers: readonly LedgerEntry[]): Promise<void> {
  const attempts = await database.paymentAttempt.findMany();
  const bookings = new Map(ledgers.map((entry) => [`${entry.provider} ${entry.idempotencyKey}`, entry.payment]));
  const wrong = attempts.flatMap(({ id, provider, providerPaymentId, outcome }) => {
    const payment = bookings.get(`${provider} ${id}`) ?? null;
    const isKnownBoth = providerPaymentId === null || payment?.id === providerPaymentId;
    const isApprovedBoth = (payment?.status === 'captured') === (outcome === 'approved');
    return isKnownBoth && isApprovedBoth ? [] : [{ id, provider, providerPaymentId, outcome, payment }];
  });
  assert.deepEqual(wrong, [], 'attempts and bookings disagree');
  const known = new Set(attempts.map(({ id }) => id));
  const strangers = ledgers.filter(({ idempotencyKey, payment }) => payment !== null && !known.has(idempotencyKey));
  assert.deepEqual(strangers, [], 'bookings of no known attempt');
}

/** Each intent has its workflow, which has ended just if the intent has; each workflow has its intent. */
export async function assertWorkflowsMatch(database: Database, temporal: Client): Promise<void> {
  const deadline = Date.now() + 10 * SECOND_MS;
  let differences = await findDifferences(database, temporal);
  // A row tells its end a moment before its workflow has ended.
  while (differences.length > 0 && Date.now() < deadline) {
    await sleep(SECOND_MS / 2);
    differences = await findDifferences(database, temporal);
  }
  assert.deepEqual(differences, [], 'intents and workflows disagree');
}

async function findDifferences(database: Database, temporal: Client): Promise<string[]> {
  const workflows = new Map<string, string>();
  for await (const { workflowId, status } of temporal.workflow.list()) workflows.set(workflowId, status.name);
  const intents = await database.paymentIntent.findMany({ select: { id: true, status: true } });
  const wrong = intents.flatMap(({ id, status }) => {
    const expected = isTerminal(statusSchema.parse(status)) ? 'COMPLETED' : 'RUNNING';
    const found = workflows.get(id) ?? 'missing';
    return found === expected ? [] : [`${id} is ${status}, its workflow ${found}`];
  });
  const known = new Set(intents.map(({ id }) => id));
  const strangers = [...workflows.keys()].filter((id) => !known.has(id));
  return [...wrong, ...strangers.map((id) => `${id} has a workflow and no row`)];
}

/** All events are numbered without gaps, and each intent's tell its story in order, from its creation to its end. */
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
    const own = events.filter(({ paymentIntentId }) => paymentIntentId === id);
    const told = own.map((event) => ({ ...event, status: snapshotSchema.parse(event.snapshot).intent.status }));
    const story = told.map((event) => `${event.version} ${event.type} ${event.status}`).join(', ');
    assert.equal(told[0]?.type, 'payment_intent.created', `${id}: ${story}`);
    const versions = told.map((event) => event.version);
    assert.deepEqual(
      versions,
      versions.toSorted((a, b) => a - b),
      `${id}: ${story}`,
    );
    assert.equal(told.at(-1)?.status, status, `${id}: ${story}`);
    const ended = told.findIndex((event) => isTerminal(event.status));
    const endVersion = told[ended]?.version;
    const afterEnd = told.slice(ended).filter((event) => event.version !== endVersion);
    assert.deepEqual(ended < 0 ? [] : afterEnd, [], `${id} has events after its end: ${story}`);
    const steps = [...new Set(timeline.map((entry) => entry.version))].sort((a, b) => a - b);
    assert.deepEqual(
      steps,
      Array.from({ length: version + 1 }, (_, step) => step),
      `${id}: steps without a line`,
    );
  }
}

/** Everything providers reported has been handed over, and no CVC outlives its payment. */
export async function assertNothingLeftOver(database: Database): Promise<void> {
  const deadline = Date.now() + 30 * SECOND_MS;
  let undelivered;
  do {
    undelivered = await database.providerEvent.findMany({ where: { deliveredAt: null } });
    if (undelivered.length > 0) await sleep(SECOND_MS / 2);
  } while (undelivered.length > 0 && Date.now() < deadline);
  assert.deepEqual(undelivered, [], 'provider events that nobody has');
  const ended = await database.paymentIntent.findMany({
    where: { status: { in: PAYMENT_STATUSES.filter(isTerminal) } },
  });
  const kept = await database.paymentMethod.count({
    where: { paymentIntentId: { in: ended.map(({ id }) => id) }, cvcCiphertext: { not: null } },
  });
  assert.equal(kept, 0, 'CVCs of payments that have ended');
}

async function untilNumbered(database: Database): Promise<void> {
  const deadline = Date.now() + 15 * SECOND_MS;
  while ((await database.event.count({ where: { position: null } })) > 0) {
    assert.ok(Date.now() < deadline, 'events are not numbered');
    await sleep(SECOND_MS / 5);
  }
}

function assertGapless(numbers: readonly (bigint | null)[], what: string): void {
  const sorted = numbers.map(Number).sort((a, b) => a - b);
  assert.deepEqual(
    sorted,
    Array.from(numbers, (_, index) => index + 1),
    `${what} are not 1, 2, 3 …`,
  );
}

function same(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
