// Whether traces are exported, from the standard variables
// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
// The SDK reads the other ones (timeouts, sampler, batches, resource attributes) directly.
import { z } from 'zod';
import { loadConfig } from './load-config.js';

const protocol = z.enum(['http/protobuf', 'http/json'], {
  error: 'must be http/protobuf or http/json; gRPC is not supported',
});

const variables = z.object({
  OTEL_SDK_DISABLED: z.string().default('false'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  /** May hold a token, so a file may contain them. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: z.string().optional(),
});

export interface TracingConfig {
  readonly protocol: z.output<typeof protocol>;
  /** `name=value`, separated by commas. */
  readonly headers: string;
}

/** Null if no endpoint is set. */
export function loadTracingConfig(environment: Record<string, string | undefined> = process.env): TracingConfig | null {
  const config = loadConfig(variables, environment);
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = config.OTEL_SDK_DISABLED.toLowerCase() === 'true' || config.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || isOff) return null;
  return {
    protocol: config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: [config.OTEL_EXPORTER_OTLP_HEADERS, config.OTEL_EXPORTER_OTLP_TRACES_HEADERS]
      .filter((headers) => headers !== undefined)
      .join(','),
  };
}
