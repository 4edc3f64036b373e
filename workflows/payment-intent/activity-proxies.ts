import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PaymentActivities } from '../../protocol/payment-activities.ts';
import {
  CALL_UNTIL_ANSWERED_OPTIONS,
  INQUIRY_OPTIONS,
  DATABASE_OPTIONS,
  READ_OPTIONS,
  SINGLE_INQUIRY_OPTIONS,
  TRY_OPTIONS,
} from '../shared/activity-options.ts';

/**
 * Local activities only read: an activity that writes, or calls a provider, is scheduled in the history first. They run through
 * `PaymentRecorder.localActivities`.
 */
export const reads =
  proxyLocalActivities<Pick<PaymentActivities, 'planPayment' | 'readPayment' | 'readProviderEvent'>>(READ_OPTIONS);

export const records =
  proxyActivities<
    Pick<PaymentActivities, 'recordStep' | 'updatePayment' | 'takeOverPayment' | 'noteStrayCharge' | 'followTestClock'>
  >(DATABASE_OPTIONS);

export const authorizations = proxyActivities<Pick<PaymentActivities, 'authorizePayment'>>(TRY_OPTIONS);

export const captures = proxyActivities<Pick<PaymentActivities, 'capturePayment'>>(CALL_UNTIL_ANSWERED_OPTIONS);

export const inquiries =
  proxyActivities<Pick<PaymentActivities, 'inquirePayment' | 'awaitPayment' | 'closePayment'>>(INQUIRY_OPTIONS);

export const singleInquiries = proxyActivities<Pick<PaymentActivities, 'inquirePayment'>>(SINGLE_INQUIRY_OPTIONS);
