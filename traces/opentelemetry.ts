import {
  type Attributes,
  type Context,
  context,
  type HrTime,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { TraceContext } from '../domain/trace-context.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { EndedSpan, OpenSpan, SpanDescription, Tracer } from './tracer.ts';

/**
 * A tracer that sends spans to a collector, by OTLP over HTTP with JSON. The SDK reads the standard variables itself:
 * address, headers, time limit, sampler, and the sizes of its batches. What waits for the collector is limited in number;
 * beyond that, spans are dropped.
 *
 * Our edges make their spans by hand. The instrumentations for HTTP, Express and pg replace functions of these packages
 * while they are loaded, which in ECMAScript modules needs a loader hook before everything else, also where nothing is
 * traced; and they know neither the routes nor the statements that never hold values.
 */
export function createOpenTelemetryTracer(serviceName: string): Tracer {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const resource = resourceFromAttributes({ 'service.name': serviceName }).merge(
    detectResources({ detectors: [envDetector] }),
  );
  const processor = new BatchSpanProcessor(new OTLPTraceExporter());
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer('payment-engine');
  return {
    run(description, work) {
      const parent = parentOf(description);
      const span = tracer.startSpan(
        description.name,
        { kind: KINDS[description.kind], ...attributesOf(description) },
        parent,
      );
      return context.with(trace.setSpan(parent, span), () => untilEnd(span, work));
    },
    active: () => traceContextOf(trace.getActiveSpan()),
    addEnded: (span) => addEnded(processor, resource, span),
    close: () => closeWithin(CLOSE_WITHIN_MS, () => provider.shutdown()),
  };
}

/** Longer waits would hold up the end of a process. */
const CLOSE_WITHIN_MS = 5 * SECOND_MS;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

function parentOf({ parent }: SpanDescription): Context {
  return parent === undefined ? context.active() : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
}

function attributesOf({ attributes }: SpanDescription): { readonly attributes?: Attributes } {
  return attributes === undefined ? {} : { attributes };
}

async function untilEnd<Result>(span: Span, work: (span: OpenSpan) => Promise<Result>): Promise<Result> {
  try {
    return await work({
      context: traceContextOf(span),
      rename: (name) => void span.updateName(name),
      set: (attributes) => void span.setAttributes(attributes),
      fail: (type) => markFailed(span, type),
    });
  } catch (error) {
    markFailed(span, kindOfError(error));
    throw error;
  } finally {
    span.end();
  }
}

function markFailed(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', type);
}

/** The type of a failure or the code of an error, else its name. Messages may hold data, so they stay out of traces. */
function kindOfError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { type, code } = error as { readonly type?: unknown; readonly code?: unknown };
  return [type, code].find((text) => typeof text === 'string' && SHORT_NAME.test(text))?.toString() ?? error.name;
}

const SHORT_NAME = /^\w{1,60}$/;

function traceContextOf(span: Span | undefined): TraceContext | null {
  if (span === undefined) return null;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}

function spanContextOf({ traceId, spanId, isSampled }: TraceContext): SpanContext {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

/** The SDK chooses the ids of its own spans, so a span that has ids already goes past it. */
function addEnded(processor: SpanProcessor, resource: Resource, ended: EndedSpan): void {
  const { name, startedAtMs, endedAtMs } = ended;
  const span: ReadableSpan = {
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => spanContextOf(ended.context),
    parentSpanContext: spanContextOf(ended.parent),
    startTime: timeOf(startedAtMs),
    endTime: timeOf(endedAtMs),
    duration: timeOf(endedAtMs - startedAtMs),
    status: { code: SpanStatusCode.UNSET },
    attributes: ended.attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'payment-engine' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  processor.onEnd(span);
}

function timeOf(ms: number): HrTime {
  return [Math.floor(ms / SECOND_MS), (ms % SECOND_MS) * 1_000_000];
}

async function closeWithin(limitMs: number, close: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([close().catch(() => undefined), timeUp]);
  clearTimeout(timer);
}
