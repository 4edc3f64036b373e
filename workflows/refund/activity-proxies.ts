import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { RefundActivities } from '../../protocol/refund-activities.ts';
import type { ManualResolutionActivities } from '../../protocol/manual-resolution-activities.ts';
import {
  CALL_UNTIL_ANSWERED_OPTIONS,
  INQUIRY_OPTIONS,
  DATABASE_OPTIONS,
  READ_OPTIONS,
  SINGLE_INQUIRY_OPTIONS,
} from '../shared/activity-options.ts';

export const reads = proxyLocalActivities<Pick<RefundActivities, 'readRefundEvent'>>(READ_OPTIONS);

export const records = proxyActivities<
  Pick<RefundActivities, 'readRefundEnd' | 'recordRefund' | 'recordRefundFailure'> &
    Pick<ManualResolutionActivities, 'noteRefundResolution'>
>(DATABASE_OPTIONS);

export const refunds = proxyActivities<Pick<RefundActivities, 'refundPayment'>>(CALL_UNTIL_ANSWERED_OPTIONS);

export const inquiries = proxyActivities<Pick<RefundActivities, 'awaitRefund'>>(INQUIRY_OPTIONS);

export const singleInquiries = proxyActivities<Pick<RefundActivities, 'awaitRefund'>>(SINGLE_INQUIRY_OPTIONS);
