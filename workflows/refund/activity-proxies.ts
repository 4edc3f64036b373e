import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refund-activities.ts';
import { CALL_UNTIL_ANSWERED_OPTIONS, INQUIRY_OPTIONS, DATABASE_OPTIONS } from '../shared/activity-options.ts';

export const reads = proxyLocalActivities<Pick<RefundActivities, 'readRefundEvent'>>(DATABASE_OPTIONS);

export const records =
  proxyActivities<Pick<RefundActivities, 'readRefundEnd' | 'recordRefund' | 'recordRefundFailure'>>(DATABASE_OPTIONS);

export const refunds = proxyActivities<Pick<RefundActivities, 'refundPayment'>>(CALL_UNTIL_ANSWERED_OPTIONS);

export const inquiries = proxyActivities<Pick<RefundActivities, 'awaitRefund'>>(INQUIRY_OPTIONS);
