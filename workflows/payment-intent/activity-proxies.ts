import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payment-activities.ts';
import { INQUIRY_BACKOFF, TRY_BACKOFF } from '../../domain/retry-plan.ts';

/** Database work runs beside the workflow task; it is repeated until the database answers. */
export const records = proxyLocalActivities<Pick<PaymentActivities, 'planPayment' | 'recordChange' | 'applyAmendment'>>(
  {
    startToCloseTimeout: '10 seconds',
    retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
  },
);

/** A worker that dies is noticed by its missing heartbeat, long before the call itself would time out. */
const providerCall = {
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
} as const;

/** Tried at once and after 1 s, 2 s, 4 s; then the outcome counts as unknown. */
export const authorization = proxyActivities<Pick<PaymentActivities, 'authorizePayment'>>({
  ...providerCall,
  retry: {
    initialInterval: TRY_BACKOFF.initialIntervalMs,
    backoffCoefficient: TRY_BACKOFF.coefficient,
    maximumAttempts: TRY_BACKOFF.maximumTries,
  },
});

/** Asked for as long as it takes: an unknown outcome is never given up. */
export const inquiries = proxyActivities<Pick<PaymentActivities, 'inquirePayment' | 'awaitPayment' | 'closePayment'>>({
  ...providerCall,
  retry: {
    initialInterval: INQUIRY_BACKOFF.initialIntervalMs,
    backoffCoefficient: INQUIRY_BACKOFF.coefficient,
    maximumInterval: INQUIRY_BACKOFF.maximumIntervalMs,
  },
});
