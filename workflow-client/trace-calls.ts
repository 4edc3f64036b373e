import type { Headers } from '@temporalio/common';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { inSpan, type SpanAttributes } from '../traces/tracer.ts';
import { withTrace } from '../protocol/messages.ts';

/** Makes each start, update and signal of a workflow a span, and sends it along. A call outside of a trace begins one. */
export const traceCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    traced(`start ${input.workflowType}`, input.options.workflowId, input.headers, (headers) =>
      next({ ...input, headers }),
    ),
  startUpdate: (input, next) =>
    traced(`send ${input.updateName}`, input.workflowExecution.workflowId, input.headers, (headers) =>
      next({ ...input, headers }),
    ),
  signal: (input, next) =>
    traced(`send ${input.signalName}`, input.workflowExecution.workflowId, input.headers, (headers) =>
      next({ ...input, headers }),
    ),
};

function traced<Result>(
  name: string,
  workflowId: string | undefined,
  headers: Headers,
  send: (headers: Headers) => Promise<Result>,
): Promise<Result> {
  const attributes: SpanAttributes = { 'temporal.workflow.id': workflowId };
  return inSpan({ name, kind: 'client', attributes }, ({ context }) =>
    send(context === null ? headers : withTrace(headers, context)),
  );
}
