import { decimalAmount } from '../../domain/money.ts';
import { depositAction, isDepositSeen, reorganisedDeposit, plannedDepositFailure } from './deposit-state-machine.ts';
import type { Opening } from './scenarios.ts';
import type { PaymentRecord, Charge, DeclineCode, Deposit, Payment } from './records.ts';
import type { Settlement } from './protocol.ts';

/** The transitions of a payment: pure functions from one payment record to the next. */

/** How long customers and networks take. */
export interface Delays {
  /** Until a customer has approved in the app. */
  readonly approvalDelayMs: number;
  /** Until a crypto deposit appears on its network. */
  readonly depositDelayMs: number;
  /** From then on, until it has its confirmations. */
  readonly confirmationDelayMs: number;
}

export interface OpeningContext {
  /** Where the customer confirms the payment, if asked to. */
  readonly pageUrl: string;
  readonly delays: Delays;
  readonly at: Date;
}

/** A payment right after it was created. */
export function openPayment(
  record: PaymentRecord,
  opening: Opening,
  { pageUrl, delays, at }: OpeningContext,
): PaymentRecord {
  switch (opening.kind) {
    case 'approved':
      return approve(record, at.toISOString());
    case 'declined':
      return withPayment(record, { status: 'declined', ...declineOf(opening) });
    case 'failed':
      return withPayment(record, { status: 'failed', failureReason: opening.failureReason });
    case 'challenged':
      return withPayment(record, { status: 'requires_action', action: { type: 'redirect', url: pageUrl } });
    case 'asked_in_app': {
      const asked = withPayment(record, {
        status: 'requires_action',
        action: { type: 'approve_in_app', app: 'upi', link: upiLink(record.payment) },
      });
      return { ...asked, settlesAt: opening.approves ? timeAfter(at, delays.approvalDelayMs) : null };
    }
    case 'awaits_deposit': {
      const { plan } = opening;
      const action = depositAction(record.payment.id, plan);
      const settlesAt = plan.scenario === 'unpaid' ? null : timeAfter(at, delays.depositDelayMs);
      return { ...withPayment(record, { status: 'requires_action', action }), deposit: plan, settlesAt };
    }
    case 'pending':
      return withPayment(record, { status: 'pending' });
    case 'charged_late':
      return { ...withPayment(record, { status: 'pending' }), concealed: true, lateChargeDelayMs: opening.delayMs };
  }
}

/** Whether the outcome of the payment is still to come. */
export function isOpen(record: PaymentRecord): boolean {
  return record.payment.status === 'pending' || record.payment.status === 'requires_action';
}

/** Whether inquiries answer that there is no such payment, although it may still be charged. */
export function isConcealed(record: PaymentRecord): boolean {
  return record.concealed && isOpen(record);
}

/** A payment after an answer that it does not exist. The delay of a late charge starts with the first such answer. */
export function concealPayment(record: PaymentRecord, at: Date): PaymentRecord {
  const { lateChargeDelayMs, settlesAt } = record;
  const chargedAt = lateChargeDelayMs === null ? null : timeAfter(at, lateChargeDelayMs);
  return { ...record, concealed: true, settlesAt: settlesAt ?? chargedAt };
}

/** An open payment after the step that is due at `settlesAt`. */
export function advancePayment(record: PaymentRecord, { confirmationDelayMs }: Delays, at: Date): PaymentRecord {
  if (record.deposit === null) return settlePayment(record, 'approved', at.toISOString());
  if (!isDepositSeen(record)) {
    const seen = withPayment(record, { status: 'pending', action: undefined });
    return { ...seen, settlesAt: timeAfter(at, confirmationDelayMs) };
  }
  const failure = plannedDepositFailure(record);
  return failure === null ? settlePayment(record, 'approved', at.toISOString()) : failDeposit(record, failure);
}

/** An open payment after it was settled. */
export function settlePayment(record: PaymentRecord, settlement: Settlement, at: string): PaymentRecord {
  const settled = { ...withPayment(record, { action: undefined }), settlesAt: null };
  if (settlement === 'approved') return approve(settled, at);
  if (settlement === 'failed') return fail(settled);
  return withPayment(settled, { status: 'declined', declineCode: declineCodeOf(record) });
}

