import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { RUN } from './payment-steps.ts';

/** Which activity of which run works, and for the how manyth time. */
export interface ActivityContext {
  readonly runId?: string;
  readonly activityId?: string;
  readonly attempt?: number;
  /** Told of what the activity logs. */
  readonly onLog?: (entry: LogEntry) => void;
}

/** Does work as an activity of a payment's workflow: the first try of its first activity where nothing else is said. */
export function inActivity<Result>(work: () => Promise<Result>, context: ActivityContext = {}): Promise<Result> {
  const { runId = RUN, activityId = '1', attempt = 1, onLog = () => undefined } = context;
  const info = { workflowExecution: { workflowId: 'pi_1', runId }, activityId, attempt };
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('WARN', onLog) });
  return environment.run(work);
}
