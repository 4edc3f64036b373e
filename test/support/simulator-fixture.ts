import path from 'node:path';
import { afterEach, beforeEach } from 'mocha';
import type { RunningSimulator, SimulatorTuning } from '../../sandbox/simulator/server.ts';
import {
  makeTemporaryFolder,
  startScriptedServer,
  startTestSimulator,
  type ScriptedServer,
} from './simulator-harness.ts';

/** A simulator of the test that runs now, and the receiver of its webhooks. */
export interface SimulatorFixture {
  readonly url: string;
  /** The file of its journal. */
  readonly dataFile: string;
  readonly receiver: ScriptedServer;
  close(): Promise<void>;
  /** Starts the simulator with the journal of the one that was closed. */
  start(tuning?: Partial<SimulatorTuning>): Promise<void>;
}

/** Starts a simulator and a webhook receiver, which accepts everything, before each test of a suite and closes both after it. */
export function useSimulator(tuning: Partial<SimulatorTuning> = {}): SimulatorFixture {
  let simulator: RunningSimulator;
  let receiver: ScriptedServer;
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;

  const dataFile = () => path.join(temporary.folder, 'journal.jsonl');
  const start = async (changes: Partial<SimulatorTuning> = {}) => {
    simulator = await startTestSimulator({
      dataFile: dataFile(),
      webhookUrl: receiver.url,
      tuning: { ...tuning, ...changes },
    });
  };
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    receiver = await startScriptedServer(() => ({ status: 204 }));
    await start();
  });
  afterEach(async () => {
    await simulator.close();
    await receiver.close();
    await temporary.remove();
  });

  return {
    get url() {
      return simulator.url;
    },
    get dataFile() {
      return dataFile();
    },
    get receiver() {
      return receiver;
    },
    close: () => simulator.close(),
    start,
  };
}
