import type * as purge from '../../../prisma/queries/purge.ts';
import { retentionRules } from '../../../worker/jobs/purge.ts';
import type { SamplesOf } from './samples-of.ts';

const RETENTION = {
  eventsDays: 30,
  providerEventsDays: 30,
  paymentsDays: 365,
  auditEventsDays: 400,
  requestsDays: 7,
  savedCardsUnusedDays: 730,
};

export const samples: SamplesOf<typeof purge> = {
  deleteOld: retentionRules(RETENTION).map((rule) => [rule, 500]),
  eraseSecurityCodes: [[{ hoursAfterExpiry: 1, daysAfterEnd: 1, limit: 500 }]],
  deleteCardDigests: [[{ hoursAfterExpiry: 1, daysAfterEnd: 1, limit: 500 }]],
  deleteUnsavedCards: [[{ hoursAfterExpiry: 1, daysAfterEnd: 1, limit: 500 }]],
  deleteDisputeFiles: [[{ daysAfterEnd: 90, limit: 500 }]],
  eraseDisputeEvidence: [[{ daysAfterEnd: 90, limit: 500 }]],
  erasePaymentMethods: [[{ daysAfterEnd: 1, limit: 500 }]],
  deleteUnusedPaymentMethods: [[{ daysAfterEnd: 1, limit: 500 }]],
  deleteRateLimits: [[{ afterMs: 60_000, limit: 500 }]],
  deletePayments: [[{ keepDays: 365, limit: 500 }]],
};
