import type { LedgerEntry } from '../snapshot/ledger.ts';
import type { IntentRow, Snapshot } from '../snapshot/snapshot.ts';
import type { Check, Problem } from './check.ts';

/** The ledgers of the providers match the transactions to the minor unit. */
export const ledgersMatch: Check = {
  name: 'ledgers and transactions agree',
  find: (snapshot) => [
    ...snapshot.intents.flatMap((intent) => intentProblems(intent, snapshot)),
    ...snapshot.ledger.flatMap((entry) => entryProblems(entry, snapshot)),
    ...refundProblems(snapshot),
  ],
};

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

const captured = ({ charges }: LedgerEntry): number =>
  sumOf(charges.flatMap(({ type, amount }) => (type === 'capture' ? [amount] : [])));

const recorded = ({ transactions }: IntentRow, type: string, attemptId?: string): readonly number[] =>
  transactions.flatMap((row) =>
    row.type === type && (attemptId === undefined || row.attemptId === attemptId) ? [row.amount] : [],
  );

/** Compares an intent with its transactions, and its captures with the ledger entries of their attempts. */
function intentProblems(intent: IntentRow, { ledger, refunds }: Snapshot): Problem[] {
  const own = refunds.filter(({ paymentIntentId }) => paymentIntentId === intent.id);
  const amountsWith = (status: string) => sumOf(own.flatMap((row) => (row.status === status ? [row.amount] : [])));
  const captures = recorded(intent, 'capture');
  const expected = [
    { what: 'captures recorded', is: captures.length, should: intent.status === 'succeeded' ? 1 : 0 },
    { what: 'captured of it', is: intent.amountCaptured, should: sumOf(captures) },
    { what: 'refunded of it', is: intent.amountRefunded, should: amountsWith('succeeded') },
    { what: 'refunds recorded', is: sumOf(recorded(intent, 'refund')), should: amountsWith('succeeded') },
    { what: 'refunds under way', is: intent.amountRefunding, should: amountsWith('pending') },
  ];
  const wrong = expected
    .filter(({ is, should }) => is !== should)
    .map(({ what, is, should }) => ({
      intentId: intent.id,
      what: `${what}: ${is}, should be ${should} (${intent.status})`,
    }));
  const unknownCaptures = intent.transactions
    .filter(({ type }) => type === 'capture')
    .filter(
      ({ attemptId, amount }) =>
        !ledger.some((entry) => entry.idempotencyKey === attemptId && captured(entry) === amount),
    )
    .map(({ attemptId, amount }) => ({
      intentId: intent.id,
      what: `a capture of ${amount} is recorded for ${attemptId}, and no provider has it`,
    }));
  return [...wrong, ...unknownCaptures];
}

/** Everything that a provider authorized or captured is recorded by its intent, or was reversed. */
function entryProblems(entry: LedgerEntry, snapshot: Snapshot): Problem[] {
  const { provider, idempotencyKey, paymentIntentId, status } = entry;
  const intent = snapshot.intents.find(({ id }) => id === paymentIntentId);
  const taken = captured(entry);
  const of = `${provider} under ${idempotencyKey}`;
  if (intent === undefined) {
    return taken > 0 || status === 'authorized'
      ? [{ intentId: paymentIntentId, what: `${of}: charged for an intent that does not exist` }]
      : [];
  }
  const known = sumOf(recorded(intent, 'capture', idempotencyKey));
  const reversed = reversedStrayAmount(entry, snapshot);
  const problems: string[] = [];
  if (taken - reversed !== known) {
    const reversal = reversed === 0 ? '' : `, of which ${reversed} was reversed`;
    const stray = snapshot.strayCharges.find(({ attemptId }) => attemptId === idempotencyKey);
    const note = stray === undefined ? '' : `; the stray charge is ${stray.status}`;
    problems.push(`captured ${taken}${reversal}; the intent (${intent.status}) has recorded ${known}${note}`);
  }
  if (status === 'authorized' && !isAuthorizedOnRecord(intent, idempotencyKey)) {
    problems.push(`still has the amount authorized; the intent is ${intent.status}`);
  }
  return problems.map((what) => ({ intentId: intent.id, what: `${of}: ${what}` }));
}

/**
 * The reversed amount of a stray charge: by refunds under keys that belong to no refund of the payment, or by a void after
 * the capture.
 */
function reversedStrayAmount(entry: LedgerEntry, snapshot: Snapshot): number {
  const refunds = entry.refunds.filter(
    ({ status, idempotencyKey }) => status === 'succeeded' && !isKnownRefund(idempotencyKey, snapshot),
  );
  const voids = captured(entry) > 0 ? entry.charges.filter(({ type }) => type === 'void') : [];
  return sumOf([...refunds, ...voids].map(({ amount }) => amount));
}

function isKnownRefund(idempotencyKey: string, { refunds }: Snapshot): boolean {
  return refunds.some(({ id }) => id === idempotencyKey);
}

function isAuthorizedOnRecord(intent: IntentRow, attemptId: string): boolean {
  return intent.status === 'requires_capture' && recorded(intent, 'authorization', attemptId).length > 0;
}

/** Each refund that succeeded is in a ledger once, with its amount; none that failed is. */
function refundProblems({ refunds, ledger }: Snapshot): Problem[] {
  const succeeded = ledger.flatMap((entry) => entry.refunds.filter(({ status }) => status === 'succeeded'));
  return refunds.flatMap(({ id, paymentIntentId, status, amount }) => {
    const refunded = succeeded.filter(({ idempotencyKey }) => idempotencyKey === id).map((refund) => refund.amount);
    const isRight = status === 'succeeded' ? refunded.length === 1 && refunded[0] === amount : refunded.length === 0;
    if (isRight) return [];
    const what = `its refund ${id} of ${amount} is ${status}; the ledgers have refunded [${refunded.join(', ')}] for it`;
    return [{ intentId: paymentIntentId, what }];
  });
}
