import type * as webhookAttempt from '../../../prisma/queries/webhook-attempt.ts';
import type { SamplesOf } from './samples-of.ts';

const MADE = {
  deliveryId: 'whd_1',
  webhookEndpointId: 'whe_1',
  number: 1,
  retryPauseMs: 5_000,
  isProbe: true,
  startedAt: new Date(0),
  durationMs: 40,
} as const;
const DELIVERED = { statusCode: 204, error: null, responseBody: '' };
const TIMED_OUT = { statusCode: null, error: 'timeout', responseBody: null } as const;

export const samples: SamplesOf<typeof webhookAttempt> = {
  recordDelivered: [[{ ...MADE, reply: DELIVERED }]],
  recordFailed: [[{ ...MADE, reply: TIMED_OUT }], [{ ...MADE, retryPauseMs: null, reply: TIMED_OUT }]],
  holdDelivery: [['whd_1']],
  cancelDelivery: [['whd_1', 'endpoint_deleted']],
};
