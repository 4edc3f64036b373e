import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { pino } from 'pino';
import { LEASE_MS, startJobLeader } from '../../../../worker/jobs/job-leader.ts';
import type { RunningLoop } from '../../../../worker/jobs/run-loop.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { until } from '../../../support/outcomes.ts';

describe('leader of the background jobs', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  const leaders: RunningLoop[] = [];

  afterEach(async () => {
    await Promise.all(leaders.splice(0).map((leader) => leader.stop()));
    await test.database.jobLease.deleteMany();
  });

  interface Worker {
    readonly leader: RunningLoop;
    isLeading: boolean;
    terms: number;
  }

  function startWorker(): Worker {
    const start = (): RunningLoop => {
      worker.isLeading = true;
      worker.terms += 1;
      return {
        stop: async () => {
          worker.isLeading = false;
        },
      };
    };
    const leader = startJobLeader({
      database: test.database,
      name: 'jobs',
      logger: pino({ level: 'silent' }),
      lead: start,
    });
    leaders.push(leader);
    const worker: Worker = { leader, isLeading: false, terms: 0 };
    return worker;
  }

  const leading = (workers: readonly Worker[]): number => workers.filter(({ isLeading }) => isLeading).length;
  const expiry = async (): Promise<number> => (await test.database.jobLease.findFirst())?.expiresAt.getTime() ?? 0;

  it('is one of all workers; another one follows at once when it stops', async () => {
    const workers = [startWorker(), startWorker(), startWorker()];
    await until(() => leading(workers) === 1);
    const first = workers.find(({ isLeading }) => isLeading);
    const expiresAt = await expiry();
    while ((await expiry()) === expiresAt) assert.equal(leading(workers), 1);
    await first?.leader.stop();
    await until(() => leading(workers) === 1);
    assert.equal(first?.isLeading, false);
    const terms = workers.map((worker) => worker.terms).sort();
    assert.deepEqual(terms, [0, 1, 1]);
  });

  it('follows one that was killed when the lease has expired, and not before', async () => {
    const expiresAt = new Date(Date.now() + LEASE_MS);
    await test.database.jobLease.create({ data: { name: 'jobs', holder: 'killed', expiresAt } });
    const worker = startWorker();
    await until(() => worker.isLeading);
    assert.ok(Date.now() >= expiresAt.getTime());
  });

  it('stops its jobs when another one leads, and leads again after that one', async () => {
    const worker = startWorker();
    await until(() => worker.isLeading);
    const expiresAt = new Date(Date.now() + LEASE_MS);
    await test.database.jobLease.update({ where: { name: 'jobs' }, data: { holder: 'another', expiresAt } });
    await until(() => !worker.isLeading);
    await until(() => worker.isLeading);
    assert.ok(Date.now() >= expiresAt.getTime());
    assert.equal(worker.terms, 2);
  });

  it('goes on after its connections were cut', async () => {
    const worker = startWorker();
    await until(() => worker.isLeading);
    await test.cutConnections();
    const expiresAt = await expiry();
    while ((await expiry()) === expiresAt) assert.equal(worker.terms, 1);
    assert.equal(worker.isLeading, true);
  });
});
