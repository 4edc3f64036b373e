import { installTracer } from './tracer.ts';

/** What says whether a process is traced. */
export interface TracingConfig {
  /** The collector, which gets spans by OTLP over HTTP; null where nothing is traced. */
  readonly otlpEndpoint: string | null;
}

/**
 * Has this process traced if that is configured; the packages are loaded only then. Before the process creates its database
 * client, its servers and its client of Temporal.
 * @param serviceName the name in traces, unless OTEL_SERVICE_NAME gives another
 */
export async function startTracing({ otlpEndpoint }: TracingConfig, serviceName: string): Promise<void> {
  if (otlpEndpoint === null) return;
  const { createOpenTelemetryTracer } = await import('./opentelemetry.ts');
  installTracer(createOpenTelemetryTracer(serviceName));
}
