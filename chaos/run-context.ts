import type { Client } from '@temporalio/client';
import type { Database } from '../prisma/client.ts';
import type { ChaosEngine } from './engine/chaos-engine.ts';
import type { MemorySampler } from './engine/memory-sampler.ts';
import type { Settler } from './traffic/settler.ts';
import type { SocketFollower } from './traffic/socket-follower.ts';

/** Everything that takes part in a run. */
export interface RunContext {
  readonly engine: ChaosEngine;
  readonly database: Database;
  readonly temporal: Client;
  readonly settler: Settler;
  readonly socket: SocketFollower;
  readonly memory: MemorySampler;
}
