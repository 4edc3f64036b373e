import { withdrawnMinorOf } from './dispute-state-machine.ts';
import type { Settlement } from './protocol.ts';
import type { PaymentRecord, Refund, RefundEntry, RefundScenario } from './records.ts';

/** The transitions of refunds and of the payments they refund: pure functions. */

type RefundOutcome = Pick<Refund, 'status' | 'failureReason'>;

const REFUSED: RefundOutcome = { status: 'failed', failureReason: 'refused' };

const OUTCOME_BY_SCENARIO: Readonly<Record<RefundScenario, RefundOutcome>> = {
  accepted: { status: 'succeeded' },
  lost: { status: 'succeeded' },
  refused: REFUSED,
  silent: { status: 'pending' },
};

const OUTCOME_BY_SETTLEMENT: Readonly<Record<Settlement, RefundOutcome>> = {
  approved: { status: 'succeeded' },
  declined: REFUSED,
  failed: { status: 'failed', failureReason: 'processing_failed' },
};

/** A refund right after it was requested. */
export function openRefund(blank: Refund, record: PaymentRecord, others: readonly RefundEntry[]): Refund {
  if (blank.amount > refundableMinor(record, others)) {
    return { ...blank, status: 'failed', failureReason: 'amount_exceeded' };
  }
  return { ...blank, ...OUTCOME_BY_SCENARIO[record.refundScenario] };
}

/** A pending refund after it was settled. */
export function settleRefund(refund: Refund, settlement: Settlement): Refund {
  return { ...refund, ...OUTCOME_BY_SETTLEMENT[settlement] };
}

/** A payment after a refund of it succeeded. */
export function applyRefund(record: PaymentRecord, { amount, reference }: Refund, at: string): PaymentRecord {
  const { payment, charges } = record;
  return {
    ...record,
    payment: { ...payment, amountRefunded: payment.amountRefunded + amount },
    charges: [...charges, { type: 'refund', amount, at, reference }],
  };
}

/** What may still be refunded: pending refunds and what disputes have taken do not. */
function refundableMinor(record: PaymentRecord, others: readonly RefundEntry[]): number {
  const { payment } = record;
  const openMinor = others.reduce((sum, { refund }) => sum + (refund?.status === 'pending' ? refund.amount : 0), 0);
  return payment.amountCaptured - payment.amountRefunded - openMinor - withdrawnMinorOf(record);
}
