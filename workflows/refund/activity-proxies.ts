import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refund-activities.ts';
import { INQUIRY_OPTIONS, RECORD_OPTIONS, TRY_OPTIONS } from '../shared/activity-options.ts';

export const records = proxyLocalActivities<Pick<RefundActivities, 'recordRefund'>>(RECORD_OPTIONS);

export const refunds = proxyActivities<Pick<RefundActivities, 'refundPayment'>>(TRY_OPTIONS);

export const inquiries = proxyActivities<Pick<RefundActivities, 'inquireRefund' | 'awaitRefund'>>(INQUIRY_OPTIONS);
