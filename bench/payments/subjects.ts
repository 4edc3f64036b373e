import type { Stack } from '../../sandbox/stack/stack.ts';
import { enginePids } from '../engine-pids.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';

/** One of the two sides that are measured alternately. */
export interface Subject {
  readonly name: 'payment' | 'baseline';
  readonly load: LoadProcess;
  /** Its process ids, by their names in the table. */
  readonly pids: Readonly<Record<string, number>>;
}

export interface Subjects {
  readonly payment: Subject;
  readonly baseline: Subject;
  end(): Promise<void>;
}

export interface SubjectsOptions {
  readonly stack: Stack;
  readonly namespace: string;
  readonly simulatorApiKey: string;
  readonly signal: AbortSignal;
}

/** Starts the load processes of both subjects, and the worker of the baseline. */
export async function startSubjects({ stack, namespace, simulatorApiKey, signal }: SubjectsOptions): Promise<Subjects> {
  const { sandbox } = stack;
  const [simulatorUrl = ''] = sandbox.simulators.map(({ url }) => url);
  const temporal = { address: sandbox.temporalAddress, namespace };
  const started = await Promise.allSettled([
    startLoadProcess('load/payments-load', sandbox, signal),
    startLoadProcess('load/baseline-load', temporal, signal),
    startLoadProcess('baseline/worker', { ...temporal, simulatorUrl, simulatorApiKey }, signal),
  ]);
  const processes = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const end = async (): Promise<void> => void (await Promise.all(processes.map((each) => each.end())));
  const [payments, baselineClient, baselineWorker] = processes;
  if (payments === undefined || baselineClient === undefined || baselineWorker === undefined) {
    await end();
    throw started.find((each) => each.status === 'rejected')?.reason;
  }
  const pids = enginePids(stack, payments.pid);
  const { Temporal = 0, simulator = 0 } = pids;
  return {
    payment: { name: 'payment', load: payments, pids },
    baseline: {
      name: 'baseline',
      load: baselineClient,
      pids: { worker: baselineWorker.pid, Temporal, simulator, client: baselineClient.pid },
    },
    end,
  };
}
