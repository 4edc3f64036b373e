import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import type { RunningProvider } from '../engine/chaos-engine.ts';
import { readLedger } from '../snapshot/ledger.ts';
import type { PaymentPlan } from './payment-plan.ts';

type Settlement = NonNullable<PaymentPlan['settlement']>;

/** Sends settlement instructions to the providers. */
export interface SettlementClient {
  /** Settles the open payments of an intent after a delay; does nothing where none is open. */
  settle(paymentIntentId: string, settlement: Settlement): Promise<void>;
  /** Approves all pending payments and refunds. @returns how many */
  settleAllPending(): Promise<number>;
}

const TIMEOUT_MS = 5 * SECOND_MS;
const settledSchema = z.object({ id: z.string() });

export function createSettlementClient(providers: readonly Pick<RunningProvider, 'name' | 'url'>[]): SettlementClient {
  const post = async (url: string, body: object): Promise<boolean> => {
    try {
      const response = await fetch(new URL('/simulate/settle', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return settledSchema.safeParse(await response.json()).success;
    } catch {
      // The provider is down; open payments are settled at the end of the run.
      return false;
    }
  };
  return {
    async settle(paymentIntentId, { outcome, afterMs }) {
      await sleep(afterMs);
      await Promise.all(providers.map(({ url }) => post(url, { paymentIntentId, outcome })));
    },
    async settleAllPending() {
      const entries = await readLedger(providers);
      const requests = entries.flatMap(({ provider, reference, status, refunds }) => {
        const url = providers.find(({ name }) => name === provider)?.url ?? '';
        const silent = status === 'pending' && reference !== null ? [{ url, body: { reference } }] : [];
        const waiting = refunds.filter((refund) => refund.status === 'pending' && refund.reference !== null);
        return [...silent, ...waiting.map((refund) => ({ url, body: { refundReference: refund.reference } }))];
      });
      const settled = await Promise.all(requests.map(({ url, body }) => post(url, { ...body, outcome: 'approved' })));
      return settled.filter((isSettled) => isSettled).length;
    },
  };
}
