// OpenTelemetry's SDK: sends spans in batches to the collector that the standard variables name. Imported by start-tracing.ts only.
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { randomUUID } from 'node:crypto';
import type { TracingConfig } from '../config/tracing.config.js';
import type { Logger } from './logger.js';

export interface TracedProcess {
  service: string;
  role: string;
  logger: Logger;
}

/** Returns a function that sends the remaining spans and stops the SDK. */
export async function startTracingSdk(config: TracingConfig, process: TracedProcess): Promise<() => Promise<void>> {
  const { logger } = process;
  const warn = (message: string) => logger.warn(`traces: ${message}`);
  diag.setLogger({ error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} }, DiagLogLevel.WARN);
  const provider = new BasicTracerProvider({
    resource: resourceOf(process),
    spanProcessors: [new BatchSpanProcessor(await exporterOf(config))],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return () => provider.shutdown();
}

async function exporterOf({ protocol, headers: pairs }: TracingConfig): Promise<SpanExporter> {
  const headers = parseKeyPairsIntoRecord(pairs);
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter({ headers });
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ headers });
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence over the names set here. */
function resourceOf({ service, role }: TracedProcess): Resource {
  const own = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: `kiln-${service}${role === 'worker' ? '-worker' : ''}`,
    'service.namespace': 'kiln',
    'service.instance.id': randomUUID(),
    'kiln.role': role,
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}
