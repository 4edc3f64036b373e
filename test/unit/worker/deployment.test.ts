import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import pino from 'pino';
import type { WorkerVersions } from '../../../workflow-client/worker-versions.ts';
import { createElection, type ElectionDecision, keepVersionCurrent } from '../../../worker/deployment.ts';
import { eventually } from '../../support/eventually.ts';

interface Situation {
  readonly current: string | null;
  readonly activated?: readonly string[];
  readonly polled?: readonly string[];
}

const unused = () => assert.fail('not for the election');

/** The decisions of a worker of version `ours` in consecutive situations. */
async function decisions(situations: readonly Situation[]): Promise<ElectionDecision[]> {
  let look = -1;
  const versions: WorkerVersions = {
    deployment: () => {
      const { current = null, activated = [] } = situations[++look] ?? {};
      return Promise.resolve({ current, activated: new Set(activated) });
    },
    polled: () => Promise.resolve(new Set(situations[look]?.polled)),
    makeCurrent: unused,
    versionsWithoutWorker: unused,
    runsOf: unused,
  };
  const decide = createElection(versions, 'ours');
  const answers: ElectionDecision[] = [];
  for (const _ of situations) answers.push(await decide());
  return answers;
}

describe('the election of the current version', () => {
  const replaced = { current: 'theirs', activated: ['ours', 'theirs'] };

  it('makes the first version current', async () => {
    assert.deepEqual(await decisions([{ current: null }]), ['make_current']);
  });

  it('leaves the current version as it is', async () => {
    assert.deepEqual(await decisions([{ current: 'ours', activated: ['ours'] }]), ['keep']);
  });

  it('makes a version current that never was, although another one has workers', async () => {
    const situation = { current: 'theirs', activated: ['theirs'], polled: ['theirs', 'ours'] };
    assert.deepEqual(await decisions([situation]), ['make_current']);
  });

  it('does not make a replaced version current while the newer one has workers', async () => {
    const situation = { ...replaced, polled: ['theirs', 'ours'] };
    assert.deepEqual(await decisions([situation, situation, situation]), ['keep', 'keep', 'keep']);
  });

  it('makes it current again after two checks in a row without a worker of the current one', async () => {
    const away = { ...replaced, polled: ['ours'] };
    const there = { ...replaced, polled: ['theirs', 'ours'] };
    assert.deepEqual(await decisions([away, there, away, away]), ['undecided', 'keep', 'undecided', 'make_current']);
  });
});

describe('keepVersionCurrent', () => {
  it('does not wait for Temporal if the worker is stopped', async () => {
    let isAsked = false;
    const versions: WorkerVersions = {
      deployment: () => Promise.resolve({ current: null, activated: new Set() }),
      polled: unused,
      makeCurrent: (_, signal) => {
        isAsked = true;
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
      versionsWithoutWorker: unused,
      runsOf: unused,
    };
    const errors: unknown[] = [];
    const logger = pino({ level: 'error', hooks: { logMethod: (args) => void errors.push(args) } });
    const loop = keepVersionCurrent({ versions, buildId: 'ours', logger, onReady: unused });
    await eventually(async () => assert.ok(isAsked));
    await loop.stop();
    assert.deepEqual(errors, []);
  });
});
