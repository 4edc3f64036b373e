import type * as installation from '../../../prisma/queries/installation.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof installation> = {
  selectConnectionLimits: [[]],
  selectServerTime: [[]],
  selectKeyIdsInUse: [
    ['api_key_salts', 10],
    ['webhook_secrets', 10],
    ['provider_credentials', 10],
    ['stored_responses', 10],
    ['payment_methods', 10],
  ],
  selectWebhookArrivals: [[10]],
};
