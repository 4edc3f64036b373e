import { factsOf, type StoredReport } from '../../domain/dispute.ts';
import type { DisputeChange } from '../../domain/payment-step.ts';

/** A chargeback that has taken an amount in USD, at `alpha`. */
export function disputeChange(id: string, attemptId: string, amountMinor: number): DisputeChange {
  const report: StoredReport = {
    eventId: `${id} ${amountMinor}`,
    providerReference: 'simdp_1',
    providerEvent: 'dispute.opened',
    stage: 'chargeback',
    status: 'needs_response',
    unknownStatus: null,
    reason: 'fraudulent',
    networkReasonCode: '10.4',
    amountMinor,
    currency: 'USD',
    respondBy: '2026-02-01T00:00:00.000Z',
    isDefendable: true,
    funds: 'withdrawn',
    occurredAt: '2026-01-01T00:00:00.000Z',
  };
  const { providerReference } = report;
  const reports = [report];
  return {
    id,
    attemptId,
    provider: 'alpha',
    providerReference,
    facts: factsOf(reports),
    reports,
    blockedMinor: amountMinor,
  };
}
