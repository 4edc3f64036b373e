import { z } from 'zod';
import { CIRCUIT_STATES } from '../../prisma/queries/provider-health.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The name of the provider, which names its health.',
  provider: 'The name of the provider.',
  environment: 'The environment of the API key: `sandbox` or `production`.',
  windowSeconds: "How far back the account's payment intents are counted, in seconds.",
  attempts: 'How many attempts have ended, without those that were canceled.',
  approved: 'How many of these attempts the provider approved.',
  unanswered: 'How many of these attempts ended without a usable answer, so that nothing was charged.',
  successRate: 'The part of the attempts that were approved, from 0 to 1; null without attempts.',
  latency:
    'How long attempts took from their start to their outcome, tries and waits for the customer included; null without attempts.',
  circuit: 'The circuit breaker of the environment, which all accounts share.',
};
const LATENCY_MEMBERS = {
  medianMs: 'The median, in milliseconds.',
  p95Ms: 'The 95th percentile, in milliseconds.',
};
const CIRCUIT_MEMBERS = {
  state: withValues<(typeof CIRCUIT_STATES)[number]>('The state of the circuit breaker.', {
    closed: 'the provider is asked as the routes say',
    open: 'the provider is asked last, after failures or slow answers',
    half_open: 'the provider is asked again after failures',
  }),
  openUntil: 'When an open circuit ends; ISO 8601 in UTC. Null if it is not open.',
  failingSince:
    'Since when the provider has given no usable answer within 5 s; ISO 8601 in UTC. Null if its last answer was usable and in time.',
};

/** GET /provider-health */
export const listProviderHealthQuery = z.strictObject(pageQuery);

/** The health of a provider, in every response. */
export const providerHealthResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      provider: z.string(),
      object: z.literal('provider_health'),
      environment: z.enum(ENVIRONMENTS),
      windowSeconds: z.int(),
      attempts: z.int(),
      approved: z.int(),
      unanswered: z.int(),
      successRate: z.number().nullable(),
      latency: z.object(described(LATENCY_MEMBERS, { medianMs: z.int(), p95Ms: z.int() })).nullable(),
      circuit: z.object(
        described(CIRCUIT_MEMBERS, {
          state: z.enum(CIRCUIT_STATES),
          openUntil: responseTime.nullable(),
          failingSince: responseTime.nullable(),
        }),
      ),
    }),
  )
  .describe("The health of a provider: the account's attempts of the last hour, and the circuit breaker.");

export type ProviderHealthResource = z.infer<typeof providerHealthResource>;
