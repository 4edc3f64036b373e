import type { SettlementEntryRow, SettlementRow } from '../../prisma/queries/settlement.ts';
import type { SettlementEntryResource, SettlementResource } from '../schemas/settlement.ts';
import { presentTime } from './time.ts';

/** A settlement as clients see it. The parts and what is unexplained are always the net amount. */
export function presentSettlement(row: SettlementRow): SettlementResource {
  const { payment = 0, refund = 0, chargeback = 0, chargeback_reversal: reversal = 0 } = row.amounts_by_type;
  const disputes = chargeback + reversal;
  const costs = row.fee_amount_minor + row.tax_amount_minor;
  return {
    id: row.id,
    object: 'settlement',
    merchantId: row.merchant_account_id,
    environment: row.environment,
    provider: row.provider,
    providerReference: row.provider_reference,
    status: row.status,
    currency: row.currency,
    grossAmount: payment,
    refundAmount: refund,
    disputeAmount: disputes,
    otherAmount: row.entries_net_minor - payment - refund - disputes + costs,
    feeAmount: row.fee_amount_minor,
    taxAmount: row.tax_amount_minor,
    netAmount: row.net_amount_minor,
    unexplainedAmount: row.net_amount_minor - row.entries_net_minor,
    arrivalDate: row.arrival_date,
    bankReference: row.bank_reference,
    source: row.source,
    entries: { total: row.entries_total, matched: row.entries_matched, exceptions: row.entries_exceptions },
    bank: row.bank === null ? null : { ...row.bank, confirmedAt: presentTime(row.bank.confirmedAt) },
    settledAt: timeOf(row.settled_at),
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

/** An entry as clients see it. */
export function presentSettlementEntry(row: SettlementEntryRow): SettlementEntryResource {
  return {
    id: row.id,
    object: 'settlement_entry',
    merchantId: row.merchant_account_id,
    environment: row.environment,
    settlementId: row.settlement_id,
    provider: row.provider,
    type: row.type,
    providerType: row.provider_type,
    providerReference: row.provider_reference,
    transactionId: row.transaction_id,
    refundId: row.refund_id,
    disputeId: row.dispute_id,
    paymentIntentId: row.payment_intent_id,
    amount: row.amount_minor,
    fee: row.fee_minor,
    feeDetails: row.fee_details.map(({ type, amountMinor }) => ({ type, amount: amountMinor })),
    net: row.net_minor,
    currency: row.currency,
    originalAmount: row.original_amount_minor,
    originalCurrency: row.original_currency,
    exchangeRate: row.exchange_rate,
    occurredAt: presentTime(row.occurred_at),
    availableOn: row.available_on,
    match: row.match,
    details: row.details,
    resolution: row.resolution,
    note: row.note,
    resolvedAt: timeOf(row.resolved_at),
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

function timeOf(time: string | null): string | null {
  return time === null ? null : presentTime(time);
}
