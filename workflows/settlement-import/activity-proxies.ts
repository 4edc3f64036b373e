import { proxyActivities } from '@temporalio/workflow';
import type { SettlementActivities } from '../../protocol/settlement-activities.ts';
import { DATABASE_OPTIONS, LISTING_OPTIONS } from '../shared/activity-options.ts';

export const records =
  proxyActivities<
    Pick<SettlementActivities, 'beginSettlementImport' | 'finishSettlementImport' | 'failSettlementImport'>
  >(DATABASE_OPTIONS);

/** Sums are made over all entries of a settlement, of which there may be a million. */
export const sums = proxyActivities<Pick<SettlementActivities, 'finishSettlement'>>({
  ...DATABASE_OPTIONS,
  startToCloseTimeout: '2 minutes',
});

export const pages =
  proxyActivities<Pick<SettlementActivities, 'listSettlements' | 'importEntries' | 'expectSettlements'>>(
    LISTING_OPTIONS,
  );
