import type { Prisma, PaymentIntent } from '../../../prisma/generated/client.ts';
import { lockIntent } from '../../../prisma/queries/lock.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { UpdatePaymentIntent } from '../../../contract/schemas/payment-intent-requests.ts';
import type { Principal } from '../../../domain/principal.ts';
import { ownedBy, requireId } from '../../../accounts/row-scope.ts';
import { updateOptimistically } from '../../../accounts/writes.ts';

/** The members of an update that tell people about a payment, and that nothing decides on. */
const NOTES = ['reference', 'description', 'metadata'] as const;
type Notes = Partial<Pick<UpdatePaymentIntent, (typeof NOTES)[number]>>;

/** Whether an update changes nothing but what may be changed in every state. */
export function isNote(body: UpdatePaymentIntent): body is Notes {
  const notes: readonly string[] = NOTES;
  return Object.keys(body).every((name) => notes.includes(name));
}

/**
 * Changes the notes of a payment that is under way or has ended: its row, the timeline and the audit log in one transaction. The
 * payment's workflow decides on none of these columns, and has ended with the payment, so it has no part in it; the version rises,
 * so that a step that is being recorded reads the row again.
 * @throws ApiError `PAYMENT_INTENT_NOT_FOUND`
 */
export async function updateNotes(
  database: Database,
  principal: Principal,
  { id, notes }: { readonly id: string; readonly notes: Notes },
): Promise<void> {
  const paymentIntentId = requireId('paymentIntent', id);
  const where = { id: paymentIntentId, ...ownedBy(principal) };
  await updateOptimistically(database, {
    lock: lockIntent(paymentIntentId),
    read: ({ paymentIntent }) => paymentIntent.findFirst({ where }),
    changesOf: (row) => changesOf(row, notes),
    write: async ({ version }, data, transaction) => {
      const [changed] = await transaction.paymentIntent.updateManyAndReturn({ where: { ...where, version }, data });
      if (changed !== undefined) await writeTimeline(transaction, changed, notes);
      return changed;
    },
    audit: { author: principal, action: 'payment_intent.updated', describe },
    notFound: 'PAYMENT_INTENT_NOT_FOUND',
  });
}

/** Nothing where the payment already has these notes. */
function changesOf(row: PaymentIntent, notes: Notes): Prisma.PaymentIntentUncheckedUpdateManyInput {
  const given = NOTES.filter((name) => notes[name] !== undefined);
  const isDifferent = given.some((name) => textOf(row[name]) !== textOf(notes[name]));
  return isDifferent ? Object.fromEntries(given.map((name) => [name, notes[name]])) : {};
}

/** JSON of a value, whatever the order of its members is. */
function textOf(value: unknown): string {
  return JSON.stringify(value, typeof value === 'object' && value !== null ? Object.keys(value).sort() : undefined);
}

async function writeTimeline(
  { timelineEntry }: Prisma.TransactionClient,
  { id: paymentIntentId, version, updatedAt: at }: PaymentIntent,
  notes: Notes,
): Promise<void> {
  const summary = `Updated: ${Object.keys(notes).sort().join(', ')}`;
  await timelineEntry.create({ data: { paymentIntentId, version, ordinal: 1, kind: 'updated', summary, at } });
}

function describe({ id, merchantAccountId, reference, description, metadata }: PaymentIntent) {
  return { id, merchantAccountId, state: { id, object: 'payment_intent', reference, description, metadata } };
}
