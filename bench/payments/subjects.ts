import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import { enginePids } from '../engine-pids.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';

const SIMULATOR_API_KEY = 'sk_simulator_of_a_benchmark';

/** One of the two sides that are measured alternately. */
export interface Subject {
  readonly name: 'payment' | 'baseline';
  readonly load: LoadProcess;
  /** Its process ids, by their names in the table. */
  readonly pids: Readonly<Record<string, number>>;
  /** The processes that only the other subject needs, whose background work goes on beside this one's turns. */
  readonly besidePids: Readonly<Record<string, number>>;
}

export interface Subjects {
  readonly payment: Subject;
  readonly baseline: Subject;
  end(): Promise<void>;
}

export interface SubjectsOptions {
  readonly stack: Stack;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/**
 * Starts the load processes of both subjects, and the worker and the simulator of the baseline. It has a simulator of its own, which
 * sends no webhooks: the engine would have to answer them while the baseline is measured.
 */
export async function startSubjects({ stack, namespace, signal }: SubjectsOptions): Promise<Subjects> {
  const { sandbox } = stack;
  const temporal = { address: sandbox.temporalAddress, namespace };
  const folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-baseline-'));
  const [port] = await findFreePorts(1);
  const simulator = { port, apiKey: SIMULATOR_API_KEY };
  const started = await Promise.allSettled([
    startLoadProcess('load/payments-load', sandbox, signal),
    startLoadProcess('load/baseline-load', temporal, signal),
    startLoadProcess('baseline/worker', { ...temporal, simulator }, signal),
    startLoadProcess('baseline/simulator', { ...simulator, dataFile: path.join(folder, 'ledger.jsonl') }, signal),
  ]);
  const processes = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const end = async (): Promise<void> => {
    await Promise.all(processes.map((each) => each.end()));
    await rm(folder, { recursive: true, force: true });
  };
  const [payments, client, worker, ownSimulator] = processes;
  if (payments === undefined || client === undefined || worker === undefined || ownSimulator === undefined) {
    await end();
    throw started.find((each) => each.status === 'rejected')?.reason;
  }
  const pids = enginePids(stack, payments.pid);
  const { Temporal = 0, ...besidePids } = pids;
  return {
    payment: { name: 'payment', load: payments, pids, besidePids: {} },
    baseline: {
      name: 'baseline',
      load: client,
      pids: { worker: worker.pid, Temporal, simulator: ownSimulator.pid, client: client.pid },
      besidePids,
    },
    end,
  };
}
