import type { Stack } from '../../sandbox/stack/stack.ts';
import { enginePids } from '../engine-pids.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';

/** One of the two that are measured in turns. */
export interface Side {
  readonly name: 'payment' | 'floor';
  readonly load: LoadProcess;
  /** The processes it takes, by what they are called in the table. */
  readonly pids: Readonly<Record<string, number>>;
}

export interface Sides {
  readonly payment: Side;
  readonly floor: Side;
  end(): Promise<void>;
}

export interface SidesOptions {
  readonly stack: Stack;
  readonly namespace: string;
  readonly simulatorApiKey: string;
  readonly signal: AbortSignal;
}

/** Starts what makes the load of either side, and the worker of the floor. */
export async function startSides({ stack, namespace, simulatorApiKey, signal }: SidesOptions): Promise<Sides> {
  const { sandbox } = stack;
  const [simulatorUrl = ''] = sandbox.simulators.map(({ url }) => url);
  const temporal = { address: sandbox.temporalAddress, namespace };
  const started = await Promise.allSettled([
    startLoadProcess('load/payments-load', sandbox, signal),
    startLoadProcess('load/floor-load', temporal, signal),
    startLoadProcess('floor/worker', { ...temporal, simulatorUrl, simulatorApiKey }, signal),
  ]);
  const processes = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const end = async (): Promise<void> => void (await Promise.all(processes.map((each) => each.end())));
  const [payments, floorClient, floorWorker] = processes;
  if (payments === undefined || floorClient === undefined || floorWorker === undefined) {
    await end();
    throw started.find((each) => each.status === 'rejected')?.reason;
  }
  const pids = enginePids(stack, payments.pid);
  const { Temporal = 0, simulator = 0 } = pids;
  return {
    payment: { name: 'payment', load: payments, pids },
    floor: {
      name: 'floor',
      load: floorClient,
      pids: { worker: floorWorker.pid, Temporal, simulator, client: floorClient.pid },
    },
    end,
  };
}
