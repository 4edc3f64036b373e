import type * as policyReport from '../../../prisma/queries/policy-report.ts';
import type { SamplesOf } from './samples-of.ts';

const REPORT = { page: 'payment-page', directive: 'script-src-elem', blocked: 'https://other.example' };

export const samples: SamplesOf<typeof policyReport> = {
  addPolicyReports: [[[{ ...REPORT, reports: 2, lastAt: '2026-11-28T10:00:00.000Z' }]]],
  sumPolicyReports: [[10]],
};
