import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pino, type Logger } from 'pino';
import { startLoop } from '../../../../worker/jobs/run-loop.ts';

interface LogLine {
  readonly msg: string;
  readonly failures: number;
}

function recordingLogger(): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { logger, lines };
}

/** Runs the loop with these results or errors, then stops it. */
async function runRounds(rounds: readonly ('more' | 'done' | Error)[]): Promise<LogLine[]> {
  const { logger, lines } = recordingLogger();
  let round = 0;
  await new Promise<void>((resolve) => {
    const loop = startLoop({
      name: 'test',
      intervalMs: 1,
      maximumBackoffMs: 1,
      logger,
      run: async () => {
        const answer = rounds[round];
        round += 1;
        if (answer === undefined) {
          void loop.stop().then(resolve);
          return 'done';
        }
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
  });
  assert.equal(round, rounds.length + 1);
  return lines;
}

describe('run loop', () => {
  it('continues after full batches, empty runs and failures', async () => {
    const lines = await runRounds(['more', 'done', new Error('one'), 'more', 'done']);
    assert.deepEqual(
      lines.map(({ msg, failures }) => [msg, failures]),
      [
        ['background loop failed', 1],
        ['background loop recovered', 1],
      ],
    );
  });

  it('logs the 1st, 2nd, 4th, 8th … failure in a row', async () => {
    const lines = await runRounds(Array.from({ length: 20 }, () => new Error('again')));
    assert.deepEqual(
      lines.filter(({ msg }) => msg === 'background loop failed').map(({ failures }) => failures),
      [1, 2, 4, 8, 16],
    );
  });

  it('never runs twice at a time, and stops only after the current run', async () => {
    let inside = 0;
    let finish = (): void => undefined;
    const round = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let sawSignal = false;
    const loop = startLoop({
      name: 'test',
      intervalMs: 1,
      logger: recordingLogger().logger,
      run: async (signal) => {
        inside += 1;
        await round;
        sawSignal = signal.aborted;
        return 'more';
      },
    });
    const stopping = [loop.stop(), loop.stop()];
    finish();
    await Promise.all(stopping);
    assert.deepEqual([inside, sawSignal], [1, true]);
  });
});
