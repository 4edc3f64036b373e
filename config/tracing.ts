import { isSecureOrLocal } from './value-schemas.ts';
import type { Values } from './variables.ts';

/** Where the spans of a process go; null means that nothing is traced. */
export interface TracingConfig {
  readonly otlpEndpoint: string | null;
}

/**
 * The SDK of OpenTelemetry reads the variables itself; they are checked here, because it passes over what it cannot read.
 * Headers are often a key of whoever runs the collector, so they are sent encrypted, or to this machine.
 */
export function tracingConfig(
  values: Values<'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS'>,
  problems: string[],
): TracingConfig {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (otlpEndpoint !== null && headers !== null && !isSecureOrLocal(otlpEndpoint)) {
    problems.push(
      'OTEL_EXPORTER_OTLP_HEADERS would be sent in plain text, so OTEL_EXPORTER_OTLP_ENDPOINT must begin with https://.',
    );
  }
  return { otlpEndpoint };
}
