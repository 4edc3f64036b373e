import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { warnOfReach } from '../../../sandbox/warn-of-reach.ts';

describe('a program of the sandbox', () => {
  const linesOf = (host: string): readonly string[] => {
    const lines: string[] = [];
    warnOfReach('DEMO_HOST', host, 'the demo shop pays for whoever opens it', (line) => lines.push(line));
    return lines;
  };

  it('warns where it listens beyond this machine, and says by which variable', () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'shop.example']) {
      assert.deepEqual(linesOf(host), [
        `Warning: DEMO_HOST=${host} lets other machines in, and the demo shop pays for whoever opens it.\n`,
      ]);
    }
    for (const host of ['127.0.0.1', '::1', 'localhost']) assert.deepEqual(linesOf(host), []);
  });
});