/** The network's codes of declines, as issuers give them for cards. */
const NETWORK_CODES: Readonly<Partial<Record<DeclineCode, string>>> = {
  card_declined: '05',
  do_not_honor: '05',
  lost_card: '41',
  incorrect_cvc: 'N7',
  expired_card: '54',
  insufficient_funds: '51',
  limit_exceeded: '61',
  authentication_required: '1A',
};

function declineOf({ declineCode, merchantAdviceCode }: Extract<Opening, { kind: 'declined' }>): Partial<Payment> {
  const networkCode = NETWORK_CODES[declineCode];
  return {
    declineCode,
    ...(networkCode === undefined ? {} : { networkCode }),
    ...(merchantAdviceCode === undefined ? {} : { merchantAdviceCode }),
  };
}

function declineCodeOf({ methodType, payment }: PaymentRecord): DeclineCode {
  if (methodType !== 'card') return 'do_not_honor';
  return payment.action?.type === 'redirect' ? 'authentication_failed' : 'card_declined';
}

/** A payment after a settlement instruction; its misreport, if any, ends. */
export function settleManually(record: PaymentRecord, settlement: Settlement, at: string): PaymentRecord {
  const settled = isOpen(record) ? settlePayment(record, settlement, at) : record;
  return { ...settled, misreport: null };
}

/** A payment after it was voided. Captured payments, and deposits that appeared on their network, stay unchanged. */
export function closePayment(record: PaymentRecord, at: string): PaymentRecord {
  if (isDepositSeen(record)) return record;
  if (isOpen(record)) return { ...withPayment(record, { status: 'voided', action: undefined }), settlesAt: null };
  if (record.payment.status !== 'authorized') return record;
  return withCharge(withPayment(record, { status: 'voided', amountVoided: record.payment.amount }), 'void', at);
}

/** An authorized payment after its capture, in whole or in part; the rest is released. */
export function capturePayment(record: PaymentRecord, amountMinor: number, at: string): PaymentRecord {
  const captured = withPayment(record, { status: 'captured', amountCaptured: amountMinor });
  return withCharge(captured, 'capture', at, amountMinor);
}

const UPI_PAYEE = { address: 'sandbox@simulator', name: 'Sandbox' } as const;

/** The link of a payment as NPCI specifies it; apps expect `%20`, not `+`. */
function upiLink({ id, amount, currency }: Payment): string {
  const fields = {
    pa: UPI_PAYEE.address,
    pn: UPI_PAYEE.name,
    tr: id,
    am: decimalAmount(amount, currency),
    cu: currency,
  };
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `upi://pay?${query.join('&')}`;
}

function approve(record: PaymentRecord, at: string): PaymentRecord {
  if (!record.capture) return withCharge(withPayment(record, { status: 'authorized' }), 'authorization', at);
  return capturePayment(record, record.payment.amount, at);
}

function fail(record: PaymentRecord): PaymentRecord {
  const { deposit, payment } = record;
  if (deposit === null) return withPayment(record, { status: 'failed', failureReason: 'processing_failed' });
  return failDeposit(record, plannedDepositFailure(record) ?? reorganisedDeposit(payment.id, deposit));
}

function failDeposit(record: PaymentRecord, deposit: Deposit): PaymentRecord {
  const failed = withPayment(record, {
    status: 'failed',
    failureReason: 'deposit_failed',
    action: undefined,
    deposit,
  });
  return { ...failed, settlesAt: null };
}

function timeAfter(at: Date, delayMs: number): string {
  return new Date(at.getTime() + delayMs).toISOString();
}

function withPayment(record: PaymentRecord, changes: Partial<Payment>): PaymentRecord {
  return { ...record, payment: { ...record.payment, ...changes } };
}

function withCharge(
  record: PaymentRecord,
  type: Charge['type'],
  at: string,
  amount = record.payment.amount,
): PaymentRecord {
  return { ...record, charges: [...record.charges, { type, amount, at }] };
}
