import { type TraceContext, traceFieldsOf } from '../domain/trace-context.ts';

/**
 * Where the code marks what a trace shows. While no tracer is installed, this does nothing and loads nothing;
 * `opentelemetry.ts` has the tracer that a process installs when it is configured.
 */

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanDescription {
  readonly name: string;
  /** Whether the span serves a call from outside, makes a call to another service, or neither. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** The span of another process that this one is a part of; without it, the span in which the work runs. */
  readonly parent?: TraceContext;
}

/** A span while its work runs. */
export interface OpenSpan {
  /** Null where nothing is traced. */
  readonly context: TraceContext | null;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks a failure that is no thrown error. @param type a short name of its kind, without data */
  fail(type: string): void;
}

/** A span that has ended elsewhere, with the ids that it got there. */
export interface EndedSpan {
  readonly name: string;
  readonly context: TraceContext;
  readonly parent: TraceContext;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly attributes: SpanAttributes;
}

export interface Tracer {
  run<Result>(span: SpanDescription, work: (span: OpenSpan) => Promise<Result>): Promise<Result>;
  /** The span in which this code runs, or null. */
  active(): TraceContext | null;
  addEnded(span: EndedSpan): void;
  /** Exports what waits, within a limited time. Never throws. */
  close(): Promise<void>;
}

const NO_SPAN: OpenSpan = {
  context: null,
  rename: () => undefined,
  set: () => undefined,
  fail: () => undefined,
};

let installed: Tracer | null = null;

/** Has this process traced, or no longer with null. Before anything that looks at `isTracing` is created. */
export function installTracer(tracer: Tracer | null): void {
  installed = tracer;
}

export function isTracing(): boolean {
  return installed !== null;
}

/** Does work in a span, which ends with it. An error is named by its kind; its message may hold data. */
export function inSpan<Result>(span: SpanDescription, work: (span: OpenSpan) => Promise<Result>): Promise<Result> {
  return installed === null ? work(NO_SPAN) : installed.run(span, work);
}

/** The same for a detail of a trace: outside of a span it makes none, so that what runs in the background fills no traces. */
export function inSpanOfTrace<Result>(
  describe: () => SpanDescription,
  work: (span: OpenSpan) => Promise<Result>,
): Promise<Result> {
  return activeContext() === null ? work(NO_SPAN) : inSpan(describe(), work);
}

/** The span in which this code runs, or null. */
function activeContext(): TraceContext | null {
  return installed?.active() ?? null;
}

/** The fields of a log line about its trace: a `mixin` of pino. */
export function traceFields(): ReturnType<typeof traceFieldsOf> {
  return traceFieldsOf(activeContext());
}

export function addEndedSpan(span: EndedSpan): void {
  installed?.addEnded(span);
}

/** Exports what waits. Called at the end of a process. */
export async function closeTracer(): Promise<void> {
  await installed?.close();
}
