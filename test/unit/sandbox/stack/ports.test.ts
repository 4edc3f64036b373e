import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { z } from 'zod';
import { findFreePorts } from '../../../../sandbox/stack/ports.ts';
import { DIST_DIR } from '../../../../sandbox/stack/project.ts';

const FIND_PORTS = `
  import { findFreePorts } from './ports.js';
  process.once('disconnect', () => process.exit());
  process.send(await findFreePorts(400));
`;

describe('free ports', () => {
  it('are different, and none is a port that an outgoing connection could take', async () => {
    const found = await Promise.all(Array.from({ length: 12 }, () => findFreePorts(10)));
    const ports = found.flat();
    assert.equal(new Set(ports).size, 120);
    assert.deepEqual(
      ports.filter((port) => port >= 32_768),
      [],
    );
  });

  it('are not given to another process', async () => {
    const processes = [startProcess(), startProcess()];
    try {
      const found = await Promise.all(processes.map(readPorts));
      assert.equal(new Set(found.flat()).size, 800);
    } finally {
      for (const child of processes) child.disconnect();
    }
  });
});

function startProcess(): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', FIND_PORTS], {
    cwd: path.join(DIST_DIR, 'sandbox', 'stack'),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

async function readPorts(child: ChildProcess): Promise<readonly number[]> {
  const [message]: unknown[] = await once(child, 'message');
  return z.array(z.number()).parse(message);
}
