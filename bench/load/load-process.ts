import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { type LoadAnswer, loadAnswerSchema, type LoadRequest, type Turn, type TurnResult } from './messages.ts';

/** A separate process that generates load, so that its own cost is not measured. */
export interface LoadProcess {
  readonly pid: number;
  run(turn: Turn): Promise<TurnResult>;
  end(): Promise<void>;
}

/**
 * @param program below `bench`, without its ending
 * @param settings sent to the process before it is ready
 * @throws Error when it ends before it is asked to
 */
export async function startLoadProcess(program: string, settings: object, signal: AbortSignal): Promise<LoadProcess> {
  // Exposes the garbage collector, which runs before the memory is read. Detached like the processes of the engine, because Linux
  // divides the processors among sessions first.
  const options = { execArgv: ['--expose-gc'], detached: true };
  const child = fork(path.join(DIST_DIR, 'bench', `${program}.js`), options);
  const ended = once(child, 'exit');
  const ask = async (order: LoadRequest): Promise<LoadAnswer> => {
    signal.throwIfAborted();
    child.send(order);
    return answerOf(child, program, signal);
  };
  const end = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  try {
    await ask({ kind: 'begin', settings });
  } catch (error) {
    await end();
    throw error;
  }
  return {
    pid: child.pid ?? 0,
    async run(turn) {
      const answer = await ask({ kind: 'turn', turn });
      if (answer.kind !== 'result') throw new Error(`${program} did not report the result of its turn`);
      return answer.result;
    },
    end,
  };
}

async function answerOf(child: ChildProcess, program: string, signal: AbortSignal): Promise<LoadAnswer> {
  const done = new AbortController();
  const waiting = { signal: AbortSignal.any([signal, done.signal]) };
  try {
    const [message] = (await Promise.race([
      once(child, 'message', waiting),
      once(child, 'exit', waiting).then(() => {
        throw new Error(`${program} ended before it was done`);
      }),
    ])) as unknown[];
    return loadAnswerSchema.parse(message);
  } finally {
    done.abort();
  }
}
