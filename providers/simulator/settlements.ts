import { z } from 'zod';
import { isId } from '../../domain/ids.ts';
import {
  type ReportedSettlement,
  type ReportedSettlementEntry,
  SETTLEMENT_FEE_TYPES,
  SETTLEMENT_STATUSES,
} from '../../domain/settlement.ts';

const identifier = z.string().min(1).max(200);
const currency = z.string().regex(/^[A-Z]{3}$/);

/** One page of the simulator's settlements. */
export const settlementListSchema = z.object({
  settlements: z.array(
    z.object({
      id: identifier,
      currency,
      status: z.enum(SETTLEMENT_STATUSES),
      net: z.int(),
      arrivalDate: z.iso.date(),
      bankReference: identifier,
    }),
  ),
  nextCursor: identifier.nullable(),
});

/** One page of the lines of a settlement. */
export const settlementLinesSchema = z.object({
  lines: z.array(
    z.object({
      id: identifier,
      type: z.enum(['payment', 'refund', 'chargeback', 'chargeback_reversal']),
      paymentId: identifier,
      reference: identifier,
      chargeReference: identifier.nullable(),
      amount: z.int(),
      fee: z.int(),
      fees: z.array(z.object({ type: z.enum(SETTLEMENT_FEE_TYPES), amount: z.int() })),
      net: z.int(),
      currency,
      originalAmount: z.int().nullable(),
      originalCurrency: currency.nullable(),
      exchangeRate: z
        .string()
        .regex(/^\d+(\.\d+)?$/)
        .nullable(),
      at: z.iso.datetime(),
    }),
  ),
  nextCursor: z.int().nullable(),
});

export function reportedSettlementOf({
  id: providerReference,
  net: netAmountMinor,
  ...settlement
}: z.infer<typeof settlementListSchema>['settlements'][number]): ReportedSettlement {
  return { ...settlement, providerReference, netAmountMinor };
}

type Line = z.infer<typeof settlementLinesSchema>['lines'][number];

export function reportedEntryOf(line: Line): ReportedSettlementEntry {
  return {
    type: line.type,
    providerType: line.type,
    providerReference: line.id,
    matches: matchesOf(line),
    amountMinor: line.amount,
    feeMinor: line.fee,
    feeDetails: line.fees.map(({ type, amount: amountMinor }) => ({ type, amountMinor })),
    netMinor: line.net,
    currency: line.currency,
    originalAmountMinor: line.originalAmount,
    originalCurrency: line.originalCurrency,
    exchangeRate: line.exchangeRate,
    occurredAt: line.at,
    availableOn: null,
  };
}

/** The reference of a refund may be that of the return of a stray charge, which is no refund of ours. */
function matchesOf({ type, paymentId, reference, chargeReference }: Line): ReportedSettlementEntry['matches'] {
  if (type === 'refund') return chargeReference === null ? {} : { refundId: chargeReference };
  const ofPayment = isId('attempt', reference)
    ? { attemptId: reference, providerPaymentReference: paymentId }
    : { providerPaymentReference: paymentId };
  return type === 'payment' || chargeReference === null
    ? ofPayment
    : { ...ofPayment, disputeReference: chargeReference };
}
