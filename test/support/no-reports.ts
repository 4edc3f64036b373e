import type { ProviderReports } from '../../activities/provider-reports.ts';

/** No webhook has reported anything. */
export const NO_REPORTS: ProviderReports = {
  ofAttempt: () => Promise.resolve(null),
  ofRefund: () => Promise.resolve(null),
  refusedCaptures: () => Promise.resolve([]),
};
