import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payment-activities.ts';
import { INQUIRY_OPTIONS, RECORD_OPTIONS, TRY_OPTIONS } from '../shared/activity-options.ts';

export const records =
  proxyLocalActivities<Pick<PaymentActivities, 'planPayment' | 'recordChange' | 'applyAmendment'>>(RECORD_OPTIONS);

/** Calls that move money. */
export const payments = proxyActivities<Pick<PaymentActivities, 'authorizePayment' | 'capturePayment'>>(TRY_OPTIONS);

export const inquiries =
  proxyActivities<Pick<PaymentActivities, 'inquirePayment' | 'awaitPayment' | 'closePayment'>>(INQUIRY_OPTIONS);
