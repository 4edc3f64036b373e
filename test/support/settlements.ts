import type { ReportedSettlement, ReportedSettlementEntry } from '../../domain/settlement.ts';

/** A settlement that was paid, of 9.41 USD; `overrides` win. */
export function reportedSettlement(overrides: Partial<ReportedSettlement> = {}): ReportedSettlement {
  return {
    providerReference: 'batch_1',
    status: 'paid',
    currency: 'USD',
    netAmountMinor: 941,
    arrivalDate: '2026-11-30',
    bankReference: 'UTR1',
    ...overrides,
  };
}

/** A payment of 10.00 USD with a fee of 0.59; `overrides` win, and the net follows from amount and fee. */
export function reportedEntry(overrides: Partial<ReportedSettlementEntry> = {}): ReportedSettlementEntry {
  const { amountMinor = 1_000, feeMinor = 59 } = overrides;
  return {
    type: 'payment',
    providerType: 'capture',
    providerReference: 'line_1',
    matches: {},
    amountMinor,
    feeMinor,
    feeDetails: feeMinor === 0 ? [] : [{ type: 'provider', amountMinor: feeMinor }],
    netMinor: amountMinor - feeMinor,
    currency: 'USD',
    originalAmountMinor: null,
    originalCurrency: null,
    exchangeRate: null,
    occurredAt: '2026-11-28T12:00:00.000Z',
    availableOn: null,
    ...overrides,
  };
}
