import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readClusterOptions } from '../../../cluster/options.ts';
import { UserError } from '../../../domain/user-error.ts';

describe('options of npm run cluster', () => {
  it('make traffic without faults as fast as the clients can, unless they say otherwise', () => {
    const { restores, kills, failover, traffic } = readClusterOptions([], 5);
    assert.deepEqual({ restores, kills, failover }, { restores: false, kills: false, failover: null });
    assert.deepEqual([traffic.faultKinds, traffic.seed, traffic.clients], [[], 5, 12]);
  });

  it('are passed on to the traffic', () => {
    const { kills, failover, traffic } = readClusterOptions(
      [
        '--kill',
        '--failover',
        'synchronous',
        '--minutes',
        '2',
        '--seed',
        '7',
        '--clients',
        '20',
        '--scenario',
        'approved',
      ],
      5,
    );
    assert.deepEqual({ kills, failover }, { kills: true, failover: 'synchronous' });
    assert.deepEqual([traffic.minutes, traffic.seed, traffic.clients, traffic.scenario], [2, 7, 20, 'approved']);
  });

  it('choose the restores', () => {
    assert.equal(readClusterOptions(['restore'], 5).restores, true);
  });

  it('name the release that is upgraded, under a rate and for a time that make more than 300 payments', () => {
    const { upgradesFrom, kills, traffic } = readClusterOptions(['--upgrade', 'v1.2', '--kill'], 5);
    assert.deepEqual({ upgradesFrom, kills }, { upgradesFrom: 'v1.2', kills: true });
    assert.ok(traffic.minutes * traffic.paymentsPerMinute > 300);
    assert.equal(readClusterOptions(['--upgrade', 'v1.2', '--minutes', '2'], 5).traffic.minutes, 2);
    assert.equal(readClusterOptions([], 5).upgradesFrom, null);
  });

  it('are refused where they are unknown or contradict each other', () => {
    for (const args of [
      ['repair'],
      ['--failover', 'slow'],
      ['--faults', 'kill'],
      ['--scenario', 'unheard of'],
      ['restore', 'twice'],
      ['restore', '--upgrade', 'v1.2'],
      ['--upgrade', 'v1.2', '--failover', 'synchronous'],
      ['--upgrade', ''],
    ]) {
      assert.throws(() => readClusterOptions(args, 5), UserError);
    }
  });
});
