import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { newId } from '../../../../domain/new-id.ts';
import { HOUR_MS } from '../../../../domain/time.ts';
import { createReconciliationScheduler } from '../../../../worker/jobs/schedule-reconciliations.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { registryOf } from '../../../support/one-provider-registry.ts';
import { insertProviderAccount } from '../../../support/provider-accounts.ts';

const { signal } = new AbortController();

describe('reconciliation scheduler', function () {
  this.timeout(60_000);
  const test = useAccount();
  let scheduled: Set<string>;
  let calls: string[];
  let broken: Set<string>;

  beforeEach(async () => {
    scheduled = new Set();
    calls = [];
    broken = new Set();
    await test.database.paymentRoute.deleteMany();
    await test.database.providerAccount.deleteMany();
  });

  const insertRoutes = async (provider: string): Promise<void> => {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: test.account } });
    const data = { merchantId, environment: 'sandbox', provider, method: 'card' };
    for (let count = 0; count < 2; count += 1) {
      await test.database.paymentRoute.create({ data: { id: newId('paymentRoute'), ...data } });
    }
  };

  /** A worker that knows `alpha`, and accounts at providers that can be asked one by one. */
  const workerWith = (reconcileEveryMs: number) => {
    const list = { listPayments: () => Promise.resolve({ payments: [], nextCursor: null }) };
    const configured = registryOf(list);
    const accounts = registryOf({ findPayment: () => Promise.resolve(null) });
    return createReconciliationScheduler({
      database: test.database,
      registry: {
        async find(name) {
          if (broken.has(name)) throw new Error(`no key opens the credentials of ${name}`);
          return name.startsWith('simulator_') ? accounts.find('alpha') : configured.find(name);
        },
      },
      reconciliations: {
        async schedule(provider, everyMs) {
          calls.push(`${provider} ${everyMs}`);
          scheduled.add(provider);
        },
        async unschedule(provider) {
          calls.push(`no ${provider}`);
          scheduled.delete(provider);
        },
        scheduled: () => Promise.resolve([...scheduled]),
      },
      reconcileEveryMs,
    });
  };

  it('schedules each provider with a list of payments once, also one whose route comes later', async () => {
    const schedule = workerWith(HOUR_MS);
    await insertRoutes('beta');
    await schedule(signal);
    assert.deepEqual(calls, []);
    await insertRoutes('alpha');
    await schedule(signal);
    await schedule(signal);
    assert.deepEqual(calls, [`alpha ${HOUR_MS}`]);
    await workerWith(2 * HOUR_MS)(signal);
    assert.deepEqual(calls.slice(1), [`alpha ${2 * HOUR_MS}`], 'another worker has another interval');
  });

  it('keeps the schedule of a provider without a route, and ends that of one which is not configured any more', async () => {
    scheduled = new Set(['alpha', 'gone']);
    await workerWith(HOUR_MS)(signal);
    assert.deepEqual([calls, [...scheduled]], [['no gone'], ['alpha']]);
    await workerWith(0)(signal);
    assert.deepEqual([...scheduled], []);
  });

  it('schedules an account for as long as it is active', async () => {
    const id = await insertProviderAccount(test.database, test.account);
    await insertRoutes(id);
    const schedule = workerWith(HOUR_MS);
    const setStatus = (status: string) => test.database.providerAccount.update({ where: { id }, data: { status } });
    for (const status of ['active', 'disabled', 'active']) {
      await setStatus(status);
      await schedule(signal);
      await schedule(signal);
    }
    await test.database.providerAccount.deleteMany();
    await schedule(signal);
    assert.deepEqual(calls, [`${id} ${HOUR_MS}`, `no ${id}`, `${id} ${HOUR_MS}`, `no ${id}`]);
  });

  it('schedules other accounts although one cannot be used, which keeps its schedule', async () => {
    const accounts = [await insertProviderAccount(test.database, test.account)];
    accounts.push(await insertProviderAccount(test.database, test.account));
    broken = new Set(accounts.slice(0, 1));
    scheduled = new Set([...broken, 'gone']);
    await assert.rejects(workerWith(HOUR_MS)(signal), /1 rows could not be handled/);
    assert.deepEqual(calls, [`${accounts[1]} ${HOUR_MS}`, 'no gone']);
    assert.deepEqual([...scheduled], accounts);
  });

  it('does not schedule a provider that can neither list payments nor be asked about one', async () => {
    await insertRoutes('alpha');
    const { find } = registryOf({});
    const schedule = createReconciliationScheduler({
      database: test.database,
      registry: { find },
      reconciliations: {
        schedule: () => assert.fail('scheduled'),
        unschedule: () => assert.fail('unscheduled'),
        scheduled: () => Promise.resolve([]),
      },
      reconcileEveryMs: HOUR_MS,
    });
    await schedule(signal);
    await schedule(signal);
  });
});
