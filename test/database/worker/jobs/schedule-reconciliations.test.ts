import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { newId } from '../../../../domain/new-id.ts';
import { HOUR_MS } from '../../../../domain/time.ts';
import { createReconciliationScheduler } from '../../../../worker/jobs/schedule-reconciliations.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { registryOf } from '../../../support/one-provider-registry.ts';

describe('reconciliation scheduler', function () {
  this.timeout(60_000);
  const test = useAccount();

  it('schedules each provider with a list of payments once, also one whose route comes later', async () => {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: test.account } });
    const insertRoutes = async (provider: string): Promise<void> => {
      const data = { merchantId, environment: 'sandbox', provider, method: 'card' };
      for (let count = 0; count < 2; count += 1) {
        await test.database.paymentRoute.create({ data: { id: newId('paymentRoute'), ...data } });
      }
    };
    const calls: string[] = [];
    const schedule = createReconciliationScheduler({
      database: test.database,
      registry: registryOf({ listPayments: () => Promise.resolve({ payments: [], nextCursor: null }) }),
      reconciliations: { schedule: async (provider, everyMs) => void calls.push(`${provider} ${everyMs}`) },
      reconcileEveryMs: HOUR_MS,
    });
    const { signal } = new AbortController();
    await insertRoutes('beta');
    await schedule(signal);
    assert.deepEqual(calls, []);
    await insertRoutes('alpha');
    await schedule(signal);
    await schedule(signal);
    assert.deepEqual(calls, [`alpha ${HOUR_MS}`]);
  });
});
