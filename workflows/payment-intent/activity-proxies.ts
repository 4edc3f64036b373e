import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payment-activities.ts';
import {
  FIRST_TRY_OPTIONS,
  FURTHER_TRIES_OPTIONS,
  INQUIRY_OPTIONS,
  RECORD_OPTIONS,
  TRY_OPTIONS,
} from '../shared/activity-options.ts';

export const records =
  proxyLocalActivities<Pick<PaymentActivities, 'planPayment' | 'recordChange' | 'applyAmendment'>>(RECORD_OPTIONS);

/** Calls that move money. */
export const payments = proxyActivities<Pick<PaymentActivities, 'authorizePayment' | 'capturePayment'>>(TRY_OPTIONS);

/** Asking for the money within the workflow task, and what follows where that brought no answer. */
export const firstTry = proxyLocalActivities<Pick<PaymentActivities, 'authorizeAtOnce'>>(FIRST_TRY_OPTIONS);
export const furtherTries = proxyActivities<Pick<PaymentActivities, 'authorizePayment'>>(FURTHER_TRIES_OPTIONS);

export const inquiries =
  proxyActivities<Pick<PaymentActivities, 'inquirePayment' | 'awaitPayment' | 'closePayment'>>(INQUIRY_OPTIONS);
