import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { Connection } from '@temporalio/client';
import { describe, it } from 'mocha';
import { runChecks } from '../../../scripts/doctor/check.ts';
import { freeSpaceOf, MACHINE_CHECKS } from '../../../scripts/doctor/machine-checks.ts';
import { TEMPORAL_CHECKS } from '../../../scripts/doctor/temporal-checks.ts';
import { createTemporalClient } from '../../../workflow-client/connection.ts';
import { createWorkerVersions } from '../../../workflow-client/worker-versions.ts';
import { activityWaitsMs } from '../../../workflow-client/activity-waits.ts';

const GIB = 1024 ** 3;

describe('the checks of npm run doctor', () => {
  for (const [freeBytes, severity] of [
    [50 * GIB, undefined],
    [4 * GIB, 'warning'],
    [GIB / 8, 'failed'],
  ] as const) {
    it(`find a disk with ${freeBytes / GIB} of 100 GiB left ${severity ?? 'large enough'}`, async () => {
      const freeSpace = async () => ({ freeBytes, totalBytes: 100 * GIB });
      const [disk] = await runChecks(MACHINE_CHECKS, { dataDir: tmpdir(), freeSpace });
      assert.equal(disk?.finding?.severity, severity);
    });
  }

  it('read the space of a real disk', async () => {
    const { freeBytes, totalBytes } = await freeSpaceOf(tmpdir());
    assert.ok(freeBytes >= 0 && freeBytes <= totalBytes && totalBytes > 0);
  });

  it('measure how long the activities of a history waited', () => {
    const at = (eventId: number, seconds: number, nanos: number, rest: object) => ({
      eventId,
      eventTime: { seconds, nanos },
      ...rest,
    });
    const history = [
      at(5, 10, 0, { activityTaskScheduledEventAttributes: {} }),
      at(6, 10, 1e6, { activityTaskScheduledEventAttributes: {} }),
      at(7, 10, 5e5, { activityTaskStartedEventAttributes: { scheduledEventId: 5 } }),
      at(8, 11, 1e6, { activityTaskStartedEventAttributes: { scheduledEventId: 6 } }),
    ];
    assert.deepEqual(activityWaitsMs(history), [0.5, 1_000]);
  });

  it('warn where no activity starts eagerly', async () => {
    const client = createTemporalClient({ address: '127.0.0.1:1', namespace: 'default' });
    const place = { connection: Connection.lazy(), namespace: 'default', versions: createWorkerVersions(client) };
    const eager = TEMPORAL_CHECKS.filter(({ title }) => title === 'Activities start eagerly');
    for (const [waitsMs, severity] of [
      [[], undefined],
      [[0.2, 8], undefined],
      [[12, 8], 'warning'],
    ] as const) {
      const [result] = await runChecks(eager, { ...place, activityWaits: async () => waitsMs });
      assert.equal(result?.finding?.severity, severity);
    }
  });

  it('turn a check that cannot find out into a warning', async () => {
    const look = async (): Promise<null> => {
      throw new Error('no answer');
    };
    const [result] = await runChecks([{ title: 'A', look }], {});
    assert.equal(result?.finding?.severity, 'warning');
    assert.match(result.finding.problem, /no answer/);
  });
});
