// The span of one request to a provider, if the caller has a span. It is not propagated to the provider.
import { SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { ProviderEndpoint } from './provider-endpoint.js';
import { ProviderError } from './provider-error.js';

/** Null when nothing is traced. */
export function startRequestSpan({ baseUrl }: Pick<ProviderEndpoint, 'baseUrl'>): Span | null {
  if (trace.getActiveSpan()?.isRecording() !== true) return null;
  const attributes = { 'http.request.method': 'POST', 'server.address': baseUrl.hostname };
  return trace.getTracer('kiln').startSpan('POST', { kind: SpanKind.CLIENT, attributes });
}

/** Ends the span with the answer. */
export async function* answerIn(span: Span, answer: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* answer;
  } catch (error) {
    span.setAttribute('error.type', error instanceof ProviderError ? error.fault : 'other');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
