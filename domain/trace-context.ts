/** A place in a trace, as W3C Trace Context writes it in the header `traceparent`. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The parent of the next spans; 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the spans of this trace are exported. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])$/;
const SAMPLED = 1;

/** The text of a `traceparent`, or null where it is none. */
export function parseTraceparent(text: string): TraceContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`;
}

/** The fields by which log lines name their trace, as OpenTelemetry calls them. */
export function traceFieldsOf(context: TraceContext | null): { readonly trace_id?: string; readonly span_id?: string } {
  return context === null ? {} : { trace_id: context.traceId, span_id: context.spanId };
}
