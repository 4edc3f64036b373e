import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refund-activities.ts';
import {
  CALL_UNTIL_ANSWERED_OPTIONS,
  INQUIRY_OPTIONS,
  READ_OPTIONS,
  RECORD_OPTIONS,
} from '../shared/activity-options.ts';

export const reads = proxyLocalActivities<Pick<RefundActivities, 'readRefundEvent'>>(READ_OPTIONS);

export const records =
  proxyActivities<Pick<RefundActivities, 'readRefundEnd' | 'recordRefund' | 'recordRefundFailure'>>(RECORD_OPTIONS);

export const refunds = proxyActivities<Pick<RefundActivities, 'refundPayment'>>(CALL_UNTIL_ANSWERED_OPTIONS);

export const inquiries = proxyActivities<Pick<RefundActivities, 'awaitRefund'>>(INQUIRY_OPTIONS);
