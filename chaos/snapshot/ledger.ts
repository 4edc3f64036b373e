import { z } from 'zod';
import type { RunningProvider } from '../engine/chaos-engine.ts';

/** The entry of a provider's own ledger for one idempotency key; amounts in minor units. */
export interface LedgerEntry {
  readonly provider: string;
  /** The attempt's id. */
  readonly idempotencyKey: string;
  readonly reference: string | null;
  readonly paymentIntentId: string | null;
  /** The status of the payment; null if the provider has no payment under the key. */
  readonly status: string | null;
  readonly charges: readonly LedgerCharge[];
  readonly refunds: readonly LedgerRefund[];
}

interface LedgerCharge {
  readonly type: 'authorization' | 'capture' | 'void' | 'refund';
  readonly amount: number;
}

interface LedgerRefund {
  readonly idempotencyKey: string;
  readonly reference: string | null;
  readonly status: string | null;
  readonly amount: number;
}

const pageSchema = z.object({
  data: z.array(
    z.object({
      idempotencyKey: z.string(),
      reference: z.string().nullable(),
      paymentIntentId: z.string().nullable(),
      payment: z.object({ status: z.string() }).nullable(),
      charges: z.array(z.object({ type: z.enum(['authorization', 'capture', 'void', 'refund']), amount: z.number() })),
      refunds: z.array(
        z.object({
          idempotencyKey: z.string(),
          refund: z.object({ reference: z.string(), status: z.string(), amount: z.number() }).nullable(),
        }),
      ),
    }),
  ),
  pagination: z.object({ totalPages: z.number() }),
});

const PAGE_SIZE = 100;

/** All entries in the ledgers of all providers. */
export async function readLedger(
  providers: readonly Pick<RunningProvider, 'name' | 'url'>[],
): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (const { name, url } of providers) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const response = await fetch(new URL(`/ledger?limit=${PAGE_SIZE}&page=${page}`, url));
      const { data, pagination } = pageSchema.parse(await response.json());
      entries.push(...data.map((entry) => entryOf(name, entry)));
      pages = pagination.totalPages;
    }
  }
  return entries;
}

function entryOf(provider: string, entry: z.infer<typeof pageSchema>['data'][number]): LedgerEntry {
  const { payment, refunds, ...rest } = entry;
  return {
    ...rest,
    provider,
    status: payment?.status ?? null,
    refunds: refunds.map(({ idempotencyKey, refund }) => ({
      idempotencyKey,
      reference: refund?.reference ?? null,
      status: refund?.status ?? null,
      amount: refund?.amount ?? 0,
    })),
  };
}
