import { z } from 'zod';
import { ENVIRONMENTS, PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import { amount, currency, deletedResource, pageQuery, refinement, responseTime } from './common.ts';
import { COMMON_MEMBERS, described } from './descriptions.ts';

const paymentMethod = z.enum(PAYMENT_METHOD_TYPES);

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'Payment method and currency, which name the limit: `card:EUR`.',
  paymentMethod: 'The payment method that the limit is for: `card`, `upi` or `crypto`.',
  currency: 'The currency that the limit is for, as its ISO 4217 code: `EUR`.',
  minimumAmount:
    "The smallest amount that may be paid, in the currency's minor unit; payments below it get `CHANNEL_LIMIT_MIN_EXCEEDED`.",
  maximumAmount:
    "The largest amount that may be paid, in the currency's minor unit; payments above it get `CHANNEL_LIMIT_MAX_EXCEEDED`.",
};

/** The path of a limit: /channel-limits/{paymentMethod}/{currency} */
export const channelLimitPath = z.object({ paymentMethod, currency });

export type ChannelLimitKey = z.output<typeof channelLimitPath>;

/** PUT /channel-limits/{paymentMethod}/{currency}: both bounds are inclusive. */
export const channelLimitBody = z
  .strictObject(described(MEMBERS, { minimumAmount: amount, maximumAmount: amount }))
  .refine(({ minimumAmount, maximumAmount }) => !(minimumAmount > maximumAmount), {
    path: ['maximumAmount'],
    ...refinement({ fieldCode: 'min', message: 'The maximum must not be below the minimum.' }),
    // Reported together with all other errors.
    when: () => true,
  })
  .describe('The smallest and largest amount, both inclusive.');

export type ChannelLimitAmounts = z.output<typeof channelLimitBody>;

/** GET /channel-limits */
export const listChannelLimitsQuery = z.strictObject({
  ...pageQuery,
  paymentMethod: paymentMethod.optional().describe('Selects the limits of this payment method.'),
  currency: currency.optional().describe('Selects the limits in this currency.'),
});

export type ListChannelLimits = z.output<typeof listChannelLimitsQuery>;

/** The channel limit in every response. */
export const channelLimitResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('channel_limit'),
      environment: z.enum(ENVIRONMENTS),
      paymentMethod,
      currency: z.string(),
      minimumAmount: z.int(),
      maximumAmount: z.int(),
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('The smallest and largest amount of a payment method in a currency.');

export type ChannelLimitResource = z.infer<typeof channelLimitResource>;

export const deletedChannelLimit = deletedResource('channel_limit');
