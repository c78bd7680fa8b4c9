/** @own-modules */
// Real: OpenTelemetry's SDK, in memory instead of a collector. Faked: nothing. Once on, tracing stays on in this process.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, filesEvents } from '@kiln/contracts';
import { context, propagation, trace, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { newEvent } from '../events/new-event.js';
import { GroupedCalls } from '../service/grouped-calls.js';
import { createLogger } from './logger.js';
import { currentTrace, inSpan, isTraced, enableTracing } from './tracing.js';

const exporter = new InMemorySpanExporter();
const spanNamed = (name: string) => {
  const span = exporter.getFinishedSpans().find((each) => each.name === name);
  if (!span) throw new Error(name);
  return span;
};

describe('tracing that is on', () => {
  beforeAll(() => {
    expect(currentTrace()).toBeUndefined();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    enableTracing();
  });
  afterAll(() => {
    for (const global of [trace, context, propagation]) global.disable();
  });
  beforeEach(() => exporter.reset());

  it('records the type of an error in the span, and not its message', async () => {
    await expect(inSpan('broken', {}, () => Promise.reject(new RangeError('of secret.pdf')))).rejects.toThrow();
    await expect(
      inSpan('refused', {}, () => Promise.reject(new CodedError('NOT_FOUND', 'No secret.pdf.'))),
    ).rejects.toThrow();
    const [broken, refused] = [spanNamed('broken'), spanNamed('refused')];
    expect([broken.attributes['error.type'], broken.status.code]).toStrictEqual(['RangeError', 2]);
    expect([refused.attributes['error.type'], refused.status.code]).toStrictEqual(['NOT_FOUND', 0]);
    expect(
      JSON.stringify([broken, refused].map(({ attributes, events, status }) => [attributes, events, status])),
    ).not.toMatch(/secret/);
  });

  it('follows the sampling of the caller: an unsampled context is passed on, and creates no spans', async () => {
    const parent = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', tracestate: 'a=1' };
    await inSpan('of the caller', { parent }, async () => {
      expect(isTraced()).toBe(false);
      const passedOn = currentTrace();
      expect(passedOn?.traceparent ?? '').toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
      expect(passedOn?.tracestate).toBe('a=1');
    });
    expect(exporter.getFinishedSpans()).toStrictEqual([]);
  });

  it('gives an event the span that creates it, wherever it is stored', async () => {
    const about = { definition: filesEvents.fileDeleted, tenantId: 't', subject: 'file_1', data: {} as never };
    const event = await inSpan('making', {}, async () => newEvent(about));
    const { traceId, spanId } = spanNamed('making').spanContext();
    expect(event.trace).toStrictEqual({ traceparent: `00-${traceId}-${spanId}-0${TraceFlags.SAMPLED}` });
  });

  it('makes work for several callers a child of the first span with links to the others, and work for one caller a part of its span', async () => {
    const work = (_key: string, calls: number[]) => inSpan('work', {}, async () => calls);
    const calls = new GroupedCalls<number, number>(work, { inFlightMax: 1, callsMax: 10 });
    const call = (name: string) => inSpan(name, {}, () => calls.run('key', 1));
    await Promise.all(['a', 'b', 'c'].map(call));
    const group = spanNamed('grouped calls');
    expect(group.parentSpanContext?.spanId).toBe(spanNamed('a').spanContext().spanId);
    const linked = group.links.map((link) => link.context.spanId);
    expect(linked).toStrictEqual(['b', 'c'].map((name) => spanNamed(name).spanContext().spanId));
    expect(spanNamed('work').parentSpanContext?.spanId).toBe(group.spanContext().spanId);
    exporter.reset();
    await call('alone');
    expect(spanNamed('work').parentSpanContext?.spanId).toBe(spanNamed('alone').spanContext().spanId);
  });

  it('adds the ids of the active span to a log line, and none without a span', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'files', role: 'api', level: 'info' }, destination);
    logger.info('outside');
    await inSpan('inside', {}, async () => logger.info('inside'));
    const { traceId, spanId } = spanNamed('inside').spanContext();
    const [outside, inside] = lines.map((line) => JSON.parse(line) as Record<string, string>);
    expect('trace_id' in (outside ?? {})).toBe(false);
    expect([inside?.['trace_id'], inside?.['span_id']]).toStrictEqual([traceId, spanId]);
  });
});
