import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { countDispatches } from '../../../bench/measures/dispatches.ts';
import { median } from '../../../bench/measures/median.ts';
import { recoveredAfterMs } from '../../../bench/overload/recovery.ts';
import { cpuMsOfTree } from '../../../sandbox/process-tree.ts';

describe('measures of benchmarks', () => {
  it('include the processor time of child processes', function () {
    if (process.platform !== 'linux') this.skip();
    const before = cpuMsOfTree(process.pid);
    spawnSync(process.execPath, ['-e', 'const end = Date.now() + 150; while (Date.now() < end);']);
    const after = cpuMsOfTree(process.pid);
    assert.ok(after > before);
  });

  it('compute the median', () => {
    assert.deepEqual([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])], [2, 2.5, 7]);
  });

  it('count the dispatches in a history', () => {
    const events = [
      { workflowExecutionStartedEventAttributes: {} },
      { workflowTaskCompletedEventAttributes: {} },
      { markerRecordedEventAttributes: { markerName: 'core_local_activity' } },
      { markerRecordedEventAttributes: { markerName: 'core_patch' } },
      { activityTaskScheduledEventAttributes: {} },
      { timerStartedEventAttributes: {} },
      { workflowTaskCompletedEventAttributes: {} },
    ];
    assert.deepEqual(countDispatches({ events }), {
      events: 7,
      workflowTasks: 2,
      remoteActivities: 1,
      localActivities: 1,
      timers: 1,
    });
  });
});

describe('recovery', () => {
  it('is when the median of some calls in a row is about as before', () => {
    assert.equal(recoveredAfterMs([400, 300, 110, 90, 500, 100, 100], 100), 400);
    assert.equal(recoveredAfterMs([100, 100, 100, 100, 100], 100), 0);
    assert.equal(recoveredAfterMs([400, 400, 400, 400, 400, 100, 100], 100), Infinity);
  });
});
