import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { PAYMENT_INTENT_WORKFLOW } from '../../protocol/messages.ts';
import { RUN } from './payment-steps.ts';

/** The run, the activity and the number of its try. */
export interface ActivityContext {
  readonly runId?: string;
  readonly activityId?: string;
  readonly attempt?: number;
  readonly workflowType?: string;
  /** Called with each log entry of the activity. */
  readonly onLog?: (entry: LogEntry) => void;
}

/** Does work as an activity of a payment's workflow: the first try of its first activity where nothing else is said. */
export function inActivity<Result>(work: () => Promise<Result>, context: ActivityContext = {}): Promise<Result> {
  const { runId = RUN, activityId = '1', attempt = 1, onLog = () => undefined } = context;
  const { workflowType = PAYMENT_INTENT_WORKFLOW } = context;
  const info = { workflowExecution: { workflowId: 'pi_1', runId }, workflowType, activityId, attempt };
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('WARN', onLog) });
  return environment.run(work);
}
