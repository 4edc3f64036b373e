import { isSecureOrLocal } from './value-schemas.ts';
import type { VariableName, Values } from './variables.ts';

/** The SDK of OpenTelemetry reads them too; what they may be is checked here, because the SDK passes over what it cannot read. */
export const TRACING_VARIABLES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
] as const satisfies readonly VariableName[];

/** Where the spans of a process go; null means that nothing is traced. */
export interface TracingConfig {
  readonly otlpEndpoint: string | null;
}

/** Headers are often a key of whoever runs the collector, so they are sent encrypted, or to this machine. */
export function tracingConfig(values: Values<(typeof TRACING_VARIABLES)[number]>, problems: string[]): TracingConfig {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (otlpEndpoint !== null && headers !== null && !isSecureOrLocal(otlpEndpoint)) {
    problems.push(
      'OTEL_EXPORTER_OTLP_HEADERS would be sent in plain text, so OTEL_EXPORTER_OTLP_ENDPOINT must begin with https://.',
    );
  }
  return { otlpEndpoint };
}
