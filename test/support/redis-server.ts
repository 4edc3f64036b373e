import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createClient } from '@redis/client';
import type { Context } from 'mocha';
import { readToolsConfig } from '../../config/tools.ts';
import { findOnPath } from '../../sandbox/tools/installed-programs.mjs';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { eventually } from './eventually.ts';
import { skipWithout } from './skip.ts';

/** A Redis server for one test, without persistence. */
export interface RedisServer {
  readonly url: string;
  /** Starts or restarts it, empty; resolves when it answers. */
  start(): Promise<void>;
  /** Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Suspends the process: connections stay open without answers until `resume`. */
  pause(): void;
  resume(): void;
}

/** Starts a server. If Redis is not installed, the tests of the hook are skipped. */
export async function startRedisServer(hook: Context): Promise<RedisServer> {
  const program = findOnPath('redis-server', readToolsConfig().searchPath);
  if (program === undefined) return skipWithout('redis-server (on the PATH)', hook);
  const [port = 0] = await findFreePorts(1);
  const url = `redis://127.0.0.1:${port}`;
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  let child: ChildProcess | undefined;
  process.once('exit', () => child?.kill('SIGKILL'));
  const server: RedisServer = {
    url,
    async start() {
      child = spawn(program, args, { stdio: 'ignore' });
      await eventually(() => ping(url));
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
  await server.start();
  return server;
}

async function ping(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.ping();
  } finally {
    client.destroy();
  }
}
