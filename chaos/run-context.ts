import type { Client } from '@temporalio/client';
import type { Database } from '../prisma/connection/client.ts';
import type { ChaosEngine } from './engine/chaos-engine.ts';
import type { MemorySampler } from './engine/memory-sampler.ts';
import type { SettlementClient } from './traffic/settlement-client.ts';
import type { SocketSubscriber } from './traffic/socket-subscriber.ts';

/** The parts of a run. */
export interface RunContext {
  readonly engine: ChaosEngine;
  readonly database: Database;
  readonly temporal: Client;
  readonly settlements: SettlementClient;
  readonly socket: SocketSubscriber;
  readonly memory: MemorySampler;
}
