import type { RefundRow } from '../../prisma/queries/refund.ts';
import type { TransactionRow } from '../../prisma/queries/transaction.ts';

/** A refund as the API reads it: pending, 6.00 USD. */
export function refundRow(change: Partial<RefundRow> = {}): RefundRow {
  return {
    id: 're_0192f0c1a2b37c4d8e5f60718293a4b6',
    payment_intent_id: 'pi_0192f0c1a2b37c4d8e5f60718293a4b5',
    transaction_id: 'txn_0192f0c1a2b37c4d8e5f60718293a4b5_1',
    attempt_id: 'att_0192f0c1a2b37c4d8e5f60718293a4b5_1',
    merchant_account_id: 'mer_1',
    environment: 'sandbox',
    amount_minor: 600,
    currency: 'USD',
    status: 'pending',
    reason: null,
    metadata: {},
    reference: null,
    provider: 'alpha',
    provider_payment_id: 'sim_1',
    provider_refund_id: null,
    failure: null,
    advisory: null,
    accepted_at: null,
    requested_at: null,
    tries: 0,
    origin: 'engine',
    created_at: '2026-06-01T14:00:00.5+02:00',
    updated_at: '2026-06-01T12:00:01+00:00',
    ...change,
  };
}

/** A transaction as the API reads it: a capture of 20.00 USD. */
export function transactionRow(change: Partial<TransactionRow> = {}): TransactionRow {
  return {
    id: 'txn_0192f0c1a2b37c4d8e5f60718293a4b5_1',
    payment_intent_id: 'pi_0192f0c1a2b37c4d8e5f60718293a4b5',
    attempt_id: 'att_0192f0c1a2b37c4d8e5f60718293a4b5_1',
    merchant_account_id: 'mer_1',
    environment: 'sandbox',
    type: 'capture',
    amount_minor: 2_000,
    currency: 'USD',
    provider: 'alpha',
    provider_payment_id: 'sim_1',
    refund_id: null,
    created_at: '2026-06-01T12:00:00+00:00',
    ...change,
  };
}
