import type { Database } from '../../../prisma/client.ts';
import type { ChannelLimit } from '../../../prisma/generated/client.ts';
import { updateOptimistically, nextVersion } from '../../middleware/change-once.ts';
import { ApiError } from '../../middleware/errors.ts';
import { type MerchantOwner, ofMerchant } from '../merchant-owner.ts';
import type { ChannelLimitAmounts, ChannelLimitKey } from '../../schemas/channel-limit.ts';

/** Makes the limit or replaces it; one that is so already stays as it is. @throws ApiError `STATE_CONFLICT` */
export async function putLimit(
  database: Database,
  owner: MerchantOwner,
  { key, amounts }: { readonly key: ChannelLimitKey; readonly amounts: ChannelLimitAmounts },
): Promise<ChannelLimit> {
  const limit = rowOf(owner, key);
  const bounds = { minimumMinor: BigInt(amounts.minimumAmount), maximumMinor: BigInt(amounts.maximumAmount) };
  const data = [{ ...limit, ...bounds }];
  const [inserted] = await database.channelLimit.createManyAndReturn({ data, skipDuplicates: true });
  if (inserted !== undefined) return inserted;
  return await updateOptimistically({
    read: () => database.channelLimit.findFirst({ where: limit }),
    write: async ({ version }) => {
      const [changed] = await database.channelLimit.updateManyAndReturn({
        where: { ...limit, version },
        data: { ...bounds, ...nextVersion() },
      });
      return changed;
    },
    isDone: (row) => row.minimumMinor === bounds.minimumMinor && row.maximumMinor === bounds.maximumMinor,
    // Whoever puts a limit is never told that there is none: it was deleted this very moment.
    notFound: 'STATE_CONFLICT',
  });
}

/** From then on any amount is allowed. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function deleteLimit(database: Database, owner: MerchantOwner, key: ChannelLimitKey): Promise<void> {
  const { count } = await database.channelLimit.deleteMany({ where: rowOf(owner, key) });
  if (count === 0) throw new ApiError('RESOURCE_NOT_FOUND');
}

function rowOf(owner: MerchantOwner, { paymentMethod: method, currency }: ChannelLimitKey) {
  return { ...ofMerchant(owner), method, currency };
}
