import {
  getRandomStream,
  proxySinks,
  type Sink,
  type Sinks,
  workflowInfo,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import { type TraceContext, traceFieldsOf } from '../../domain/trace-context.ts';
import { traceOf, withTrace } from '../../protocol/messages.ts';

/** A span of a workflow, as it leaves the workflow. */
export interface WorkflowSpan {
  readonly name: string;
  readonly context: TraceContext;
  readonly parent: TraceContext;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Where the worker receives the spans of workflows. */
export interface TraceSinks extends Sinks {
  readonly traces: Sink & { ended(span: WorkflowSpan): void };
}

type WithHeaders = { readonly headers: Parameters<typeof traceOf>[0] };

/**
 * Continues traces through a workflow: the start, each update and each signal is a span, and activities are parts of the last of
 * these, because it is what the workflow works on.
 *
 * Its effect depends only on the headers in the history, whether or not the worker exports traces. Without a header it returns
 * what the workflow returns, and with a header it adds neither a command nor a turn of the workflow's promises, so a history
 * replays alike with and without this interceptor. Ids come from a stream of random numbers that the workflow does not use.
 *
 * Temporal's own interceptors put version 1 of the OpenTelemetry SDK into the bundle, await before each activity in runs that
 * began without them, and have every activity belong to the whole run, whose span ends when a hold has lapsed.
 */
export function interceptors(): WorkflowInterceptors {
  let current: TraceContext | null = null;

  const handle = <Result>(name: string, { headers }: WithHeaders, work: () => Promise<Result>): Promise<Result> => {
    const parent = traceOf(headers);
    current = parent;
    if (parent === null || !parent.isSampled) return work();
    const context = { ...parent, spanId: newSpanId() };
    current = context;
    const startedAtMs = Date.now();
    const end = (): void => {
      const span = { name, context, parent, startedAtMs, endedAtMs: Date.now() };
      proxySinks<TraceSinks>().traces.ended(span);
    };
    const result = work();
    result.then(end, end);
    return result;
  };
  const continued = <Input extends WithHeaders>(input: Input): Input =>
    current === null ? input : { ...input, headers: withTrace(input.headers, current) };

  return {
    inbound: [
      {
        execute: (input, next) => handle(workflowInfo().workflowType, input, () => next(input)),
        handleUpdate: (input, next) => handle(`update ${input.name}`, input, () => next(input)),
        handleSignal: (input, next) => handle(`signal ${input.signalName}`, input, () => next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(continued(input)),
        scheduleLocalActivity: (input, next) => next(continued(input)),
        continueAsNew: (input, next) => next(continued(input)),
        getLogAttributes: (input, next) => next({ ...traceFieldsOf(current), ...input }),
      },
    ],
  };
}

const SPAN_ID_DIGITS = 16;

function newSpanId(): string {
  return getRandomStream('traces').uuid4().replaceAll('-', '').slice(0, SPAN_ID_DIGITS);
}
