import type { ChannelLimit } from '../../prisma/generated/client.ts';
import { type ChannelLimitKey, type ChannelLimitResource, channelLimitResource } from '../schemas/channel-limit.ts';

const { environment: environments, paymentMethod: methods } = channelLimitResource.shape;

/** The limit as clients see it. */
export function presentLimit(row: ChannelLimit): ChannelLimitResource {
  const paymentMethod = methods.parse(row.method);
  return {
    id: idOfLimit({ paymentMethod, currency: row.currency }),
    object: 'channel_limit',
    environment: environments.parse(row.environment),
    paymentMethod,
    currency: row.currency,
    minimumAmount: Number(row.minimumMinor),
    maximumAmount: Number(row.maximumMinor),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A limit is named by what it is of. */
export function idOfLimit({ paymentMethod, currency }: ChannelLimitKey): string {
  return `${paymentMethod}:${currency}`;
}
