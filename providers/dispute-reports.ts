import type { DisputeReport, StoredReport } from '../domain/dispute.ts';

/**
 * Reports that came in no event of the provider, with ids by which a repeat of the same is recognised.
 * @param asked names the question that they answer, where the same answer to another one is something else
 */
export function withEventIds(reports: readonly DisputeReport[], asked = 'listed'): readonly StoredReport[] {
  return reports.map((report) => {
    const { providerReference, providerEvent, stage, status, funds, occurredAt } = report;
    const eventId = [asked, providerReference, providerEvent, stage, status, funds, occurredAt].join(' ');
    return { ...report, eventId };
  });
}
