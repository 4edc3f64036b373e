/** Everything that a vendor has under one attempt, in the shape of the simulator's ledger; amounts in minor units. */
export interface LedgerEntry {
  /** The attempt's id. */
  readonly idempotencyKey: string;
  readonly reference: string;
  readonly paymentIntentId: string | null;
  /** `pending` waits for a decision of the vendor, `authorized` holds money. Null where no payment was begun. */
  readonly payment: { readonly status: LedgerStatus } | null;
  /** Of all payments of the attempt: more than one of them is a mistake of whoever asked for them. */
  readonly charges: readonly LedgerCharge[];
  readonly refunds: readonly LedgerRefund[];
}

export type LedgerStatus = 'open' | 'pending' | 'authorized' | 'captured' | 'ended';

export interface LedgerCharge {
  readonly type: 'authorization' | 'capture' | 'void';
  readonly amount: number;
}

export interface LedgerRefund {
  /** The refund's id. */
  readonly idempotencyKey: string;
  readonly refund: { readonly reference: string; readonly status: RefundStatus; readonly amount: number };
}

export type RefundStatus = 'succeeded' | 'pending' | 'failed';

/** What a fake's testers see and do. */
export interface FakeLedger {
  /** Oldest first. */
  entries(): readonly LedgerEntry[];
  /** Decides the open payment of an attempt, as its customer or the vendor does. @returns whether there was one */
  settlePayment(attemptId: string, isApproved: boolean): boolean;
  /** Ends a refund that waits. @returns whether it did */
  settleRefund(refundId: string, isApproved: boolean): boolean;
}
