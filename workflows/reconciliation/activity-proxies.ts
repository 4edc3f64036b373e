import { proxyActivities } from '@temporalio/workflow';
import type { ReconciliationActivities } from '../../protocol/reconciliation-activities.ts';
import { LISTING_OPTIONS, DATABASE_OPTIONS } from '../shared/activity-options.ts';

export const records =
  proxyActivities<Pick<ReconciliationActivities, 'beginReconciliation' | 'failReconciliation'>>(DATABASE_OPTIONS);

export const pages = proxyActivities<Pick<ReconciliationActivities, 'reconcilePage'>>(LISTING_OPTIONS);
