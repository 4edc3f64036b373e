import { proxyActivities } from '@temporalio/workflow';
import type { StrayChargeActivities } from '../../protocol/stray-charge-activities.ts';
import type { ManualResolutionActivities } from '../../protocol/manual-resolution-activities.ts';
import {
  CALL_UNTIL_ANSWERED_OPTIONS,
  INQUIRY_OPTIONS,
  DATABASE_OPTIONS,
  SINGLE_INQUIRY_OPTIONS,
} from '../shared/activity-options.ts';

export const inquiries = proxyActivities<Pick<StrayChargeActivities, 'inquireStrayCharge'>>(INQUIRY_OPTIONS);

export const voids = proxyActivities<Pick<StrayChargeActivities, 'voidStrayCharge'>>(CALL_UNTIL_ANSWERED_OPTIONS);

export const singleInquiries =
  proxyActivities<Pick<StrayChargeActivities, 'inquireStrayCharge'>>(SINGLE_INQUIRY_OPTIONS);

export const records = proxyActivities<
  Pick<StrayChargeActivities, 'recordStrayCharge'> & Pick<ManualResolutionActivities, 'noteStrayChargeResolution'>
>(DATABASE_OPTIONS);
