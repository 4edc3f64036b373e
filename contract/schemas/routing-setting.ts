import { z } from 'zod';
import { ORDERINGS, type Ordering } from '../../domain/approval-order.ts';
import { ENVIRONMENTS, PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import { responseTime } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const paymentMethod = z.enum(PAYMENT_METHOD_TYPES);

/** What holds where nothing is set. */
export const ROUTING_DEFAULTS = {
  ordering: 'weighted',
  explorationShare: 0.1,
  minimumAttempts: 50,
  windowHours: 24,
} as const;

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The payment method that the setting is for.',
  paymentMethod: 'The payment method that the setting is for: `card`, `upi` or `crypto`.',
  ordering: withValues<Ordering>('How routes of equal `priority` are ordered.', {
    weighted: 'each payment draws the order, by `weight`',
    approval_rate: 'the provider with the highest approval rate first, but for the exploration',
  }),
  explorationShare:
    'Of the payments that could go to the provider with the highest rate, how many go to the others instead, so that their rates ' +
    'stay known; 0.05 to 0.5.',
  minimumAttempts:
    'Attempts of a provider below which its rate does not count, and its routes get their share by `weight`; 10 to 1,000.',
  windowHours: 'After how many hours without an attempt a rate does not count any more; 1 to 168.',
  rates:
    'The rates of the account that are measured for payments of any currency and country, while `ordering` is `approval_rate`, ' +
    'highest first.',
  updatedAt: 'When it was last set; null where it never was, and the defaults hold.',
};
const RATE_MEMBERS = {
  provider: 'The provider.',
  approvalRate: 'Of the first attempts of payments, how many were approved, from 0 to 1; newer ones count more.',
  attempts: 'How many attempts were measured.',
};

/** /routing-settings/{paymentMethod} */
export const routingSettingPath = z.object({ paymentMethod });

/** PUT /routing-settings/{paymentMethod} */
export const routingSettingBody = z
  .strictObject(
    described(MEMBERS, {
      ordering: z.enum(ORDERINGS),
      explorationShare: z.number().min(0.05).max(0.5).default(ROUTING_DEFAULTS.explorationShare),
      minimumAttempts: z.int().min(10).max(1_000).default(ROUTING_DEFAULTS.minimumAttempts),
      windowHours: z.int().min(1).max(168).default(ROUTING_DEFAULTS.windowHours),
    }),
  )
  .describe('How routes of equal priority are ordered. What is left out gets its default.');

export type RoutingSettingFields = z.output<typeof routingSettingBody>;

/** The setting in every response. */
export const routingSettingResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('routing_setting'),
      environment: z.enum(ENVIRONMENTS),
      paymentMethod,
      ordering: z.enum(ORDERINGS),
      explorationShare: z.number(),
      minimumAttempts: z.int(),
      windowHours: z.int(),
      rates: z.array(
        z.object(described(RATE_MEMBERS, { provider: z.string(), approvalRate: z.number(), attempts: z.int() })),
      ),
      updatedAt: responseTime.nullable(),
    }),
  )
  .describe('How routes of equal priority of a payment method are ordered.');

export type RoutingSettingResource = z.infer<typeof routingSettingResource>;
