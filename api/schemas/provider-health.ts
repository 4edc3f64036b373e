import { z } from 'zod';
import { CIRCUIT_STATES } from '../../prisma/queries/provider-health.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime } from './common.ts';

/** GET /provider-health */
export const listProviderHealthQuery = z.strictObject(pageQuery);

/** How a provider does, in every response. */
export const providerHealthResource = z.object({
  provider: z.string(),
  object: z.literal('provider_health'),
  environment: z.enum(ENVIRONMENTS),
  /** How far back the account's payment intents are counted. */
  windowSeconds: z.number(),
  /** Attempts that have ended, except those that were called off. */
  attempts: z.number(),
  approved: z.number(),
  /** Attempts that ended without a usable answer, so that nothing was charged. */
  unanswered: z.number(),
  /** `approved` of `attempts`, from 0 to 1; null without attempts. */
  successRate: z.number().nullable(),
  /** From the start of an attempt to its outcome, tries and waits for the customer included; null without attempts. */
  latency: z.object({ medianMs: z.number(), p95Ms: z.number() }).nullable(),
  /** Shared by all accounts: `open`, the provider is asked last; `half_open`, it is asked again after failures. */
  circuit: z.object({
    state: z.enum(CIRCUIT_STATES),
    openUntil: responseTime.nullable(),
    /** Since when the provider gives no usable answer; null while it does. */
    failingSince: responseTime.nullable(),
  }),
});

export type ProviderHealthResource = z.infer<typeof providerHealthResource>;
