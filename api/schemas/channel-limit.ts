import { z } from 'zod';
import { ENVIRONMENTS, PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import { amount, currency, deletedResource, pageQuery, refinement, responseTime } from './common.ts';

const paymentMethod = z.enum(PAYMENT_METHOD_TYPES);

/** The path of a limit: /channel-limits/{paymentMethod}/{currency} */
export const channelLimitPath = z.object({ paymentMethod, currency });

export type ChannelLimitKey = z.output<typeof channelLimitPath>;

/** PUT /channel-limits/{paymentMethod}/{currency}: both bounds are inclusive. */
export const channelLimitBody = z
  .strictObject({ minimumAmount: amount, maximumAmount: amount })
  .refine(({ minimumAmount, maximumAmount }) => !(minimumAmount > maximumAmount), {
    path: ['maximumAmount'],
    ...refinement({ fieldCode: 'min', message: 'The maximum must not be below the minimum.' }),
    // Reported together with all other errors.
    when: () => true,
  });

export type ChannelLimitAmounts = z.output<typeof channelLimitBody>;

/** GET /channel-limits */
export const listChannelLimitsQuery = z.strictObject({
  ...pageQuery,
  paymentMethod: paymentMethod.optional(),
  currency: currency.optional(),
});

export type ListChannelLimits = z.output<typeof listChannelLimitsQuery>;

/** The channel limit in every response. */
export const channelLimitResource = z.object({
  /** Method and currency: `card:EUR`. */
  id: z.string(),
  object: z.literal('channel_limit'),
  environment: z.enum(ENVIRONMENTS),
  paymentMethod,
  currency: z.string(),
  minimumAmount: z.number(),
  maximumAmount: z.number(),
  createdAt: responseTime,
  updatedAt: responseTime,
});

export type ChannelLimitResource = z.infer<typeof channelLimitResource>;

export const deletedChannelLimit = deletedResource('channel_limit');
