import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { addEndedSpan, inSpan } from '../traces/tracer.ts';
import { traceOf } from '../protocol/messages.ts';
import type { TraceSinks } from '../workflows/shared/trace-messages.ts';

/** Makes each activity of a traced workflow a span of its trace. */
export const traceActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const parent = traceOf(input.headers);
      if (parent === null) return next(input);
      const attributes = { 'temporal.workflow.id': info.workflowExecution?.workflowId, try: info.attempt };
      return inSpan({ name: info.activityType, kind: 'internal', parent, attributes }, () => next(input));
    },
  },
});

/**
 * Receives the spans of workflows. A worker that exports no traces receives them too, because another process may have begun the
 * trace.
 */
export const traceSinks: InjectedSinks<TraceSinks> = {
  traces: {
    ended: {
      fn: ({ workflowId, runId }, span) =>
        addEndedSpan({ ...span, attributes: { 'temporal.workflow.id': workflowId, 'temporal.run.id': runId } }),
    },
  },
};
