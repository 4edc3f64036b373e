import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cpuMsOfStat, sizeIn } from '../../../sandbox/process-tree.ts';

describe('process trees', () => {
  it('have the time in user and system mode, children included, whatever the process name', () => {
    const stat = '7 (a) b (c) S 1 7 7 0 -1 4194560 10 0 0 0 11 22 33 44 20 0 1 0 5 6 7';
    assert.equal(cpuMsOfStat(stat), 1_100);
  });

  it('parse sizes in bytes', () => {
    assert.equal(sizeIn('VmHWM:\t   9 kB\nVmRSS:\t   12 kB\n', 'VmRSS'), 12_288);
    assert.throws(() => sizeIn('VmRSS:\t   12 kB\n', 'Pss'), /does not report Pss/);
  });
});
