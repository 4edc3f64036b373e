import type { Database } from '../../../prisma/client.ts';
import type { ChannelLimit } from '../../../prisma/generated/client.ts';
import { type MerchantOwner, ofMerchant } from '../merchant-owner.ts';
import {
  type ChannelLimitKey,
  type ChannelLimitResource,
  channelLimitResource,
  type ListChannelLimits,
} from '../../schemas/channel-limit.ts';

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

export function idOfLimit({ paymentMethod, currency }: ChannelLimitKey): string {
  return `${paymentMethod}:${currency}`;
}

/** One page of the merchant's limits, newest first, and how many there are in all. */
export async function listLimits(
  database: Database,
  owner: MerchantOwner,
  { page, limit, paymentMethod, currency }: ListChannelLimits,
): Promise<{ readonly rows: readonly ChannelLimit[]; readonly total: number }> {
  const where = {
    ...ofMerchant(owner),
    ...(paymentMethod === undefined ? {} : { method: paymentMethod }),
    ...(currency === undefined ? {} : { currency }),
  };
  const [rows, total] = await Promise.all([
    database.channelLimit.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { method: 'asc' }, { currency: 'asc' }],
      skip: (page - 1) * limit,
      take: limit,
    }),
    database.channelLimit.count({ where }),
  ]);
  return { rows, total };
}
