import type { Stack } from '../../sandbox/stack/stack.ts';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import type { Figure } from '../benchmark.ts';
import { countDispatches, type Dispatches } from '../measures/dispatches.ts';
import { countStatements } from '../measures/statements.ts';
import type { Subject, Subjects } from './subjects.ts';
import { sizeOf } from './payment-size.ts';
import { takeTurn } from './turns.ts';

const ONE_CLIENT = { kind: 'clients', clients: 1, durationMs: 1_500 } as const;

const NAMES: Readonly<Record<keyof Dispatches, string>> = {
  events: 'events in the history',
  workflowTasks: 'workflow tasks',
  remoteActivities: 'remote activities',
  localActivities: 'local activities',
  timers: 'timers',
};

/** The Temporal dispatches, bytes and SQL statements of one payment, and the dispatches of one baseline workflow. */
export async function costOf(stack: Stack, subjects: Subjects, namespace: string): Promise<readonly Figure[]> {
  const { sandbox } = stack;
  const client = createTemporalClient({ address: sandbox.temporalAddress, namespace });
  const dispatchesOf = async (subject: Subject): Promise<Figure[]> => {
    const { result } = await takeTurn(subject, ONE_CLIENT);
    const handle = client.workflow.getHandle(result.lastId ?? '');
    const dispatches = countDispatches(await handle.fetchHistory());
    const { historySize = 0 } = await handle.describe();
    const bytes = { what: `bytes of the history of a ${subject.name}`, value: historySize, unit: '' };
    const counts = Object.entries(NAMES).map(([key, what]) => ({
      what: `${what} of a ${subject.name}`,
      value: dispatches[key as keyof Dispatches],
      unit: '',
    }));
    return [...counts, bytes];
  };
  try {
    const figures = [...(await dispatchesOf(subjects.payment)), ...(await dispatchesOf(subjects.baseline))];
    return [
      ...figures,
      ...(await sizeOf(stack.superuserUrl, subjects.payment)),
      ...(await statementsOf(stack, subjects.payment)),
    ];
  } finally {
    await client.connection.close();
  }
}

async function statementsOf(stack: Stack, subject: Subject): Promise<Figure[]> {
  const counter = await countStatements(stack.superuserUrl, () => stack.restart('postgres'));
  try {
    let payments = 0;
    const counts = await counter.during(async () => {
      payments = (await takeTurn(subject, ONE_CLIENT)).result.done;
    });
    const calls = counts.reduce((sum, each) => sum + Math.max(each.calls, 0), 0);
    return [{ what: 'SQL statements of a payment', value: calls / payments, unit: '' }];
  } finally {
    await counter.end();
  }
}
